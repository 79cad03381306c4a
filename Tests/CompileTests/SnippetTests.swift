#if os(macOS) || os(Linux)
import Foundation
import Testing

/// What compiles and what doesn't, in both default isolations: see ``Snippet`` for how a snippet says so.
@Suite(.timeLimit(.minutes(10)))
struct SnippetTests {
    private static let folder = Compiler.repository.appending(path: "Tests/CompileTests/Snippets")
    private static let names = BuildProducts.contents(of: folder)
        .filter { $0.pathExtension == "swift" }.map(\.lastPathComponent)

    @Test(arguments: names, DefaultIsolation.allCases)
    func eachSnippetGetsTheDiagnosticsOfItsMarkers(name: String, isolation: DefaultIsolation) async throws {
        let file = Self.folder.appending(path: name)
        var snippet = Snippet(name: name, source: try String(contentsOf: file, encoding: .utf8))
        if snippet.compilesUnlessIsolated, isolation == .nonisolated { snippet.expectations = [] }
        var compiler = Compiler()
        if snippet.usesPeers { compiler.moduleFolders = [try await Peers.folder] }
        let diagnostics = try await compiler.diagnose([file], isolation: isolation)
        for difference in snippet.differences(from: diagnostics) {
            Issue.record(Comment(rawValue: difference))
        }
    }

    /// The article promises texts that readers search for; the snippets have what the compiler really says.
    @Test
    func eachMessageOfTheArticleIsThatOfASnippet() throws {
        let article = Compiler.repository.appending(path: "Sources/Client/Hikyaku/Hikyaku.docc/CompilerMessages.md")
        let messages = Self.messages(in: try String(contentsOf: article, encoding: .utf8))
        #expect(messages.count > 50)
        let expected = try Self.names.flatMap { name in
            let source = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            return Snippet(name: name, source: source).expectations.map(\.text)
        }
        for message in messages where !expected.contains(where: { $0.contains(message) }) {
            Issue.record("no snippet expects: \(message)")
        }
    }

    /// The first column of the tables of messages, and the blocks of text, in one line each.
    private static func messages(in article: String) -> [String] {
        var messages: [String] = []
        var (isInTable, isInBlock, block) = (false, false, "")
        for line in article.components(separatedBy: "\n") {
            if line == "```text" {
                (isInBlock, block) = (true, "")
            } else if isInBlock, line == "```" {
                isInBlock = false
                messages.append(String(block.trimmingPrefix("error: ").dropLast()))
            } else if isInBlock {
                block += line + " "
            } else if line.hasPrefix("| message |") {
                isInTable = true
            } else if !line.hasPrefix("|") {
                isInTable = false
            } else if isInTable, !line.hasPrefix("|---") {
                messages.append(line.split(separator: "`").dropFirst().first.map(String.init) ?? line)
            }
        }
        return messages
    }

    /// A module that is isolated to the main actor rejects each request that isn't `nonisolated`, so that it ignores
    /// none of these properties either.
    @Test(arguments: ["NearMisses.swift", "RefusedSpellings.swift"])
    func anIsolatedModuleIgnoresNoSpelling(name: String) async throws {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            .replacing("nonisolated ", with: "")
        let file = folder.appending(path: name)
        try source.write(to: file, atomically: true, encoding: .utf8)
        let errors = try await Compiler().diagnose([file], isolation: .mainActor).filter { $0.kind == .error }
        // The compiler says nothing of a proxy while the requests that it could forward have errors.
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.hasPrefix("struct ") && !$0.element.contains(": RequestProxy") }
        #expect(!lines.isEmpty)
        for (index, line) in lines {
            #expect(errors.contains { $0.line == index + 1 }, "\(line) compiles")
        }
    }
}
#endif
