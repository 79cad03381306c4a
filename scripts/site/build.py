"""Makes the site: symbols of the build, an archive for each module, and all of them merged."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import folded
import joined
import landing
import search
import texts
from links import Names, is_of_symbol
from machinery import without_machinery

PREFIX = "hikyaku"
OWN = sorted(file for file in Path(__file__).parent.iterdir() if file.suffix in (".py", ".js"))
# Modules without a product, and the one that exports them, on whose pages they are documented.
PARTS = {"HikyakuEngine": "Hikyaku"}
FLAGS = ["--enable-experimental-external-link-support", "--enable-experimental-overloaded-symbol-presentation"]

# Protocols that nearly every type conforms to, and nobody writes: Copyable, Escapable, SendableMetatype.
UNSAID = {"s:s8CopyableP", "s:s9EscapableP", "s:s16SendableMetatypeP"}

# Elsewhere some modules are empty, so that links to them lead nowhere.
IS_WHOLE = sys.platform == "linux"
# docc crashes now and then.
TRIES = 3
# How many names are in the summary of an extended type.
NAMED = 4
NOWHERE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


class Failure(Exception):
    """The site can't be made, with the reason for people."""


def run(*command, cwd=None):
    """Runs a command whose output is only shown if it fails."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if result.returncode:
        raise Failure(f"{command[0]} failed:\n{result.stdout}{result.stderr}".rstrip())
    return result.stdout


def tool(name):
    """A program of the toolchain, which Xcode keeps off the path."""
    found = shutil.which(name)
    if not found and shutil.which("xcrun"):
        found = run("xcrun", "--find", name).strip()
    if not found:
        raise Failure(f"{name} isn't on the path: it comes with the Swift toolchain")
    return found


def package_site(root):
    """The site of the package, whose modules are built when this returns."""
    run(root / "scripts" / "setup")
    description = json.loads(run("swift", "package", "dump-package", cwd=root))
    products = [product["targets"] for product in description["products"] if "library" in product["type"]]
    modules = {target for targets in products for target in targets}
    modules = sorted(modules | {part for part, whole in PARTS.items() if whole in modules})
    needs = {
        target["name"]: {name for need in target["dependencies"] for name in dependency_names(need)}
        for target in description["targets"]
    }
    # A target is built with those that it needs on each platform.
    for module in modules:
        if not any(module in needs[other] for other in modules):
            run("swift", "build", "--quiet", "--target", module, cwd=root)
    return Site(root, modules, root / ".build" / "docs", root / "docs-out", root / ".build" / "debug" / "Modules")


def package_index_problems(site):
    """The modules that the manifest of the Swift Package Index does not mention, and those that it names in vain."""
    text = (site.root / ".spi.yml").read_text()
    for module in site.modules:
        if not re.search(rf"\b{module}\b", text):
            yield f".spi.yml does not mention {module}"
    for module in re.findall(r"^ *- (\w+)$", text, re.MULTILINE):
        if module not in site.modules:
            yield f".spi.yml names {module}, which has no public API"


def dependency_names(dependency):
    """The target that a dependency names, unless only some platforms need it."""
    return [value[0] for key, value in dependency.items() if key in ("byName", "target") and not value[1]]


def into(file, graph):
    """Adds a graph to that of a file."""
    known = json.loads(file.read_text()) if file.is_file() else None
    if known:
        there = {symbol["identifier"]["precise"] for symbol in known["symbols"]}
        known["symbols"] += [s for s in graph["symbols"] if s["identifier"]["precise"] not in there]
        known["relationships"] += graph["relationships"]
    else:
        known = graph
        known["module"]["name"] = file.name.split(".")[0].split("@")[0]
    file.write_text(json.dumps(known))


def without_extensions(graph):
    """A graph whose members belong to the extended types, in place of the blocks that extend them."""
    blocks = {r["source"]: r["target"] for r in graph["relationships"] if r["kind"] == "extensionTo"}
    names = {target: (r.get("targetFallback") or "") for r in graph["relationships"] for target in [r["target"]]}
    relationships = []
    for each in graph["relationships"]:
        if each["kind"] != "extensionTo":
            ends = {end: blocks.get(each[end], each[end]) for end in ("source", "target")}
            fallback = names.get(ends["target"])
            relationships.append({**each, **ends, **({"targetFallback": fallback} if fallback else {})})
    symbols = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in blocks]
    return {**graph, "symbols": symbols, "relationships": relationships}


def summarize_extensions(symbols):
    """Gives each extended type a summary, which extensions rarely have: the names that they add."""
    added, documented = {}, set()
    for symbol in symbols:
        path = tuple(symbol["pathComponents"])
        if symbol["kind"]["identifier"] != "swift.extension":
            added.setdefault(path[:-1], []).append(path[-1])
        elif "docComment" in symbol:
            documented.add(path)
    for symbol in symbols:
        path = tuple(symbol["pathComponents"])
        if symbol["kind"]["identifier"] == "swift.extension" and path not in documented and added.get(path):
            documented.add(path)
            names = sorted(set(added[path]))
            # One that is left out would take as much room as its name.
            count = len(names) if len(names) <= NAMED + 1 else NAMED
            shown = ", ".join(f"`{name}`" for name in names[:count])
            more = f" and {len(names) - count} more" if count < len(names) else ""
            line = {"text": f"Adds {shown}{more}.", "range": NOWHERE}
            symbol["docComment"] = {"lines": [line]}


def search_words(text):
    """The words for the search that an article lists."""
    found = re.search(r"<!-- search: (.*?)-->", text, re.DOTALL)
    return found[1].split() if found else []


class Site:
    """The site of some modules, and where its parts are."""

    def __init__(self, root, modules, work, output, products):
        self.root, self.modules, self.work, self.output, self.products = root, modules, work, output, products
        self.merged = work / "site"
        self.names = Names()
        self.seconds = time.monotonic()
        self.made = 0
        self.folded, self.found = set(), []
        self.is_published = False

    @contextlib.contextmanager
    def lock(self):
        """Keeps a second run out of the same folder."""
        self.work.mkdir(parents=True, exist_ok=True)
        with open(self.work / "lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def catalogue(self, module):
        return next((self.root / "Sources").glob(f"*/{module}"), self.root) / f"{module}.docc"

    def archive(self, module, folder="archives"):
        return self.work / folder / f"{module}.doccarchive"

    def graphs(self, module):
        """The descriptions of a module's symbols: the module that they extend, if it's another one, and the file."""
        for file in sorted((self.work / "graphs" / module).glob("*.symbols.json")):
            yield (file.name.split(".")[0].split("@") + [None])[1], file

    def build(self):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(self.extract, self.modules))
            for part, whole in PARTS.items():
                if part in self.modules:
                    self.fold(part, whole)
                    self.modules.remove(part)
            self.modules = [module for module in self.modules if self.is_public(module)]
            for module in self.modules:
                for extended, file in self.graphs(module):
                    self.names.add_graph(module, extended, json.loads(file.read_text())["symbols"])
                pages = self.catalogue(module).rglob("*.md")
                self.names.add_articles(module, (page.stem for page in pages if not is_of_symbol(page.read_text())))
            keys = dict(zip(self.modules, pool.map(self.stage, self.modules)))
            # What links may point to is known after each module was converted alone. Then all links are checked.
            list(pool.map(lambda module: self.describe(module, keys), self.modules))
            failures = [text for text in pool.map(lambda module: self.convert(module, keys), self.modules) if text]
        if failures:
            raise Failure("docc reports:\n" + "\n".join(failures))
        digest = hashlib.sha256(b"".join(file.read_bytes() for file in OWN))
        for module in self.modules:
            digest.update(self.archive(module).with_suffix(".key").read_bytes())
        self.key = digest.hexdigest()
        self.is_published = self.is_current(self.output, self.key, self.work / "site.key")
        if not self.is_published:
            self.merge()

    # MARK: - The parts

    def is_public(self, module):
        """Whether a module has public API, which then needs a catalogue."""
        has_symbols = any(json.loads(file.read_text())["symbols"] for _, file in self.graphs(module))
        catalogue = self.catalogue(module)
        if not has_symbols and not IS_WHOLE:
            return False
        if has_symbols != catalogue.is_dir():
            what = "has public API, but no catalogue" if has_symbols else "has no public API, but the catalogue"
            raise Failure(f"{module} {what} {catalogue.relative_to(self.root)}")
        return has_symbols

    def extract(self, module):
        """Reads a module's public symbols from the build."""
        folder = self.work / "graphs" / module
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        maps = [f"-fmodule-map-file={file}" for file in sorted((self.root / "Sources").glob("*/*/module.modulemap"))]
        options = [part for file in maps for part in ("-Xcc", file)]
        if shutil.which("xcrun"):
            options += ["-sdk", run("xcrun", "--show-sdk-path").strip()]
        target = json.loads(run("swiftc", "-print-target-info"))["target"]["triple"]
        run(
            *("swift", "symbolgraph-extract", "-module-name", module, "-I", self.products, "-target", target),
            *("-output-dir", folder, "-minimum-access-level", "public"),
            *("-skip-synthesized-members", "-skip-protocol-implementations", "-emit-extension-block-symbols"),
            *options,
        )

    def fold(self, part, whole):
        """Makes the symbols of a module without a product those of the module that exports it."""
        graphs = self.work / "graphs"
        for file in sorted((graphs / part).glob("*.symbols.json")):
            into(graphs / whole / file.name.replace(part, whole, 1), json.loads(file.read_text()))
            file.unlink()
        # What the whole adds to the part's types is a member of them, and no extension of another module.
        added = graphs / whole / f"{whole}@{part}.symbols.json"
        if added.is_file():
            into(graphs / whole / f"{whole}.symbols.json", without_extensions(json.loads(added.read_text())))
            added.unlink()

    def stage(self, module):
        """Copies what docc reads, with links spelled out; returns a digest of it."""
        folder = self.work / "staged" / module
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.catalogue(module), folder / f"{module}.docc")
        for page in folder.rglob("*.md"):
            page.write_text(self.names.document(page.read_text(), module))
        (folder / "graphs").mkdir()
        for _, file in self.graphs(module):
            graph = without_machinery(json.loads(file.read_text()))
            summarize_extensions(graph["symbols"])
            for symbol in graph["symbols"]:
                self.names.comment(symbol, module)
            said = [item for item in graph["relationships"] if item["target"] not in UNSAID]
            # The compiler writes both in an order that changes from run to run.
            graph["relationships"] = sorted(said, key=json.dumps)
            graph["symbols"].sort(key=lambda symbol: symbol["identifier"]["precise"])
            (folder / "graphs" / file.name).write_text(json.dumps(graph, sort_keys=True))
        digest = hashlib.sha256(json.dumps([FLAGS, os.stat(tool("docc")).st_mtime]).encode())
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            digest.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes())
        return digest.hexdigest()

    def needs(self, module):
        """The other modules to which a module's pages and declarations link."""
        folder = self.work / "staged" / module
        text = "".join(file.read_text() for file in folder.rglob("*") if file.suffix in (".md", ".json"))
        linked = set(re.findall(r"(?:``|<doc:)/(\w+)", text))
        # Declarations name types by their mangled names, in which a length precedes the module.
        linked |= {PARTS.get(name, name) for name in (*self.modules, *PARTS) if f"s:{len(name)}{name}" in text}
        return sorted(linked & set(self.modules) - {module})

    def describe(self, module, keys):
        """Converts a module for the links to it; its own to others aren't found yet."""
        archive = self.archive(module, "alone")
        if self.is_current(archive, keys[module]):
            return
        _, output = self.docc(module, archive, [])
        if not (archive / "linkable-entities.json").is_file():
            raise Failure(f"docc failed for {module}:\n{output}")
        self.mark(archive, keys[module])

    def convert(self, module, keys):
        """Converts a module for the site; returns what docc has to say of it."""
        needs = self.needs(module)
        key = hashlib.sha256("".join(keys[name] for name in [module, *needs]).encode()).hexdigest()
        archive = self.archive(module)
        if self.is_current(archive, key):
            return None
        self.made += 1
        options = [part for need in needs for part in ("--dependency", self.archive(need, "alone"))]
        status, output = self.docc(module, archive, [*options, *(["--warnings-as-errors"] if IS_WHOLE else [])])
        if status:
            return output or f"docc failed for {module} with status {status}"
        self.mark(archive, key)
        return None

    def docc(self, module, archive, options):
        folder = self.work / "staged" / module
        archive.parent.mkdir(parents=True, exist_ok=True)
        # The pages get no content of their own: writing that crashes docc now and then, in FoundationXML.
        command = [
            *(tool("docc"), "convert", folder / f"{module}.docc"),
            *("--additional-symbol-graph-dir", folder / "graphs", "--output-path", archive),
            *("--fallback-display-name", module, "--fallback-bundle-identifier", f"{PREFIX}.{module}"),
            *("--fallback-default-module-kind", "Module", "--no-transform-for-static-hosting", *FLAGS, *options),
        ]
        for _ in range(TRIES):
            shutil.rmtree(archive, ignore_errors=True)
            result = subprocess.run(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            # A signal is a crash of docc's own, which the same input does not repeat.
            if result.returncode >= 0:
                break
        if result.returncode < 0:
            raise Failure(f"docc crashed {TRIES} times for {module} (signal {-result.returncode}):\n{result.stdout}")
        own = self.catalogue(module).parent.relative_to(self.root)
        return result.returncode, result.stdout.replace(f"{folder}/", f"{own}/").rstrip()

    def is_current(self, archive, key, mark=None):
        mark = mark or archive.with_suffix(".key")
        return archive.is_dir() and mark.is_file() and mark.read_text() == key

    def mark(self, archive, key):
        archive.with_suffix(".key").write_text(key)

    def merge(self):
        shutil.rmtree(self.merged, ignore_errors=True)
        run(
            *(tool("docc"), "merge", *(self.archive(module) for module in self.modules)),
            *("--output-path", self.merged, *landing.OPTIONS),
        )
        # Once for all pages, each of which gets a file of HTML.
        run(tool("docc"), "process-archive", "transform-for-static-hosting", self.merged)
        joined.join(self.merged, landing.NAME)
        landing.finish(self.merged)
        self.folded, _ = folded.fold(self.merged)
        catalogues = [(module, self.articles(module)) for module in self.modules]
        words = {page.stem.lower(): search_words(page.read_text()) for _, pages in catalogues for page in pages}
        self.found = search.write(self.merged, words)
        texts.write(self.merged, catalogues, landing.NAME, landing.SUMMARY)

    def articles(self, module):
        """The page of a module, and its articles."""
        pages = self.catalogue(module).rglob("*.md")
        return sorted(page for page in pages if page.stem == module or not is_of_symbol(page.read_text()))

    def publish(self):
        """Puts the site in its place at once, so that a server never has half of it."""
        mark, old = self.work / "site.key", self.work / "old"
        mark.unlink(missing_ok=True)
        shutil.rmtree(old, ignore_errors=True)
        if self.output.exists():
            self.output.rename(old)
        self.merged.rename(self.output)
        mark.write_text(self.key)
        shutil.rmtree(old, ignore_errors=True)

    def summary(self):
        pages = sum(1 for _ in (self.output / "data").rglob("*.json"))
        seconds = time.monotonic() - self.seconds
        made = f"{self.made} of {len(self.modules)} modules were converted"
        return f"{self.output.name} has {pages} pages; {made}; after {seconds:.0f} s"
