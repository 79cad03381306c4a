import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct CatalogueOptionsTests {
    @Test
    func readsEveryOption() throws {
        let words = [
            "--package", "shop", "--target=App", "--target", "Core", "--format", "json", "--output", "page.html",
            "--scratch-path", "build", "--source-url", "https://host/{path}#L{line}", "--strict",
        ]
        let options = try CatalogueOptions(words)
        #expect(options.package == "shop")
        #expect(options.targets == ["App", "Core"])
        #expect(options.format == .json)
        #expect(options.output == "page.html")
        #expect(options.scratchPath == "build")
        #expect(options.sourceLinks?.address(of: "a/b.swift", line: 7) == "https://host/a/b.swift#L7")
        #expect(options.isStrict)
        #expect(!options.showsHelp)
    }

    @Test
    func usesTheCurrentPackageAndStandardOutputByDefault() throws {
        let options = try CatalogueOptions([])
        #expect(options.package == ".")
        #expect(options.targets.isEmpty)
        #expect(options.format == .html)
        #expect(options.output == nil)
        #expect(options.scratchPath == nil)
        #expect(!options.isStrict)
    }

    @Test(arguments: [
        ("page.md", CatalogueOptions.Format.markdown), ("page.markdown", .markdown), ("a.b/page.JSON", .json),
        ("page.html", .html), ("page", .html), ("page.txt", .html),
    ])
    func takesTheFormatFromTheFilesName(name: String, format: CatalogueOptions.Format) throws {
        #expect(try CatalogueOptions(["--output", name]).format == format)
    }

    @Test
    func acceptsADashForStandardOutput() throws {
        #expect(try CatalogueOptions(["--output", "-"]).output == nil)
    }

    @Test(arguments: ["--help", "-h"])
    func showsHelpWithAnyOtherArguments(word: String) throws {
        #expect(try CatalogueOptions(["--format", "html", word]).showsHelp)
    }

    @Test(arguments: [
        (["--colour"], "there is no option --colour"),
        (["--colour=red"], "there is no option --colour"),
        (["-x"], "there is no option -x"),
        (["--package"], "--package needs a value"),
        (["--strict=yes"], "--strict takes no value"),
        (["--stirct"], "there is no option --stirct: did you mean --strict?"),
        (["--help=yes"], "--help takes no value"),
        (["--format", "pdf"], "--format takes html, markdown or json, not pdf"),
        (["--format", "htlm"], "--format takes html, markdown or json, not htlm: did you mean html?"),
        (["--format=JSON"], "--format takes html, markdown or json, not JSON: did you mean json?"),
        (["--format=md"], "--format takes html, markdown or json, not md"),
        (["--outptu", "a"], "there is no option --outptu: did you mean --output?"),
        (["--outptu=a"], "there is no option --outptu: did you mean --output?"),
        (["--hlep"], "there is no option --hlep: did you mean --help?"),
        (["--scratchpath", "a"], "there is no option --scratchpath: did you mean --scratch-path?"),
        (["-output", "a"], "there is no option -output: did you mean --output?"),
        (["-ouptut=a"], "there is no option -ouptut: did you mean --output?"),
        (["-help"], "there is no option -help: did you mean --help?"),
        (["--s", "a"], "--s is the beginning of several options: --source-url, --scratch-path, --strict"),
        (
            ["--source-url", "https://host/{paht}"],
            "--source-url has {path} and {line}, not {paht}: did you mean {path}?",
        ),
        (["--package", "a", "--package", "b"], "--package is used twice"),
        (["--output", ""], "--output has an empty value"),
        (["--target", ""], "--target has an empty value"),
        (["shop"], "shop is an unexpected argument; use --package for a folder"),
        (["--", "--help"], "--help is an unexpected argument; use --package for a folder"),
        (["--pack"], "--pack needs a value"),
        (["--p=a", "-hx"], "there is no option -x"),
        (["--=a"], "there is no option --"),
        (["--format=\u{301}"], "--format takes html, markdown or json, not \u{301}"),
    ])
    func rejectsInvalidArguments(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try CatalogueOptions(words) }
        #expect(failure?.status == .usage)
        #expect(failure?.message == message + "\n'hikyaku catalogue --help' lists the commands and options.")
    }
}
