"""Checks the merged site: links, images, summaries, and that every symbol has its topic group."""

import json
import re
from urllib.parse import unquote, urlsplit

import search
from machinery import MACHINERY

# More members than these are grouped by hand; fewer are found in docc's own groups, by their kind.
FEW = 6
# What a conformance needs is listed by docc under the conformance.
CONFORMANCES = "Default Implementations"


# What people search for, and the page that must be among the first three.
SEARCHES = {
    "404": "oddservices", "pagination": "pages", "resume download": "downloads", "staging": "recipes",
    "envelope": "oddservices", "interceptor": "writingyourown", "log": "recipes", "timeout": "keepgoing",
    "mock": "testing", "retry": "keepgoing", "401": "authorizingrequests", "certificate pinning": "recipes",
    "main actor": "compilermessages", "date format": "oddservices", "upload progress": "uploads",
    "openai streaming": "eventstreams", "alamofire": "comingfromothers", "swagger": "generating", "curl": "fromsamples",
    "login": "signingin", "websocket": "eventstreams", "offline": "keepgoing", "cancel": "makingcalls",
    "api key": "recipes", "status code": "handlingerrors", "install": "gettingstarted",
}
FIRST = 3
PAGES_MAX = 1500


def searches(site):
    """The searches that don't find their page, on a site that has it."""
    names = {entry["u"].rsplit("/", 1)[-1] for entry in site.found if entry["k"] == "article"}
    for query, name in SEARCHES.items():
        found = [entry["u"].rsplit("/", 1)[-1] for entry in search.rank(site.found, query)[:FIRST]]
        if name in names and name not in found:
            yield f"the search for “{query}” doesn't find {name} among the first {FIRST}, but {', '.join(found)}"
    if len(site.found) >= PAGES_MAX:
        yield f"the site has {len(site.found) + 1} pages, and may have {PAGES_MAX}"


def problems(site):
    """What is wrong with the site, one line each."""
    pages = Pages(site.merged, site.modules)
    found = [*pages.links(), *pages.navigation(), *pages.files()]
    found += [*searches(site)]
    for module in site.modules:
        found += pages.summaries(module)
        found += curation(site, module, pages)
    return sorted(set(found))


class Pages:
    """The pages of an archive, by their paths."""

    def __init__(self, archive, modules):
        self.archive, self.modules = archive, modules
        self.pages = {}
        data = archive / "data"
        for file in data.rglob("*.json"):
            self.pages["/" + str(file.relative_to(data))[: -len(".json")]] = json.loads(file.read_text())
        self.anchors = {path: set(anchors(page)) for path, page in self.pages.items()}

    def of_module(self, module):
        root = f"/documentation/{module.lower()}"
        return {path: page for path, page in self.pages.items() if path == root or path.startswith(root + "/")}

    def links(self):
        """What a page refers to and the site lacks."""
        for path, page in self.pages.items():
            references = page.get("references", {})
            for reference in references.values():
                yield from (f"{path}: {text}" for text in self.unresolved(reference))
            for identifier in used(page):
                if identifier not in references:
                    yield f"{path}: refers to {identifier}, which is not on the site"

    def unresolved(self, reference):
        kind = reference.get("type")
        # Protocols of the standard library are named without a link.
        if kind == "unresolvable" and reference["title"].split(".")[0] in self.modules:
            yield f"links to {reference['title']}, which is not on the site"
        for variant in reference.get("variants", []):
            if not self.has_file(variant["url"]):
                yield f"shows {variant['url']}, which is not on the site"
        url = reference.get("url")
        if kind in ("download", "file") and url and not self.has_file(url):
            yield f"offers {url}, which is not on the site"
        elif url and kind in ("topic", "section", "link") and not self.has_page(url):
            yield f"links to {url}, which is not on the site"

    def has_page(self, url):
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "mailto"):
            return True
        path = unquote(parts.path).rstrip("/").lower()
        if path not in self.pages:
            return False
        # Capitals of headings are kept in anchors, but not always in links to them.
        wanted = unquote(parts.fragment).lower()
        return not wanted or wanted in {anchor.lower() for anchor in self.anchors[path]}

    def has_file(self, url):
        return bool(urlsplit(url).scheme) or (self.archive / unquote(url).lstrip("/")).is_file()

    def navigation(self):
        """Entries of the sidebar without a page."""
        waiting = [json.loads((self.archive / "index" / "index.json").read_text())["interfaceLanguages"]]
        while waiting:
            item = waiting.pop()
            waiting += item.values() if isinstance(item, dict) else item if isinstance(item, list) else []
            path = item.get("path") if isinstance(item, dict) else None
            if path and not self.has_page(path):
                yield f"the sidebar links to {path}, which is not on the site"

    def files(self):
        """What a server of plain files needs: a page of HTML for each path, and what that loads."""
        for path in self.pages:
            file = self.archive / path.lstrip("/") / "index.html"
            if not file.is_file():
                yield f"{path}: has no index.html"
                continue
            for url in re.findall(r'(?:src|href)="(/[^"]+)"', file.read_text()):
                if not self.has_file(url):
                    yield f"{path}: loads {url}, which is not on the site"

    def summaries(self, module):
        for path, page in self.of_module(module).items():
            # docc writes the pages that collect a conformance's members.
            is_written = page["metadata"].get("role") != "collectionGroup"
            if is_written and not page.get("abstract"):
                yield f"{path}: has no summary"


def anchors(item):
    """Where links may point to within a page."""
    if isinstance(item, dict):
        if isinstance(item.get("anchor"), str):
            yield item["anchor"]
        # Lists of parameters and of what is mentioned have anchors of their own making.
        item = item.values()
    elif not isinstance(item, list):
        return
    for value in item:
        yield from anchors(value)


def used(item, key=None):
    """The identifiers that a page's content uses."""
    if isinstance(item, dict):
        if item.get("type") in ("reference", "image", "video", "link") and "identifier" in item and key != "references":
            yield item["identifier"]
        for name, value in item.items():
            # The references themselves are checked one by one.
            if name != "references":
                yield from used(value, name)
    elif isinstance(item, list):
        for value in item:
            if isinstance(value, str) and key == "identifiers":
                yield value
            else:
                yield from used(value, key)


def curation(site, module, pages):
    """The symbols of a module that have no page, or that only docc's own groups list."""
    own = pages.of_module(module)
    shown = {page["metadata"].get("externalID") for page in own.values()} | site.folded
    for extended, file in site.graphs(module):
        for symbol in json.loads(file.read_text())["symbols"]:
            # An extension without members has no page: those of protocols list its conformances.
            if symbol["kind"]["identifier"] == "swift.extension" or MACHINERY.fullmatch(symbol["pathComponents"][0]):
                continue
            if symbol["identifier"]["precise"] not in shown:
                yield f"{module}: {'.'.join(symbol['pathComponents'])} has no page"
    for path, page in own.items():
        sections = page.get("topicSections", [])
        members = [name for section in sections if section["title"] != CONFORMANCES for name in section["identifiers"]]
        is_whole = page["metadata"].get("role") == "collection"
        if page["metadata"].get("role") == "collectionGroup" or not is_whole and len(members) <= FEW:
            continue
        for section in sections:
            if section.get("generated") and section["title"] != CONFORMANCES:
                names = [page["references"].get(name, {}).get("title", name) for name in section["identifiers"]]
                yield f"{path}: no topic group of its page has {', '.join(names)}"
