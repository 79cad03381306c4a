"""Makes one site of the merged pages: docc merge puts them side by side, and changes none of them."""

import json

# The first page, as others refer to it.
TOP = "doc://Hikyaku/documentation"


def join(site, name):
    """Links types to protocols of other modules, and each module to the first page."""
    pages = {file: json.loads(file.read_text()) for file in (site / "data" / "documentation").rglob("*.json")}
    # docc writes a protocol of another module as plain text where a type conforms to it. What it leaves unresolved ends
    # in the symbol's mangled name, without what all of them begin with.
    symbols = {
        page["metadata"]["externalID"].removeprefix("s:"): reference(file, site, page)
        for file, page in pages.items()
        if page["metadata"].get("externalID")
    }
    for file, page in pages.items():
        link(page, symbols)
        # The sidebar of a page below finds it by its path from the module, so that path stays as it is.
        if page["hierarchy"]["paths"] == [[]]:
            page["hierarchy"]["paths"] = [[TOP]]
            page["references"][TOP] = {
                "type": "topic",
                "kind": "article",
                "role": "collection",
                "identifier": TOP,
                "title": name,
                "url": "/documentation",
                "abstract": [],
            }
        file.write_text(json.dumps(page))


def link(page, symbols):
    found = {}
    for identifier, named in page["references"].items():
        target = symbols.get(identifier.rsplit("/", 1)[-1])
        if named["type"] == "unresolvable" and target:
            found[identifier] = target
    for identifier, target in found.items():
        del page["references"][identifier]
        page["references"][target["identifier"]] = target
    for section in page.get("relationshipsSections", []):
        names = section["identifiers"]
        section["identifiers"] = [found[name]["identifier"] if name in found else name for name in names]


def reference(file, site, page):
    """What a page that links to another says of it."""
    is_symbol = page["kind"] == "symbol"
    return {
        "type": "topic",
        "kind": page["kind"],
        "role": "symbol" if is_symbol else "article",
        "identifier": page["identifier"]["url"],
        "title": page["metadata"]["title"],
        "url": "/" + str(file.relative_to(site / "data"))[: -len(".json")],
        "abstract": page.get("abstract", []),
        **({"fragments": page["metadata"].get("fragments", [])} if is_symbol else {}),
    }
