#if os(macOS) || os(Linux)
import Foundation
import Testing

/// That no exported type has the name of one that nearly every file uses: it would shadow it, or make it ambiguous.
@Suite(.timeLimit(.minutes(10)))
struct ExportedNameTests {
    private static let modules = BuildProducts.moduleFolders.map(\.lastPathComponent).filter(isBuilt)
    private static let others = ["Swift", "Foundation", "SwiftUI", "SwiftData", "Combine"]

    @Test(arguments: modules)
    func noTypeHasAnothersName(module: String) async throws {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = try await Self.types(of: module, folder: folder)
        #expect(Set(names).isDisjoint(with: Self.modules), "a module with a type of its name can't be named in code")

        let questions = names.flatMap { name in Self.others.map { "\($0).\(name)" } }
        let lines = Self.others.map { "import \($0)" } + questions.map { "func f(_: \($0)) {}" }
        let file = folder.appending(path: "Names.swift")
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        var compiler = Compiler()
        compiler.moduleFolders = [try await Peers.folder]
        let errors = try await compiler.diagnose([file], isolation: .nonisolated).filter { $0.kind == .error }
        let unknown = Set(errors.filter { $0.text.contains("no type named") }.map(\.line))
        for (index, question) in questions.enumerated() where !unknown.contains(Self.others.count + index + 1) {
            Issue.record("\(module) exports a type with the name of \(question)")
        }
    }

    @Test
    func thereAreModules() {
        #expect(Self.modules.contains("Hikyaku") && Self.modules.contains("HikyakuHTTP"))
    }

    private static func isBuilt(_ module: String) -> Bool {
        let file = BuildProducts.folder.appending(path: "Modules/\(module).swiftmodule")
        return FileManager.default.fileExists(atPath: file.path())
    }

    private struct SymbolGraph: Decodable {
        struct Symbol: Decodable {
            struct Kind: Decodable { var identifier: String }
            var kind: Kind
            var pathComponents: [String]
        }
        var symbols: [Symbol]
    }

    /// The types that a module declares at its top level.
    private static func types(of module: String, folder: URL) async throws -> [String] {
        let file = try await Compiler().extractSymbols(of: module, into: folder)
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
        let kinds = ["struct", "class", "enum", "protocol", "typealias", "actor"].map { "swift.\($0)" }
        return graph.symbols.filter { $0.pathComponents.count == 1 && kinds.contains($0.kind.identifier) }
            .map { $0.pathComponents[0] }
    }
}
#endif
