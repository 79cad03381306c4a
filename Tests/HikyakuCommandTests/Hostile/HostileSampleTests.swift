#if os(Linux)
import Foundation
import TestSupport
import Testing

/// What `hikyaku model`, `request` and `download` print of what they are given has no control characters and nothing
/// that can't be seen, and what they write has no code of it: the program itself is run.
@Suite(.timeLimit(.minutes(Effort.isFull ? 300 : 60)))
final class HostileSampleTests {
    private let program: BuiltProgram
    private let folder: URL

    init() throws {
        program = try BuiltProgram("hikyaku-cli")
        folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let payloads = (Payload.all + ShownText.payloads)
        .filter { !$0.text.contains("\0") && $0.text.utf8.count < 2_000 }

    private static var someTexts: [Payload] { PlaceSearch.some(4, of: payloads) }

    /// Runs the program, and says what is wrong with what it printed.
    private func faults(_ words: [String], isCode: Bool = true) throws -> [String] {
        let output = try program.run(words, in: folder)
        var faults = ShownText.faults(of: output.errors)
        if output.status == 0, isCode { faults += CodeCheck([("Out.swift", output.text)]).faults }
        if output.status > 2 { faults.append("status \(output.status)") }
        return faults.map { "\(words.map(\.debugDescription).joined(separator: " ").prefix(300)): \($0)" }
    }

    private func expectNothing(_ found: [String]) {
        if !found.isEmpty { Issue.record("\(ShownText.report(found))") }
    }

    @Test func samplesWithHostileKeysAndValues() throws {
        var found: [String] = []
        for payload in Self.someTexts {
            var key: [UInt8] = []
            JSONTree.write("a" + payload.text, to: &key)
            let text = String(decoding: key, as: UTF8.self)
            let samples = [
                "[{\(text):1},{\(text):\"b\"}]", "[{\"a\":\(text)},{\"a\":\(text)},{\"a\":\"b\"},{\"a\":\"b\"}]",
                "{\(text):{\(text):[]}}", "{\(text):1,\(text):2}", "{\"a\":\(payload.text)}", "{\"a\(payload.text)",
            ]
            for sample in samples {
                try Data(sample.utf8).write(to: folder.appending(path: "item.json"))
                for options in [["--access", "public"], ["--direct", "--access", "package"]] {
                    found += try faults(["model", "item.json"] + options)
                }
                found += try faults(["request", "curl https://a.example/b", "--response", "item.json"])
            }
        }
        expectNothing(found)
    }

    @Test func hostileWordsOfModel() throws {
        try Data(#"{"a":1,"day":"2026-01-01"}"#.utf8).write(to: folder.appending(path: "item.json"))
        var found: [String] = []
        for text in Self.someTexts.map(\.text) {
            for words in [
                ["--name", "A" + text], ["--type-map", "date=A" + text], ["--rename", "Item.a=a" + text],
                ["--access", "public" + text], ["--closed-enums", text], ["--output", "./none/" + text],
                ["--direct" + text], ["-d" + text], ["--type-map", text], ["no" + text + ".json"],
            ] {
                found += try faults(["model", "item.json"] + words)
            }
        }
        expectNothing(found)
    }

    @Test func hostileFilesOfSamples() throws {
        var found: [String] = []
        for text in Self.someTexts.map(\.text) where !text.contains("/") && text.utf8.count < 200 {
            let name = "./item" + text + ".json"
            try Data(#"[{"a":1},{"a":"b"}]"#.utf8).write(to: folder.appending(path: name))
            found += try faults(["model", name])
            found += try faults(["model", name, "--name", "Item", "--output", "./Out\(text).swift", "--force"])
            found += try faults(["request", "curl https://a.example -T '\(name)'", "--response", name])
        }
        expectNothing(found)
    }

    @Test func hostileWordsOfRequest() throws {
        var found: [String] = []
        for text in Self.someTexts.map(\.text) {
            for words in [
                ["https://a.example/b" + text], ["https://a.example/b?c" + text + "=d"], ["https://a" + text],
                ["-X", "PUT" + text, "https://a.example"], ["-H", "X-A" + text + ": b", "https://a.example"],
                ["-d", "a" + text + "=b", "https://a.example"], ["-d", "@no" + text, "https://a.example"],
                ["--no" + text, "https://a.example"], ["-F", "a" + text + "=b", "https://a.example"],
                ["-F", "a=@b;type=c/d" + text, "https://a.example"], ["-b", "a" + text + "=b", "https://a.example"],
                ["-H", "Content-Type: a/b" + text, "-d", "c", "https://a.example"],
                ["-o", text, "https://a.example"], ["-u", "a" + text, "https://a.example"],
            ] {
                found += try faults(["request", "--access", "public", "curl"] + words)
                found += try faults(["request", "--direct", (["curl"] + words).joined(separator: " ")])
            }
            for words in [["--name", "A" + text], ["--environment", "a" + text], ["--response-name", "A" + text]] {
                found += try faults(["request"] + words + ["curl https://a.example"])
            }
        }
        expectNothing(found)
    }

    @Test func hostileWordsOfOtherCommands() throws {
        var found: [String] = []
        for text in Self.someTexts.map(\.text) {
            for words in [
                ["a" + text], ["--a" + text], ["help", "a" + text], ["catalogue", "--package", "./no" + text],
                ["catalogue", "--format", "html" + text], ["catalogue", "--output", "./no/" + text],
                ["download", "no" + text], ["download", "https://127.0.0.1:1/" + text, "--sha256", "a" + text],
                ["download", "http://127.0.0.1:1/a", "--output", "./no" + text + "/a"],
                ["download", "https://127.0.0.1:1/a", "--header", "a" + text], ["download", "--output" + text, "a"],
            ] {
                found += try faults(words, isCode: false)
            }
        }
        expectNothing(found)
    }
}
#endif
