import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct DownloadOptionsTests {
    @Test func readsEveryOption() throws {
        let digest = String(repeating: "aF", count: 32)
        let words = [
            "--output", "a.zip", "--sha256=\(digest)", "--header", "Accept: text/csv", "--header=X-Empty:", "--quiet",
            "https://a.example:8443/b/c.zip?d=e",
        ]
        let options = try DownloadOptions(words)
        #expect(options.url.absoluteString == "https://a.example:8443/b/c.zip?d=e")
        #expect(options.output == "a.zip" && options.sha256 == digest && options.isQuiet)
        #expect(options.fields == [.init(name: "Accept", value: "text/csv"), .init(name: "X-Empty", value: "")])
        #expect(try DownloadOptions(["--help"]).showsHelp)
    }

    @Test(arguments: [
        ("http://a.example/b/c.zip", "c.zip"), ("https://a.example/%E9%A3%9B%E8%84%9A.txt?x=/y", "飛脚.txt"),
        ("https://a.example/a%20b", "a b"),
    ])
    func theFileHasTheNameInTheURL(url: String, name: String) throws {
        #expect(try DownloadOptions([url]).output == name)
    }

    @Test(arguments: [
        "https://a.example", "https://a.example/", "https://a.example/b/", "https://a.example/..%2fetc",
        "https://a.example/%2e%2e", "https://a.example/a%00b", "https://a.example/a%0Ab",
    ])
    func aURLWithoutANameNeedsAnOutput(url: String) {
        let failure = #expect(throws: CommandFailure.self) { try DownloadOptions([url]) }
        #expect(failure?.message.contains("--output") == true && failure?.status == .usage)
    }

    @Test(arguments: [
        ([], "a URL is missing"), (["ftp://a.example/b"], "http"), (["nonsense"], "http"), (["https:///b"], "http"),
        (["https://user:secret@a.example/b"], "user name"), (["https://a.example/b", "c"], "unexpected"),
        (["--sha256", "12", "https://a.example/b"], "64"),
        (["--header", "a b", "https://a.example/b"], "Name: value"),
        (["--header", ": x", "https://a.example/b"], "Name: value"),
        (["--quiet=1", "https://a.example/b"], "no value"),
        (["--bar", "https://a.example/b"], "no option"), (["--output", "", "https://a.example/b"], "empty"),
    ])
    func rejectsInvalidWords(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try DownloadOptions(words) }
        #expect(failure?.message.contains(message) == true && failure?.status == .usage)
        #expect(failure?.message.contains("secret") == false)
    }
}
