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
    func compilesAsItSays(name: String, isolation: DefaultIsolation) async throws {
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

    @Test
    func thereAreSnippets() {
        #expect(!Self.names.isEmpty)
    }
}
#endif
