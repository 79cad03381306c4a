"""The first page of the site, and the order of the modules: docc merge makes a list by their names."""

import json

from joined import reference

NAME = "Hikyaku"
OPTIONS = ["--synthesized-landing-page-name", NAME, "--synthesized-landing-page-kind", "Package"]
OPTIONS += ["--synthesized-landing-page-topics-style", "list"]
SUMMARY = "An API client library for Linux and Apple platforms: requests are values, responses and errors are typed."
# The articles for a new reader, as far as they are there.
FIRST = ["GettingStarted", "CallingAService", "Testing", "Recipes"]
# Each module is in one group, in the order of a reader's way.
GROUPS = [
    ("Call a service", ["Hikyaku", "HikyakuOAuth", "HikyakuBroadcast"]),
    ("Test an app", ["HikyakuTesting", "HikyakuMockServer"]),
    ("Messages and models", ["HikyakuHTTP", "HikyakuJSON"]),
    ("Transports and cookies", ["HikyakuWire", "HikyakuURLSession", "HikyakuPublicSuffixes"]),
]
ROOT = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{NAME}</title>
<meta http-equiv="refresh" content="0; url=documentation/">
<a href="documentation/">{NAME}</a>
</html>
"""


def grouped(by_module):
    """What there is of each group, then what is in none."""
    rest = dict(by_module)
    for title, modules in GROUPS:
        found = [rest.pop(module) for module in modules if module in rest]
        if found:
            yield title, found
    if rest:
        yield "More", [rest[module] for module in sorted(rest)]


def finish(site):
    write_page(site)
    write_sidebar(site / "index" / "index.json")
    # The pages' program knows no page at the root: it leads here.
    root = site / "index.html"
    (site / "documentation" / "index.html").write_text(root.read_text())
    root.write_text(ROOT)


def write_page(site):
    """Groups the modules of the first page, and gives it a summary and articles to begin with."""
    file = site / "data" / "documentation.json"
    page = json.loads(file.read_text())
    listed = [name for section in page["topicSections"] for name in section["identifiers"]]
    sections = [*grouped({name.rsplit("/", 1)[-1]: name for name in listed})]
    articles = []
    for name in FIRST:
        article = site / "data" / "documentation" / NAME.lower() / f"{name.lower()}.json"
        if article.is_file():
            target = reference(article, site, json.loads(article.read_text()))
            page["references"][target["identifier"]] = target
            articles.append(target["identifier"])
    if articles:
        sections.insert(0, ("Begin here", articles))
    page["topicSections"] = [
        {"title": title, "anchor": title.replace(" ", "-"), "identifiers": names} for title, names in sections
    ]
    page["abstract"] = [{"type": "text", "text": SUMMARY}]
    file.write_text(json.dumps(page))


def write_sidebar(file):
    """Puts the modules into the same groups in the sidebar."""
    index = json.loads(file.read_text())
    for roots in index["interfaceLanguages"].values():
        for root in roots:
            modules = {item["title"]: item for item in root.get("children", [])}
            children = []
            for title, items in grouped(modules):
                children += [{"type": "groupMarker", "title": title}, *items]
            root["children"] = children
    file.write_text(json.dumps(index))
