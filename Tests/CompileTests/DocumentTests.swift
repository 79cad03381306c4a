#if os(macOS) || os(Linux)
import Foundation
import Testing

/// The code that people copy: the README's, the articles', and the examples as they stand.
@Suite(.timeLimit(.minutes(10)))
struct DocumentTests {
    private static let documents =
        ["README.md"].filter { FileManager.default.fileExists(atPath: path(of: $0)) }
        + articles()
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
            let diagnostics = try await Compiler().diagnose([file], isolation: isolation)
            #expect(diagnostics.isEmpty)
        }
    }

    @Test(arguments: examples, DefaultIsolation.allCases)
    func exampleCompiles(target: String, isolation: DefaultIsolation) async throws {
        let folder = URL(filePath: Self.path(of: target))
        let files =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        let isScript = files.contains { $0.lastPathComponent == "main.swift" }
        let options = ["-module-name", folder.lastPathComponent] + (isScript ? [] : ["-parse-as-library"])
        let diagnostics = try await Compiler().diagnose(files, isolation: isolation, options: options)
        #expect(diagnostics.isEmpty)
    }

    private static func articles() -> [String] {
        BuildProducts.contents(of: Compiler.repository.appending(path: "Sources"))
            .flatMap { BuildProducts.contents(of: $0) }
            .filter { $0.pathExtension == "docc" }
            .flatMap { BuildProducts.contents(of: $0) }
            .filter { $0.pathExtension == "md" }
            .map { String($0.path().dropFirst(path(of: "").count)) }
    }

    private static func path(of name: String) -> String {
        Compiler.repository.appending(path: name).path()
    }
}
#endif
