#if os(macOS) || os(Linux)
import Foundation
import Testing

/// What the generator has written for its tests, as a user compiles it.
@Suite(.timeLimit(.minutes(10)))
struct GeneratedRequestTests {
    private static let folder = Compiler.repository.appending(path: "Tests/HikyakuOpenAPITests/Generated")
    private static let names = BuildProducts.contents(of: folder).map(\.lastPathComponent)

    private static func files(of name: String) -> [URL] {
        FileManager.default.enumerator(at: folder.appending(path: name), includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    }

    private func diagnostics(of source: String) async throws -> [Diagnostic] {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Snippet.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let files = Self.files(of: "Petstore")
        try #require(!files.isEmpty)
        return try await Compiler().diagnose(files + [file], isolation: .nonisolated, options: ["-parse-as-library"])
    }

    @Test(arguments: names, DefaultIsolation.allCases)
    func generatedCodeCompiles(name: String, isolation: DefaultIsolation) async throws {
        let files = Self.files(of: name)
        try #require(!files.isEmpty)
        let found = try await Compiler().diagnose(files, isolation: isolation, options: ["-parse-as-library"])
        #expect(found.isEmpty)
    }

    @Test func aRequestThatNeedsAuthorizationIsNotSentWithoutIt() async throws {
        let head = "import Hikyaku\n"
        let call =
            "nonisolated func send() async throws { _ = try await APIClient().send(PetAPI.GetPetByID(petID: 1)) }\n"
        let found = try await diagnostics(of: head + call)
        #expect(found.contains { $0.kind == .error && $0.text.contains("'send' is unavailable") }, "\(found)")
    }
}
#endif
