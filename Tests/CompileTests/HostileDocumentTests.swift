#if os(Linux) && YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// A document in which each name and each description tries to become code, compiled and run.
@Suite(.timeLimit(.minutes(10)))
struct HostileDocumentTests {
    private static let documents = Effort.some(["places-3.1.yaml", "places-2.0.yaml", "places-3.2.yaml"])

    /// A statement runs in `main.swift`, and a declaration of a type needs a symbol.
    private static let payloads =
        Payload.all.filter { $0.text.utf8.count < 1_000 && !$0.text.isEmpty }
        + ["\n", "\r", "\r\n"].flatMap { end in
            [
                Payload(name: "statement", text: "\(end)print(\"pwned\")\(end)//"),
                Payload(name: "declaration in main", text: "\(end)}\(end)print(\"pwned\"); enum Pwned {\(end)//"),
            ]
        }

    /// The document with a text after each name and each description, one after another of a list.
    private static func hostile(_ tree: JSONTree, _ payloads: [Payload]) -> JSONTree {
        var (result, count) = (tree, 0)
        for place in tree.places() where place.isDescription || place.isName && place.isKey {
            count += 1
            // What isn't JSON any more has no model.
            if place.keys.dropLast().last == "content", count % 4 > 0 { continue }
            let text = place.text + payloads[count % payloads.count].text
            // A name that was changed already, with what refers to it, is another one.
            let isSame = result.places().contains { $0.path == place.path && $0.text == place.text }
            guard isSame else { continue }
            result = place.isName ? result.renaming(place.text, to: text) : result.replacing(place, with: text)
        }
        return result
    }

    @Test(arguments: documents)
    func itPrintsNothing(document: String) async throws {
        let folder = Compiler.repository.appending(path: "Tests/HikyakuOpenAPITests/Hostile/Documents")
        let text = try String(contentsOf: folder.appending(path: document), encoding: .utf8)
        let tree = Self.hostile(try JSONTree(yaml: text), Self.payloads)
        var options = GeneratorOptions()
        (options.access, options.baseURL) = (.public, "https://base.example")
        var result = Generator(options: options).generate(try #require(read(json: tree.json).document))
        #expect(result.counts.requests > 0 && result.counts.types > 2, "\(result.counts)")
        result.merge(to: 1, name: "main")
        let file = try #require(result.files.first)
        try #require(CodeCheck([file]).faults == [])
        try await expectSilence(of: file.text)
    }

    /// Whatever is at the top level of this file runs.
    private func expectSilence(of text: String) async throws {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let main = folder.appending(path: "main.swift")
        try Data(text.utf8).write(to: main)
        let (status, output) = try await Executable.run([main], in: folder)
        #expect(status == 0 && output.isEmpty, "\(output)")
        let program = try Data(contentsOf: folder.appending(path: "program"))
        // The name of a declaration has its length before it in symbols; in a text it has not.
        #expect(program.range(of: Data("5pwned".utf8)) == nil)
    }

    /// That code in a document would be seen.
    @Test func whatRunsIsNotSilent() async throws {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let main = folder.appending(path: "main.swift")
        try Data("enum A { static let pwned = 1 }\nprint(A.pwned)\n".utf8).write(to: main)
        let (status, output) = try await Executable.run([main], in: folder)
        #expect(status == 0 && output == "1\n")
        let program = try Data(contentsOf: folder.appending(path: "program"))
        #expect(program.range(of: Data("5pwned".utf8)) != nil)
    }
}
#endif
