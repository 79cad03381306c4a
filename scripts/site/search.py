"""A search over all pages: one index of their texts, and a box on each page that reads it when it is used.

The words of a query are searched in titles, words that people would use, summaries and texts, in this order of weight.
An article lists the words that aren't in it: `<!-- search: 404, pagination -->`.
"""

import json
import re
from pathlib import Path

SCRIPT = "search.js"
INDEX = "search.json"
# How much a word counts where it is found: as a whole word of the title, as its beginning, and so on.
WEIGHTS = {"title": 40, "begins": 20, "words": 24, "summary": 8, "heading": 10, "text": 2}
# What people read first comes first.
KINDS = {"article": 2.5, "symbol": 1.0, "member": 0.5}


def write(site, words):
    """Writes the index and the script, and lets each page load it; returns the index."""
    entries = [entry for file in sorted((site / "data").rglob("*.json")) if (entry := read(site, file, words))]
    (site / INDEX).write_text(json.dumps(entries, separators=(",", ":"), ensure_ascii=False))
    weights = json.dumps({"weights": WEIGHTS, "kinds": KINDS})
    program = (Path(__file__).parent / SCRIPT).read_text()
    (site / SCRIPT).write_text(program.replace("SETTINGS", weights).replace("INDEX", INDEX))
    for page in [*site.rglob("index.html")]:
        html = page.read_text()
        html = re.sub(r"<noscript>.*?</noscript>", NOSCRIPT, html, flags=re.DOTALL)
        page.write_text(html.replace("</head>", f'<script defer src="/{SCRIPT}"></script></head>', 1))
    return entries


NOSCRIPT = "<noscript><p>This page needs JavaScript. The articles are plain text in llms-full.txt.</p></noscript>"


def read(site, file, words):
    """What the index has of a page."""
    page = json.loads(file.read_text())
    title, role = page["metadata"].get("title", ""), page["metadata"].get("role")
    kind = "article" if role == "article" or page.get("kind") == "article" else "symbol"
    if kind == "symbol" and page["metadata"].get("symbolKind") not in ("struct", "class", "enum", "protocol", "module"):
        kind = "member"
    path = str(file.relative_to(site / "data"))[: -len(".json")]
    if path == "documentation":
        return None
    parts = page.get("primaryContentSections", [])
    parents = path.split("/")[2:-1]
    members = [name for section in page.get("topicSections", []) for name in section["identifiers"]]
    listed = " ".join(page["references"].get(name, {}).get("title", "") for name in members)
    return {
        "u": "/" + path,
        "t": title,
        "o": ".".join(parents) if kind == "member" else "",
        "k": kind,
        "w": " ".join(words.get(path.rsplit("/", 1)[-1], [])) if kind == "article" else "",
        "a": plain(page.get("abstract", [])),
        # Of a type, what its lists name: most members have no page.
        "h": " ".join(headings(parts)) if kind == "article" else listed,
        "x": " ".join(dict.fromkeys(split(plain([part for part in parts if part["kind"] != "declarations"])))),
    }


def plain(item):
    """The text of a part of a page, with code."""
    if isinstance(item, list):
        return " ".join(filter(None, map(plain, item)))
    if not isinstance(item, dict):
        return ""
    texts = [item[key] if isinstance(item[key], str) else " ".join(item[key]) for key in ("text", "code") if key in item]
    if item.get("type") == "reference":
        texts.append(item["identifier"].rsplit("/", 1)[-1])
    rest = [plain(value) for key, value in item.items() if isinstance(value, (list, dict)) and key != "code"]
    return " ".join(filter(None, [*texts, *rest]))


def headings(item):
    if isinstance(item, dict):
        if item.get("type") == "heading":
            yield item["text"]
        item = list(item.values())
    if isinstance(item, list):
        for each in item:
            yield from headings(each)


def split(text):
    """The words of a text in lower case; those of a name, too."""
    spread = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return re.findall(r"\w+", f"{text} {spread}".lower())


def rank(entries, query):
    """The pages for a query, best first: the script does the same."""
    wanted = list(dict.fromkeys(re.findall(r"\w+", query.lower())))
    found = []
    for entry in entries:
        points = [score_of(entry, word) for word in wanted]
        # A page that lacks a word comes after those that have all of them.
        share = sum(map(bool, points)) / max(1, len(points))
        if share:
            found.append((sum(points) * KINDS[entry["k"]] * share**3, entry))
    return [entry for _, entry in sorted(found, key=lambda each: (-each[0], len(each[1]["t"]), each[1]["u"]))]


def stem(word):
    """What a word begins with in all of its forms: "pins" and "pinning" find "pin"."""
    short = re.sub(r"(ings?|ed|es|s)$", "", word)
    return short if len(short) > 2 else word


def score_of(entry, word):
    title, short = split(entry["t"]), stem(word)
    points = WEIGHTS["title"] if word in title else WEIGHTS["begins"] if any(t.startswith(short) for t in title) else 0
    for key, place in (("w", "words"), ("h", "heading"), ("a", "summary")):
        if any(each.startswith(short) for each in split(entry[key])):
            points += WEIGHTS[place]
    if any(each.startswith(short) for each in entry["x"].split(" ")):
        points += WEIGHTS["text"]
    return points
