"""Leaves out what the compiler uses to check requests: nobody writes it."""

import re

MACHINERY = re.compile(r"\w+Spelling")


def without_machinery(graph):
    """A graph without the protocols that only the compiler uses, and declarations without what names them."""
    hidden = {s["identifier"]["precise"] for s in graph["symbols"] if MACHINERY.fullmatch(s["pathComponents"][0])}
    symbols = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in hidden]
    for symbol in symbols:
        if symbol["kind"]["identifier"] == "swift.protocol":
            symbol["declarationFragments"] = shown(symbol["declarationFragments"])
    kept = [each for each in graph["relationships"] if not hidden & {each["source"], each["target"]}]
    return {**graph, "symbols": symbols, "relationships": kept}


def shown(fragments):
    """A protocol's declaration without inherited machinery, and without the clause that constrains it."""
    names = [fragment["spelling"] for fragment in fragments]
    if not any(name.startswith("_") or MACHINERY.fullmatch(name) for name in names):
        return fragments
    end = names.index("where") if "where" in names else len(names)
    kept = fragments[:end]
    names = names[:end]
    colon = next((index for index, name in enumerate(names) if name.endswith(" : ") or name == " : "), end)
    inherited = [f for f in kept[colon + 1 :] if f["kind"] == "typeIdentifier"]
    inherited = [f for f in inherited if not f["spelling"].startswith("_") and not MACHINERY.fullmatch(f["spelling"])]
    head = kept[: colon + 1] if inherited else kept[:colon]
    if not inherited and colon < end and names[colon] != " : ":
        head = [*head, {**kept[colon], "spelling": names[colon].removesuffix(" : ")}]
    joined_names = []
    for index, fragment in enumerate(inherited):
        joined_names += [*([{"kind": "text", "spelling": ", "}] if index else []), fragment]
    return [*head, *joined_names]
