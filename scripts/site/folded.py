"""Leaves out pages that say no more than the list on the page above them.

docc makes a page for each symbol. The page of a type lists its members with declarations and summaries, so a member that
has nothing else to say leads to its group there. The pages that collect a conformance's members are lists without a
text: their members are listed by the type itself.
"""

import json
import re
import shutil


def fold(site):
    """Folds the pages of the merged site; returns the URLs of the pages that are gone, with what takes their place."""
    folder = site / "data" / "documentation"
    pages = {url(site, file): json.loads(file.read_text()) for file in folder.rglob("*.json")}
    lists = {path for path in pages if path.endswith("-implementations")}
    names = {pages[path]["identifier"]["url"]: path for path in lists}
    for path, page in pages.items():
        if path not in lists:
            unwrap(page, names, pages)
    places = {}
    for path, page in pages.items():
        if path not in lists and is_folded(page):
            place = group(path, page, pages, places)
            if place:
                places[path] = place
    gone = {**places, **{path: path.rsplit("/", 1)[0] for path in lists}}
    # A member of a folded type leads to where that is.
    gone = {path: last(place, gone) for path, place in gone.items()}
    for path, page in pages.items():
        if path not in gone:
            redirect(page, gone)
            shorten(page)
            (site / "data" / f"{path[1:]}.json").write_text(json.dumps(page, separators=(",", ":")))
    for path in gone:
        (site / "data" / f"{path[1:]}.json").unlink()
        (site / path[1:] / "index.html").unlink(missing_ok=True)
    for root in (site / "documentation", folder):
        for empty in sorted((each for each in root.rglob("*") if each.is_dir()), reverse=True):
            if not any(empty.iterdir()):
                empty.rmdir()
    sidebar(site / "index" / "index.json", gone, lists)
    # What only docc reads.
    for name in ("linkable-entities.json", "link-hierarchy.json"):
        (site / name).unlink(missing_ok=True)
    return {pages[path]["metadata"].get("externalID") for path in places}, gone


def url(site, file):
    return "/" + str(file.relative_to(site / "data"))[: -len(".json")]


def last(place, gone):
    path, _, anchor = place.partition("#")
    return last(gone[path], gone) if path in gone else place


def is_folded(page):
    """Whether a page has a declaration and a summary alone, as the list above shows them."""
    kinds = [section["kind"] for section in page.get("primaryContentSections", [])]
    is_member = page["metadata"].get("symbolKind") not in (None, "module", "protocol", "struct", "enum", "class")
    return is_member and kinds == ["declarations"] and not page.get("topicSections")


def group(path, page, pages, places):
    """The anchor of the group that lists a member, on the page above."""
    above = path.rsplit("/", 1)[0]
    identifier = page["identifier"]["url"]
    for section in pages.get(above, {}).get("topicSections", []):
        if identifier in section["identifiers"]:
            return f"{above}#{section.get('anchor') or section['title'].replace(' ', '-')}"
    return None


def unwrap(page, names, pages):
    """Lists the members of a conformance in place of the page that collects them."""
    for section in page.get("topicSections", []):
        members = []
        for name in section["identifiers"]:
            if name not in names:
                members.append(name)
                continue
            inner = pages[names[name]]
            members += [each for part in inner.get("topicSections", []) for each in part["identifiers"]]
            page["references"].update(inner.get("references", {}))
            page["references"].pop(name, None)
        section["identifiers"] = list(dict.fromkeys(members))
        section.setdefault("anchor", section["title"].replace(" ", "-"))
    # What else is in the groups of the page above is one click away.
    if page.get("kind") == "symbol":
        page.pop("seeAlsoSections", None)
    for paths in page.get("hierarchy", {}).get("paths", []):
        paths[:] = [each for each in paths if each not in names]
    kept = used(page)
    page["references"] = {name: value for name, value in page["references"].items() if name in kept}


def used(item):
    """All texts in a page but its references: the identifiers that it needs are among them."""
    found, waiting = set(), [{key: value for key, value in item.items() if key != "references"}]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, str):
            found.add(each)
    # The summaries of what is referred to refer further.
    names, seen = list(found & item["references"].keys()), set()
    while names:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        text = json.dumps(item["references"][name].get("abstract", []))
        names += [other for other in re.findall(r'"identifier": "([^"]+)"', text) if other in item["references"]]
    return seen


def redirect(page, gone):
    for reference in page["references"].values():
        path, _, _ = reference.get("url", "").partition("#")
        if path in gone:
            reference["url"] = gone[path]


def shorten(page):
    """Leaves out what a page says of others that it only names: summaries and declarations are shown in lists alone."""
    sections = [each for key, value in page.items() if key.endswith("Sections") and key != "primaryContentSections"
                for each in value]
    listed = {name for each in sections for name in each.get("identifiers", [])}
    for name, reference in page["references"].items():
        if name not in listed and reference.get("type") == "topic":
            reference["abstract"] = []
            reference.pop("fragments", None)
            reference.pop("navigatorTitle", None)


def sidebar(file, gone, lists):
    """Leads the sidebar's entries to the groups, and leaves out the collected conformances."""
    index = json.loads(file.read_text())

    def changed(items):
        kept = []
        for item in items:
            if item.get("path") in lists:
                kept += changed(item.get("children", []))
                continue
            item["path"] = gone.get(item.get("path"), item.get("path"))
            if item["path"] is None:
                del item["path"]
            if "children" in item:
                item["children"] = changed(item["children"])
            kept.append(item)
        return kept

    for language, roots in index["interfaceLanguages"].items():
        index["interfaceLanguages"][language] = changed(roots)
    file.write_text(json.dumps(index, separators=(",", ":")))
