#if os(macOS) || os(Linux)
import Foundation
import HikyakuOpenAPI
import TestSupport
import Testing

/// That what is inferred of samples and cURL lines compiles without a warning, and that models read their samples.
@Suite(.timeLimit(.minutes(10)))
struct InferredCodeTests {
    private static let folder = Compiler.repository.appending(path: "Tests/HikyakuOpenAPITests/Samples")
    private static let samples = BuildProducts.contents(of: folder)
        .filter { $0.pathExtension.hasPrefix("json") }.map(\.lastPathComponent)
    private static let lines = BuildProducts.contents(of: folder.appending(path: "Lines")).map(\.lastPathComponent)

    /// The usual access, and at night the others.
    private static let accesses = Effort.some([GeneratorOptions.Access.internal, .package, .public])

    /// What strict modules turn on.
    private static let strict = ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"].flatMap {
        ["-enable-upcoming-feature", $0]
    }

    private static func sample(_ name: String) throws -> SampleFile {
        SampleFile(path: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
    }

    /// Compiles a file with an access, and with each isolation if that is the usual one.
    private func expectNoDiagnostics(_ text: String, _ access: GeneratorOptions.Access) async throws {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Inferred.swift")
        try Data(text.utf8).write(to: file)
        let isolations = Effort.some(DefaultIsolation.allCases.reversed())
        for isolation in access == .internal ? isolations : [.nonisolated] {
            let options = ["-parse-as-library", "-package-name", "inferred"] + Self.strict
            let diagnostics = try await Compiler().diagnose([file], isolation: isolation, options: options)
            #expect(diagnostics == [], "\(isolation): \(text)")
        }
    }

    @Test(arguments: samples, accesses)
    func modelsCompileWithoutAWarning(sample: String, access: GeneratorOptions.Access) async throws {
        var options = GeneratorOptions()
        options.access = access
        for isDirect in [false, true] {
            let inference = ModelInference(name: "Sample", options: options, isDirect: isDirect)
            let result = try inference.models(of: [try Self.sample(sample)])
            try await expectNoDiagnostics(result.text, access)
        }
    }

    @Test(arguments: lines, accesses)
    func requestsCompileWithoutAWarning(line: String, access: GeneratorOptions.Access) async throws {
        var choices = RequestInference.Choices()
        choices.generator.access = access
        let text = try String(contentsOf: Self.folder.appending(path: "Lines/\(line)"), encoding: .utf8)
        let responses = [try Self.sample("issues.json")]
        let result = try RequestInference(choices).request(line: text, responses: responses)
        try await expectNoDiagnostics(result.text, access)
    }

    #if os(Linux)
    /// Each model in one program, with the samples that it was made of.
    @Test func randomModelsReadAndWriteTheirSamples() async throws {
        let seed = testSeed()
        print("seed of the random samples: \(seed)")
        var random = RandomDocument(seed: seed)
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var (files, checks): ([URL], [String]) = ([], [])
        for number in 0..<(Effort.isFull ? 24 : 8) {
            let samples = random.samples(1 + number % 5)
            let file = SampleFile(path: "samples", bytes: Array("[\(samples.joined(separator: ","))]".utf8))
            let inference = ModelInference(name: "Sample", isDirect: number % 4 == 3)
            guard let result = try? inference.models(of: [file]) else { continue }
            // A namespace keeps the types of samples apart.
            let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
            let body = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
            let (types, extensions) = Self.divided(body)
            let name = "Case\(number)"
            let source = """
                import Foundation
                import Hikyaku

                enum \(name) {
                \(types)
                }

                \(extensions.replacing("extension ", with: "extension \(name)."))
                """
            let url = folder.appending(path: "\(name).swift")
            try Data(source.utf8).write(to: url)
            files.append(url)
            let type = result.type.replacing("Sample", with: "\(name).Sample")
            let documents = samples.map { Data($0.utf8).base64EncodedString() }
            checks.append("try check(\(type).self, \(documents), \(number))")
        }
        #expect(checks.count > (Effort.isFull ? 12 : 4), "seed \(seed)")
        let main = folder.appending(path: "main.swift")
        try Data((Self.program + checks.joined(separator: "\n") + "\nprint(\"all\")\n").utf8).write(to: main)
        let (status, output) = try await Executable.run(files + [main], in: folder)
        #expect(status == 0 && output.hasSuffix("all\n"), "\(output)\nseed \(seed)")
    }

    /// The types, and the extensions, which can't be inside of a namespace.
    private static func divided(_ text: String) -> (types: String, extensions: String) {
        var (types, extensions): ([Substring], [Substring]) = ([], [])
        var isExtension = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("extension ") { isExtension = true }
            if isExtension { extensions.append(line) } else { types.append(line) }
            if line == "}" { isExtension = false }
        }
        return (types.joined(separator: "\n"), extensions.joined(separator: "\n"))
    }

    private static let program = """
        import Foundation
        import Hikyaku

        func check<Model: Codable & Hashable>(_ type: Model.Type, _ documents: [String], _ number: Int) throws {
            for text in documents {
                let document = Data(base64Encoded: text) ?? Data()
                do {
                    let value = try HikyakuJSONDecoder().decode(type, from: document)
                    let written = try HikyakuJSONEncoder().encode(value)
                    guard try HikyakuJSONDecoder().decode(type, from: written) == value else {
                        fatalError("\\(number) differs: \\(String(decoding: document, as: UTF8.self))")
                    }
                } catch {
                    fatalError("\\(number): \\(error) in \\(String(decoding: document, as: UTF8.self))")
                }
            }
        }


        """
    #endif
}
#endif
