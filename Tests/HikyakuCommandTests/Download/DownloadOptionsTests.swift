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
        #expect(!options.replaces)
        #expect(try DownloadOptions(["--force", "https://a.example/b"]).replaces)
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
        ("http://[::1]:8080/b", "http://[::1]:8080"), ("https://[2001:DB8::1]/b", "https://[2001:db8::1]"),
        ("HTTPS://A.example:443/b?c", "https://a.example"),
    ])
    func theHostMayBeAnAddress(url: String, base: String) throws {
        let options = try DownloadOptions([url])
        #expect(try FileOfURL(options, .temporary).environment.baseURL == base)
        #expect(options.output == "b")
    }

    @Test(arguments: [
        "https://a.example", "https://a.example/", "https://a.example/b/", "https://a.example/..%2fetc",
        "https://a.example/%2e%2e", "https://a.example/a%00b", "https://a.example/a%0Ab",
        "https://a.example/.bashrc", "https://a.example/%2ebashrc?x", "https://a.example/.", "https://a.example/...",
        "https://a.example/a%E2%80%AEtxt.exe", "https://a.example/a%E2%80%A8b",
    ])
    func aURLWithoutANameNeedsAnOutput(url: String) {
        let failure = #expect(throws: CommandFailure.self) { try DownloadOptions([url]) }
        #expect(failure?.message.contains("--output") == true && failure?.status == .usage)
    }

    @Test(arguments: [
        ([], "a URL is missing"), (["ftp://a.example/b"], "http"), (["nonsense"], "http"),
        (["https:///b"], "its host"),
        (["https://user:secret@a.example/b"], "user name"), (["https://a.example/b", "c"], "unexpected"),
        (["--sha256", "12", "https://a.example/b"], "64"),
        (["--header", "a b", "https://a.example/b"], "Name: value"),
        (["--header", ": x", "https://a.example/b"], "Name: value"),
        (["--quiet=1", "https://a.example/b"], "no value"),
        (["https://.example/b"], "its host"), (["https://a..example/b"], "its host"),
        (["https://[::1"], "its host"),
        (["--output", "a\0b", "https://a.example/b"], "a NUL"), (["https://a.example/b\0"], "a NUL"),
        (["--bar", "https://a.example/b"], "no option"), (["--output", "", "https://a.example/b"], "empty"),
    ])
    func rejectsInvalidWords(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try DownloadOptions(words) }
        #expect(failure?.message.contains(message) == true && failure?.status == .usage)
        #expect(failure?.message.contains("secret") == false)
    }
}
