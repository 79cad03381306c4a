#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The code that people copy: that of the README, of the other documents, of the articles, and of the examples.
@Suite(.timeLimit(.minutes(10)))
struct DocumentTests {
    private static let documents =
        (files(in: "") + files(in: "Documentation") + articles()).filter { $0.hasSuffix(".md") }
    private static let examples = BuildProducts.contents(of: Compiler.repository.appending(path: "Examples"))
        .flatMap { BuildProducts.contents(of: $0.appending(path: "Sources")) }
        .map { String($0.path().dropFirst(path(of: "").count)) }

    @Test(arguments: documents, DefaultIsolation.allCases)
    func documentCompiles(name: String, isolation: DefaultIsolation) async throws {
        let text = try String(contentsOfFile: Self.path(of: name), encoding: .utf8)
        for program in MarkdownProgram.programs(in: text, name: name) {
            let folder = try BuildProducts.makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "main.swift")
            try Data(program.source.utf8).write(to: file)
            let options = program.isManifest ? try await Compiler().manifestOptions() : []
            let diagnostics = try await Compiler().diagnose([file], isolation: isolation, options: options)
            #expect(diagnostics.isEmpty)
        }
    }

    /// Their code is compiled with the example, by its tests, and for Apple's platforms by `scripts/check-apple`.
    @Test(arguments: documents)
    func blocksWithAFileAreEqualToIt(name: String) throws {
        let document = try String(contentsOfFile: Self.path(of: name), encoding: .utf8)
        for block in MarkdownProgram.files(in: document) {
            let file = try String(contentsOfFile: Self.path(of: block.path), encoding: .utf8)
            // A reader's checkout is next to the package, and the example inside of it.
            let code = block.code.replacing(#"path: "../hikyaku""#, with: #"path: "../..""#) + "\n"
            #expect(code == file, "\(name):\(block.line) differs from \(block.path)")
        }
    }

    @Test(arguments: documents)
    func eachBlockHasALanguage(name: String) throws {
        let text = try String(contentsOfFile: Self.path(of: name), encoding: .utf8)
        for block in MarkdownBlock.blocks(in: text) where !MarkdownBlock.languages.contains(block.language) {
            Issue.record("\(name):\(block.line - 1): a block of the language '\(block.language)'")
        }
    }

    /// Each script and each option that a document names is there.
    @Test(arguments: documents)
    func namedCommandsExist(name: String) throws {
        let text = try String(contentsOfFile: Self.path(of: name), encoding: .utf8)
        for command in ShellCommand.commands(in: text) {
            #expect(try command.problem(in: Compiler.repository) == nil, "\(name): \(command.words)")
        }
    }

    @Test
    func thereAreDocumentsAndCommands() throws {
        #expect(Set(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]).isSubset(of: Self.documents))
        let text = try String(contentsOfFile: Self.path(of: "CONTRIBUTING.md"), encoding: .utf8)
        #expect(ShellCommand.commands(in: text).count > 10)
    }

    /// Without an isolation, `.ci/run` builds them.
    @Test(arguments: examples, Effort.some(DefaultIsolation.allCases.reversed()))
    func exampleCompiles(target: String, isolation: DefaultIsolation) async throws {
        let folder = URL(filePath: Self.path(of: target))
        let files = Self.sources(in: folder)
        let isScript = files.contains { $0.lastPathComponent == "main.swift" }
        let package = [
            "-package-name", folder.deletingLastPathComponent().deletingLastPathComponent().lastPathComponent,
        ]
        let options = package + ["-module-name", folder.lastPathComponent] + (isScript ? [] : ["-parse-as-library"])
        let modules = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: modules) }
        let compiler = Compiler(moduleFolders: [modules])
        try await makeModules(importedBy: files, beside: folder, isolation, package, compiler, in: modules)
        let diagnostics = try await compiler.diagnose(files, isolation: isolation, options: options)
        #expect(diagnostics.isEmpty)
    }

    /// Makes the modules of the same package that a target imports, those first that they import themselves.
    private func makeModules(
        importedBy files: [URL],
        beside target: URL,
        _ isolation: DefaultIsolation,
        _ options: [String],
        _ compiler: Compiler,
        in folder: URL,
    ) async throws {
        let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        let lines = Set(text.split(separator: "\n"))
        for module in BuildProducts.contents(of: target.deletingLastPathComponent()) {
            let name = module.lastPathComponent
            let made = folder.appending(path: "\(name).swiftmodule").path()
            guard lines.contains("import \(name)"), !FileManager.default.fileExists(atPath: made) else { continue }
            let sources = Self.sources(in: module)
            try await makeModules(importedBy: sources, beside: module, isolation, options, compiler, in: folder)
            try await compiler.makeModule(name, from: sources, in: folder, isolation: isolation, options: options)
        }
    }

    private static func sources(in folder: URL) -> [URL] {
        FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    }

    private static func articles() -> [String] {
        files(in: "Sources").flatMap(files).flatMap(files).filter { $0.hasSuffix(".docc") || $0.hasSuffix(".docc/") }
            .flatMap { files(in: $0) }
    }

    /// The paths of what is in a folder, from the repository's.
    private static func files(in folder: String) -> [String] {
        let root = Compiler.repository
        return BuildProducts.contents(of: folder.isEmpty ? root : root.appending(path: folder))
            .map { String($0.path().dropFirst(path(of: "").count)) }
    }

    private static func path(of name: String) -> String {
        Compiler.repository.appending(path: name).path()
    }
}
#endif
