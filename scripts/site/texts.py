"""The articles as plain text, for assistants and for readers without a browser: a list, and one file with all of them."""

import json
import re

LIST = "llms.txt"
WHOLE = "llms-full.txt"


def write(site, catalogues, name, summary):
    """Writes both files; a catalogue is a module with the pages of its folder."""
    listed, whole = [f"# {name}\n\n> {summary}\n"], [f"# {name}\n\n{summary}\n"]
    for module, pages in catalogues:
        entries = []
        for page in ordered(pages):
            path = f"documentation/{module.lower()}/{page.stem.lower()}"
            is_module = page.stem == module
            file = site / "data" / (f"documentation/{module.lower()}.json" if is_module else f"{path}.json")
            title = json.loads(file.read_text())["metadata"]["title"]
            text = plain(page.read_text())
            abstract = next((part for part in text.split("\n\n")[1:] if part.strip()), "").replace("\n", " ")
            address = f"/documentation/{module.lower()}" if is_module else f"/{path}"
            entries.append(f"- [{title}]({address}): {abstract}")
            whole.append(re.sub(r"^# .*", f"# {title}", text, count=1))
        listed.append(f"## {module}\n\n" + "\n".join(entries) + "\n")
    listed.append(f"## Whole\n\n- [All articles in one file](/{WHOLE})\n")
    (site / LIST).write_text("\n".join(listed))
    (site / WHOLE).write_text("\n\n".join(whole))


def ordered(pages):
    """The page of the module first, then in the order in which it names the others."""
    first = next(page for page in pages if page.stem == page.parent.name.removesuffix(".docc"))
    named = re.findall(r"<doc:(\w+)>", first.read_text())
    rest = [page for page in pages if page != first]
    return [first, *sorted(rest, key=lambda page: named.index(page.stem) if page.stem in named else len(named))]


def plain(text):
    """An article without what only the site's maker reads: links to symbols become code."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)
    text = re.sub(r"\n## Topics\n.*", "\n", text, flags=re.DOTALL)
    text = re.sub(r"``/?([^`]+)``", lambda match: f"`{match[1].split('-(')[0].replace('/', '.')}`", text)
    return re.sub(r"<doc:(\w+)(#[\w-]+)?>", r"“\1”", text).strip() + "\n"
