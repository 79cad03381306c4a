import Foundation
import HikyakuGenerate
import HikyakuOpenAPI
import Testing

@testable import HikyakuCommand

/// `hikyaku model` and `hikyaku request`, as their users run them.
final class SampleCommandTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    // MARK: model

    @Test func modelWritesAFileThatIsNamedAfterTheSample() async throws {
        let sample = try write(#"[{"a_b":1},{"a_b":2,"c":null}]"#, to: "blog-posts.json")
        try await HikyakuCommand.run(["model", sample, "--quiet", "--output", path("Post.swift")])
        let written = try text("Post.swift")
        #expect(written.contains("struct BlogPost: ") && written.contains("var aB: Int\n"))
    }

    @Test func modelTakesSeveralSamplesAndOptions() async throws {
        let one = try write(#"{"at":"2026-11-21","x":1}"#, to: "1.json")
        let other = try write(#"{"at":"2026-11-22"}"#, to: "2.json")
        try await HikyakuCommand.run([
            "model", one, other, "--name=Item", "--access", "public", "--type-map", "date=Day", "--rename", "Item.x=y",
            "--direct", "--quiet", "--output", path("Item.swift"),
        ])
        let written = try text("Item.swift")
        #expect(written.contains("public struct Item: JSONModel {"))
        #expect(written.contains("public var at: Day\n") && written.contains("public var y: Int?\n"))
    }

    @Test func aFileThatIsThereIsReplacedOnlyByForce() async throws {
        let sample = try write(#"{"a":1}"#, to: "item.json")
        let output = try write("// mine\n", to: "Item.swift")
        let failure = await #expect(throws: CommandFailure.self) {
            try await HikyakuCommand.run(["model", sample, "--output", output])
        }
        let expected = "\(output) exists, and may have been changed by hand: move it, or use --force"
        #expect(failure?.message == expected && failure?.status == .failure)
        #expect(try text("Item.swift") == "// mine\n")
        try await HikyakuCommand.run(["model", sample, "--output", output, "--force", "--quiet"])
        #expect(try text("Item.swift").contains("struct Item"))
    }

    @Test func whatCannotBeReadIsAFailure() async throws {
        let broken = try write("{\"a\":\n", to: "broken.json")
        let output = path("Out.swift")
        for (sample, message) in [
            (path("missing.json"), "can't be read: there is no such file"),
            (folder.path, "can't be read: it is a folder"),
            (broken, ":2:1: error: this is not JSON: the document ends too early"),
        ] {
            let failure = await #expect(throws: CommandFailure.self) {
                try await HikyakuCommand.run(["model", sample, "--name", "Item", "--output", output])
            }
            #expect(failure?.message == sample + (message.hasPrefix(":") ? "" : " ") + message)
            #expect(failure?.status == .failure)
        }
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test(arguments: [
        ([], "a sample is missing: 'hikyaku model item.json --name Item'; '-' is standard input"),
        (["-"], "--name is missing: the name of the model, such as --name Item"),
        (["1.json"], "--name is missing: the name of the model, such as --name Item"),
        (["-", "-", "--name", "A"], "standard input can be read only once"),
        (["a.json", "--access", "open"], "--access takes internal, package or public, not open"),
        (["a.json", "--rename", "a"], "--rename takes NAME=NAME, not a"),
        (["a.json", "--type-map", "a=1"], "--type-map takes a type of Swift, not 1"),
        (["a.json", "--nam", "A", "--colour"], "there is no option --colour"),
    ])
    func modelRejectsInvalidArguments(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try ModelOptions(words) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.hasSuffix("\n'hikyaku model --help' lists the commands and options.") == true)
    }

    @Test func modelSaysWhatABetterSampleWouldShow() throws {
        let options = try ModelOptions(["items.json", "--output", "Item.swift"])
        let file = SampleFile(path: "items.json", bytes: Array(#"{"1":{"a":null},"2":{"a":null}}"#.utf8))
        let result = try ModelInference(name: options.name).models(of: [file])
        #expect(
            ModelProgram.summary(of: result, options).text == """
                items.json:1:11: warning: 'a' is null in each sample; it is a JSONValue; a sample with a value shows its type
                Each sample is a [String: Item].
                Item.swift: 1 type, inferred from 1 sample.

                """
        )
    }

    // MARK: request

    @Test func requestWritesTheCodeOfALine() async throws {
        let sample = try write(#"[{"id":1}]"#, to: "items.json")
        let line = "curl 'https://shop.example/v1/items?page=1' -H 'Authorization: Bearer planted'"
        try await HikyakuCommand.run([
            "request", line, "--response", sample, "--name", "Items", "--quiet", "--output", path("Items.swift"),
        ])
        let written = try text("Items.swift")
        #expect(written.contains("struct Items: APIRequest {\n    typealias Response = [Item]\n"))
        #expect(!written.contains("planted"))
    }

    @Test(arguments: [
        (["curl -X POST x.example"], RequestOptions.Line.text("curl -X POST x.example")),
        (["-"], .standardInput),
        (["--", "curl", "-X", "POST", "x.example"], .words(["curl", "-X", "POST", "x.example"])),
        (["curl", "-X", "POST", "--name", "x.example"], .words(["curl", "-X", "POST", "--name", "x.example"])),
        (["--name", "Items", "curl", "-I", "x.example"], .words(["curl", "-I", "x.example"])),
        (["--direct", "curl", "-I", "x.example"], .words(["curl", "-I", "x.example"])),
    ])
    func aLineMayBeATextOrWords(words: [String], line: RequestOptions.Line) throws {
        #expect(try RequestOptions(words).line == line)
    }

    @Test(arguments: [
        ([], "a cURL line is missing"), (["-", "--response", "-"], "standard input can be read only once"),
        (["curl x", "--name", "items"], "--name takes the name of a type of Swift"),
        (["curl x", "--environment", "my shop"], "--environment takes the name of a member of APIEnvironment"),
        (["curl x", "--response-name", "String"], "--response-name takes the name of a type of Swift"),
        (["curl x", "--colour"], "there is no option --colour"),
    ])
    func requestRejectsInvalidArguments(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try RequestOptions(words) }
        #expect(failure?.status == .usage && failure?.message.hasPrefix(message) == true)
    }

    /// A line of a stranger may name a pipe, whose end never comes, or a device.
    @Test func aLineReadsNoFileButARegularOne() async throws {
        let pipe = path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let body = try write(#"{"a":1}"#, to: "body.json")
        for file in [pipe, "/dev/zero", "//dev/stdin", "/proc/self/environ", "-", body + "\0zzz", folder.path] {
            #expect(throws: CommandFailure.self) { try SampleReading.bodyFile(file) }
        }
        #expect(try SampleReading.bodyFile(body) == Array(#"{"a":1}"#.utf8))
        let line = "curl https://x.example/a -d @\(pipe)"
        try await HikyakuCommand.run(["request", line, "--quiet", "--output", path("R.swift")])
        #expect(try text("R.swift").contains("APIRequest"))
    }

    @Test func requestSaysHowTheClientIsAuthorized() throws {
        let options = try RequestOptions(["curl -k https://x.example/a -u a:b", "--output", "A.swift"])
        let result = try RequestInference().request(line: "curl -k https://x.example/a -u a:b")
        #expect(
            RequestProgram.summary(of: result, options).text == """
                hikyaku request: warning: -k is left out; certificates are checked; see TLSOptions for trusting one of your own
                hikyaku request: warning: there is no sample of the response; it is a JSONValue; --response gives it a model
                The credential of the line is not in the code. Authorize a client instead:
                    let authorized = APIClient().authorized(by: .basic(user: user, password: password), for: .x)
                A.swift: the request GetA.

                """
        )
    }

    /// An editor can open a file; nothing else of these warnings is one.
    @Test func warningsBeginWithTheFileOrTheCommand() throws {
        let line = #"curl https://x.example/a -H 'Accept: application/json' -d '{"a":null}'"#
        let options = try RequestOptions([line, "--response", "r.json"])
        let response = SampleFile(path: "r.json", bytes: Array(#"{"b":null,"c":1}"#.utf8))
        let result = try RequestInference(options.choices).request(line: line, responses: [response])
        let lines = RequestProgram.summary(of: result, options).text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("r.json:1:6: warning: 'b' is null") }, "\(lines)")
        let others = lines.filter { !$0.hasPrefix("r.json:") }
        #expect(others.count > 1 && others.allSatisfy { $0.hasPrefix("hikyaku request: ") }, "\(lines)")
        let input = SampleFile(path: "standard input", bytes: response.bytes)
        let model = try ModelOptions(["-", "--name", "Item"])
        let summary = ModelProgram.summary(of: try ModelInference(name: "Item").models(of: [input]), model).text
        #expect(summary.hasPrefix("hikyaku model: standard input:1:6: warning: 'b' is null"), "\(summary)")
    }

    @Test(arguments: [ModelProgram.help, RequestProgram.help])
    func helpFitsATerminal(text: String) {
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
