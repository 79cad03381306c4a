"""Plants mistakes in a small site, and expects the checks to find each."""

import json
import shutil

import build
import check

BASE = """
/// A message.
public struct Message {
    /// Its text.
    public var text = ""
    /// Makes an empty one.
    public init() {}
}
/// What sends messages.
public protocol Sender {}
"""
CLIENT = """
public import Base
/// Sends a ``Message``, as the text of ``Message/text`` is.
public struct Client: Sender {
    /// Makes a client.
    public init() {}
"""
for number in range(7):
    CLIENT += f"    /// Sends {number}.\n    public func send{number}(_ message: Message) {{}}\n"
CLIENT += "}\n"
PAGES = {
    "Base/Base.docc/Base.md": "# ``Base``\n\nMessages.\n\n## Topics\n\n### All\n- ``Message``\n- ``Sender``\n",
    "Planted/Planted.docc/Planted.md": "# ``Planted``\n\nA client of ``Base``.\n\n## Topics\n\n### All\n"
    "- <doc:Guide>\n- ``Client``\n",
    "Planted/Planted.docc/Guide.md": "# Guide\n\nHow to send.\n\n## Overview\n\n"
    "A ``Message`` has a ``Message/text``.\n\n![A picture](picture.svg)\n",
    "Planted/Planted.docc/picture.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    "Planted/Planted.docc/Client.md": "# ``Planted/Client``\n\n## Topics\n\n### All\n- ``init()``\n"
    + "".join(f"- ``send{number}(_:)``\n" for number in range(7)),
}
# What is changed in a catalogue: the file, a text in it, what takes its place, and what must be said of that.
IN_CATALOGUES = [
    ("Planted.md", "- ``Client``\n", "", "no topic group of its page has Client"),
    ("Client.md", "- ``send3(_:)``\n", "", "no topic group of its page has send3(_:)"),
    ("Guide.md", "How to send.\n", "", "/documentation/planted/guide: has no summary"),
    ("Guide.md", "``Message/text``", "``Message/title``", "'title' doesn't exist at '/Base/Message'"),
    ("Guide.md", "``Message``", "``Massage``", "'Massage' doesn't exist"),
    ("Planted.md", "<doc:Guide>", "<doc:Guides>", "'Guides' doesn't exist"),
    ("Guide.md", "picture.svg", "painting.svg", "'painting.svg' couldn't be found"),
]
UNRESOLVED = '{"type": "unresolvable", "title": "Base.Sender"}'
GUIDE = "data/documentation/planted/guide.json"
# What is changed in the site: the file, a function of its content (nothing removes it), and what must be said of that.
IN_SITE = [
    ("data/documentation/base/message.json", None, "Base: Message has no page"),
    ("data/documentation/base/message.json", None, "guide: links to /documentation/base/message, which is not"),
    ("data/documentation/base/message.json", None, "the sidebar links to /documentation/base/message"),
    ("documentation/planted/guide/index.html", None, "/documentation/planted/guide: has no index.html"),
    ("images/hikyaku.Planted/picture.svg", None, "guide: shows /images/hikyaku.Planted/picture.svg, which is not"),
    ("favicon.ico", None, "loads /favicon.ico, which is not on the site"),
    (GUIDE, lambda text: text.replace('"url":"/documentation/base/message"', '"url":"/documentation/base/message#a"'),
     "guide: links to /documentation/base/message#a"),
    (GUIDE, lambda text: json.dumps({**json.loads(text), "references": {}}), "guide: refers to doc://hikyaku.Base"),
    ("data/documentation/planted/client.json",
     lambda text: text.replace('"references":{', '"references": {"x": ' + UNRESOLVED + ","),
     "client: links to Base.Sender, which is not"),
]


class Planted:
    """A package of two modules in a folder of its own."""

    def __init__(self, folder):
        self.root, self.products = folder / "package", folder / "products"
        self.work, self.output = folder / "work", folder / "out"
        self.products.mkdir()
        for name, source in [("Base", BASE), ("Planted", CLIENT)]:
            (self.root / "Sources/Wing" / name / f"{name}.docc").mkdir(parents=True)
            file = self.root / "Sources/Wing" / name / f"{name}.swift"
            file.write_text(source)
            made = self.products / f"{name}.swiftmodule"
            build.run(
                *("swiftc", "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", name),
                *("-I", self.products, "-emit-module-path", made, file),
            )
        for name, text in PAGES.items():
            (self.root / "Sources/Wing" / name).write_text(text)

    def problems(self):
        """What is said of the package as it is now."""
        self.site = build.Site(self.root, ["Base", "Planted"], self.work, self.output, self.products)
        try:
            self.site.build()
        except build.Failure as failure:
            return [str(failure)]
        return check.problems(self.site)


def expect(wanted, found):
    if not any(wanted in problem for problem in found):
        raise build.Failure(f"does not find “{wanted}”, but: {found or 'nothing'}")


def test(folder):
    package = Planted(folder)
    if found := package.problems():
        raise build.Failure(f"finds what is not there: {found}")
    page = json.loads((package.site.merged / "data/documentation/planted/client.json").read_text())
    if "doc://hikyaku.Base/documentation/Base/Sender" not in page["relationshipsSections"][0]["identifiers"]:
        raise build.Failure("does not link a protocol of another module")
    for name, change, wanted in IN_SITE:
        file = package.site.merged / name
        before = file.read_bytes()
        if change:
            file.write_text(change(before.decode()))
        else:
            file.unlink()
        expect(wanted, check.problems(package.site))
        file.write_bytes(before)
    check.SEARCHES["zebra"] = "guide"
    expect("the search for “zebra” doesn't find guide", check.problems(package.site))
    check.SEARCHES["zebra"], check.PAGES_MAX = "gone", 2
    expect("and may have 2", check.problems(package.site))
    if not (package.site.merged / "llms-full.txt").read_text().count("How to send."):
        raise build.Failure("does not write the articles as one text")
    manifest = package.root / ".spi.yml"
    manifest.write_text("- Base\n- Planted\n")
    if found := [*build.package_index_problems(package.site)]:
        raise build.Failure(f"finds what is not there: {found}")
    manifest.write_text("- Base\n- Gone\n")
    del check.SEARCHES["zebra"]
    check.PAGES_MAX = 1500
    expect(".spi.yml does not mention Planted", [*build.package_index_problems(package.site)])
    expect(".spi.yml names Gone", [*build.package_index_problems(package.site)])
    for name, old, new, wanted in IN_CATALOGUES:
        file = package.root / "Sources/Wing/Planted/Planted.docc" / name
        before = file.read_text()
        file.write_text(before.replace(old, new))
        expect(wanted, package.problems())
        file.write_text(before)
    shutil.rmtree(package.root / "Sources/Wing/Planted/Planted.docc")
    expect("Planted has public API, but no catalogue", package.problems())
    print("docs: finds what is planted")
