// Searches all pages, by the index that is loaded when the box is first used.
(() => {
  const { weights, kinds } = SETTINGS;
  const base = window.baseUrl || "/";
  const split = text => `${text} ${text.replace(/([a-z])([A-Z])/g, "$1 $2")}`.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];
  let entries, loading;
  const load = () => (loading ??= fetch(`${base}INDEX`).then(r => r.json()).then(list => {
    entries = list.map(e => ({ ...e, title: split(e.t), w: split(e.w), h: split(e.h), a2: split(e.a), x: e.x.split(" ") }));
  }));
  // "pins" and "pinning" find "pin".
  const stem = word => { const short = word.replace(/(ings?|ed|es|s)$/, ""); return short.length > 2 ? short : word; };
  const score = (e, word) => {
    const short = stem(word), begins = list => list.some(each => each.startsWith(short));
    let points = e.title.includes(word) ? weights.title : begins(e.title) ? weights.begins : 0;
    if (begins(e.w)) points += weights.words;
    if (begins(e.h)) points += weights.heading;
    if (begins(e.a2)) points += weights.summary;
    return begins(e.x) ? points + weights.text : points;
  };
  const rank = query => {
    const wanted = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [])];
    const found = [];
    for (const e of wanted.length ? entries : []) {
      const points = wanted.map(word => score(e, word));
      // A page that lacks a word comes after those that have all of them.
      const share = points.filter(Boolean).length / wanted.length;
      if (share) found.push([points.reduce((a, b) => a + b) * kinds[e.k] * share ** 3, e]);
    }
    return found.sort((a, b) => b[0] - a[0] || a[1].t.length - b[1].t.length || (a[1].u < b[1].u ? -1 : 1)).map(f => f[1]);
  };
  const style = document.createElement("style");
  style.textContent = `#search{position:fixed;top:9px;right:16px;z-index:10000;font:14px system-ui,sans-serif;width:min(22em,45vw)}
    #search input{width:100%;box-sizing:border-box;padding:5px 10px;border:1px solid #8886;border-radius:8px;
      background:var(--color-fill,#fff);color:var(--color-text,#111);font:inherit}
    #search ol{list-style:none;margin:4px 0;padding:4px;max-height:75vh;overflow:auto;border:1px solid #8886;border-radius:8px;
      background:var(--color-fill,#fff);box-shadow:0 4px 16px #0003}
    #search ol:empty{display:none}
    #search a{display:block;padding:5px 8px;border-radius:6px;text-decoration:none;color:var(--color-text,#111)}
    #search a:hover,#search a:focus{background:#8882}
    #search small{display:block;opacity:.7}`;
  const box = document.createElement("div");
  box.id = "search";
  box.innerHTML = '<input type="search" placeholder="Search all pages ( / )" aria-label="Search all pages"><ol></ol>';
  const [input, list] = box.children;
  const show = async () => {
    await load();
    list.replaceChildren(...rank(input.value).slice(0, 20).map(e => {
      const link = document.createElement("a");
      link.href = base + e.u.slice(1);
      link.append(e.o ? `${e.t} (${e.o})` : e.t);
      const text = document.createElement("small");
      text.append(e.a);
      link.append(text);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
  };
  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  box.addEventListener("keydown", event => {
    const links = [input, ...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && links[at + step]) { links[at + step].focus(); event.preventDefault(); }
    if (event.key === "Enter" && at === 0 && links[1]) links[1].click();
    if (event.key === "Escape") { input.value = ""; list.replaceChildren(); input.blur(); }
  });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && !/input|textarea/i.test(document.activeElement?.tagName || "")) { input.focus(); event.preventDefault(); }
  });
  document.addEventListener("click", event => { if (!box.contains(event.target) || event.target.closest("a")) list.replaceChildren(); });
  document.head.append(style);
  document.body.append(box);
})();
