#if (os(macOS) || os(Linux)) && YAML
import Foundation
import HikyakuOpenAPI
import TestSupport
import Testing

/// That what the generator writes compiles without a warning: with every access, in both default isolations, and in
/// modules of its own.
///
/// One document is tried with each change, and all of them at night.
@Suite(.timeLimit(.minutes(10)))
struct GeneratedCodeTests {
    private static let documents = BuildProducts.contents(
        of: Compiler.repository.appending(path: "Tests/HikyakuOpenAPITests/Documents")
    ).map(\.lastPathComponent).filter { Effort.isFull ? $0.hasSuffix(".yaml") : $0 == "features-3.1.yaml" }

    /// What strict modules turn on.
    private static let strict = ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"].flatMap {
        ["-enable-upcoming-feature", $0]
    }

    /// Generates a document into a folder; models into another one, if they have a module of their own.
    private static func generate(
        _ document: String,
        _ options: GeneratorOptions = GeneratorOptions(),
        in folder: URL,
    ) throws -> (models: [URL], others: [URL]) {
        let path = Compiler.repository.appending(path: "Tests/HikyakuOpenAPITests/Documents/\(document)").path()
        let result = Generator(options: options).generate(try #require(APIDocument.read(path: path).document))
        func write(_ file: GeneratedFile) throws -> URL {
            // The compiler distinguishes files of a module by their names.
            let file = (url: folder.appending(path: file.path.replacing("/", with: "-")), text: file.text)
            try Data(file.text.utf8).write(to: file.url)
            return file.url
        }
        let models = try result.files.filter(\.isOfModels).map(write)
        return (models, try result.files.filter { !$0.isOfModels }.map(write))
    }

    @Test(arguments: documents, GeneratorOptions.Access.allCases)
    func eachDocumentCompilesWithoutAWarning(document: String, access: GeneratorOptions.Access) async throws {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = GeneratorOptions()
        options.access = access
        options.baseURL = "https://api.example.com"
        let files = try Self.generate(document, options, in: folder)
        // Each access is tried with one isolation, and the usual one with both.
        let isolations: [DefaultIsolation] = access == .internal ? DefaultIsolation.allCases : [.nonisolated]
        for isolation in isolations {
            let diagnostics = try await Compiler().diagnose(
                files.models + files.others,
                isolation: isolation,
                options: ["-parse-as-library", "-package-name", "generated"] + Self.strict,
            )
            #expect(diagnostics == [], "\(isolation)")
        }
    }

    @Test(arguments: Effort.some([GeneratorOptions.Access.public, .package]), DefaultIsolation.allCases)
    func modelsMayHaveAModuleOfTheirOwn(access: GeneratorOptions.Access, isolation: DefaultIsolation) async throws {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = GeneratorOptions()
        options.access = access
        options.modelsModule = "SharedModels"
        let files = try Self.generate("features-3.1.yaml", options, in: folder)
        var compiler = Compiler()
        let arguments = ["-package-name", "generated"] + Self.strict
        try await compiler.makeModule(
            "SharedModels",
            from: files.models,
            in: folder,
            isolation: isolation,
            options: arguments + ["-warnings-as-errors"],
        )
        compiler.moduleFolders = [folder]
        let diagnostics = try await compiler.diagnose(
            files.others,
            isolation: isolation,
            options: ["-parse-as-library"] + arguments,
        )
        #expect(diagnostics == [])
    }

    /// A request without a required parameter does not compile; one without an optional parameter does.
    @Test func aRequestNeedsItsRequiredParameters() async throws {
        let calls = [
            ("GetPetByID(petID: 1)", nil), ("FindPetsByStatus()", nil), ("GetPetByID()", "petID"), ("AddPet()", "pet"),
            ("AddPet(pet: Pet(name: \"a\"))", "photoURLs"), ("DeletePet(apiKey: \"k\")", "petID"),
        ]
        let lines = calls.map { "    _ = PetAPI.\($0.0)" }.joined(separator: "\n")
        let diagnostics = try await Self.diagnostics(of: "func use() {\n\(lines)\n}")
        #expect(
            diagnostics.map(\.text)
                == calls.compactMap { $0.1.map { "missing argument for parameter '\($0)' in call" } }
        )
    }

    @Test func aRequestThatNeedsAuthorizationIsNotSentWithoutIt() async throws {
        let call = "APIClient().send(PetAPI.GetPetByID(petID: 1))"
        let found = try await Self.diagnostics(of: "func send() async throws { _ = try await \(call) }")
        #expect(found.contains { $0.kind == .error && $0.text.contains("'send' is unavailable") }, "\(found)")
    }

    /// What the compiler says of a function beside the requests of the petstore.
    private static func diagnostics(of function: String) async throws -> [Diagnostic] {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try generate("petstore-3.0.yaml", in: folder)
        let use = folder.appending(path: "Use.swift")
        try Data("import Hikyaku\n\(function)\n".utf8).write(to: use)
        return try await Compiler().diagnose(
            files.models + files.others + [use],
            isolation: .nonisolated,
            options: ["-parse-as-library"],
        )
    }
}
#endif
