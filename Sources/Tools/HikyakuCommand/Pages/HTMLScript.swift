import HikyakuOpenAPI

/// The page's script: the filter box, which is hidden without it.
///
/// It contains nothing of the package, finds everything by the page's own classes, and loads nothing.
enum HTMLScript {
    static let text: HTMLText = #"""
        (() => {
          const box = document.querySelector(".filter");
          const input = box.querySelector("input");
          const count = document.querySelector(".count");
          const empty = document.querySelector(".empty");
          const total = count.textContent;
          const plain = text => text.normalize("NFC").toLowerCase();
          const entries = document.querySelectorAll("nav li");
          const headings = document.querySelectorAll("nav .chapter");
          // The last row is the source, whose folders are in most of them.
          const requests = [...document.querySelectorAll("article")].map((article, index) => {
            const parts = article.querySelectorAll("h3, .call, p, li, pre, dd:not(:last-child)");
            const chapter = article.parentElement.querySelector("h2").textContent;
            const text = chapter + "." + [...parts].map(part => part.textContent).join("\n");
            return { article, entry: entries[index], text: plain(text) };
          });
          const chapters = [...document.querySelectorAll("main > section")].map((section, index) => ({
            section, heading: headings[index], list: headings[index].nextElementSibling,
            requests: requests.filter(request => section.contains(request.article)),
          }));
          const apply = () => {
            const words = plain(input.value).split(/\s+/).filter(word => word);
            for (const request of requests) {
              request.isShown = words.every(word => request.text.includes(word));
              request.article.hidden = request.entry.hidden = !request.isShown;
            }
            for (const { section, heading, list, requests } of chapters) {
              section.hidden = heading.hidden = list.hidden = !requests.some(request => request.isShown);
            }
            const shown = requests.filter(request => request.isShown).length;
            count.textContent = words.length ? shown + " of " + total : total;
            empty.hidden = shown > 0;
          };
          const clear = () => {
            input.value = "";
            apply();
          };
          input.addEventListener("input", apply);
          input.addEventListener("keydown", event => {
            if (event.isComposing) return;
            if (event.key === "Escape") {
              event.preventDefault();
              if (input.value) clear(); else input.blur();
            } else if (event.key === "Enter") {
              event.preventDefault();
              const first = requests.find(request => request.isShown);
              if (first) first.article.querySelector("h3 a").focus();
            }
          });
          document.addEventListener("keydown", event => {
            if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
            if (event.target === input) return;
            event.preventDefault();
            input.focus();
            input.select();
          });
          empty.querySelector("button").addEventListener("click", () => {
            clear();
            input.focus();
          });
          const showTarget = () => {
            const target = document.getElementById(location.hash.slice(1));
            if (!target || !target.closest("[hidden]")) return;
            clear();
            target.scrollIntoView();
          };
          addEventListener("hashchange", showTarget);
          // A browser may have restored the text of an earlier visit.
          addEventListener("pageshow", () => {
            apply();
            showTarget();
          });
          box.hidden = false;
        })();
        """#
}
