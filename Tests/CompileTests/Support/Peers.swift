#if os(macOS) || os(Linux)
import Foundation

/// Modules with the names of well-known ones and of their types, so that clashes show without those modules.
enum Peers {
    /// Made once, for all tests.
    private static let modules = Task { try await makeModules() }

    /// Where the modules are.
    static var folder: URL {
        get async throws { try await modules.value }
    }

    private static func makeModules() async throws -> URL {
        let modules = BuildProducts.folder.appending(path: "Peers")
        try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
        let sources = Compiler.repository.appending(path: "Tests/CompileTests/Snippets/Peers")
        for file in BuildProducts.contents(of: sources) {
            let name = file.deletingPathExtension().lastPathComponent
            try await Compiler().makeModule(name, from: [file], in: modules)
        }
        return modules
    }
}
#endif
