import Foundation
import Testing

@testable import HikyakuOpenAPI

/// Generated files are those that are kept beside the tests, some of which are compiled with them.
///
/// After a change on purpose: `hikyaku generate Documents/x.yaml --output Generated/X` in this target's folder, and
/// `--access package` for those in `../Petstores`, and `--name SwaggerPetstore` for the first one of these.
@Suite struct GoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        ("petstore-2.0", "../Petstores/Generated/V2"), ("petstore-3.0", "Generated/Petstore"),
        ("petstore-3.1", "../Petstores/Generated/V31"), ("features-3.1", "Generated/Features"),
        ("requests-3.2", "Generated/Requests"), ("styles-3.1", "Generated/Styles"), ("models-3.1", "Generated/Models"),
    ])
    func theFilesAreAsKept(_ document: String, _ output: String) throws {
        try check(document, output, GeneratorOptions())
    }

    /// `hikyaku generate Documents/choices-3.1.yaml --output Generated/Choices --closed-enums all
    /// --synthesized-equality all --fake`.
    @Test func theFilesOfOptionsAreAsKept() throws {
        var options = GeneratorOptions()
        (options.closedEnums, options.synthesizedEquality) = (["all"], ["all"])
        options.makesFake = true
        try check("choices-3.1", "Generated/Choices", options)
    }

    private func check(_ document: String, _ output: String, _ options: GeneratorOptions) throws {
        let path = Self.folder.appending(path: "Documents/\(document).yaml").path
        var options = options
        if output.contains("Petstores") { options.access = .package }
        if output.hasSuffix("V2") { options.name = "SwaggerPetstore" }
        try expectFiles(of: path, options, in: Self.folder.appending(path: output))
    }

    /// How that was generated stands in the example's document.
    @Test func theFilesOfTheExampleAreAsKept() throws {
        let example = Self.folder.appending(path: "../../Examples/QiitaReader").standardized
        var options = GeneratorOptions()
        #expect(options.read(config: example.appending(path: "hikyaku.yaml").path) == [])
        let output = example.appending(path: "Sources/QiitaAPI/Generated")
        try expectFiles(of: example.appending(path: "qiita.yaml").path, options, in: output)
    }

    private func expectFiles(of path: String, _ options: GeneratorOptions, in output: URL) throws {
        let result = Generator(options: options).generate(try #require(APIDocument.read(path: path).document))
        for file in result.files + [result.history.file] {
            let kept = try String(contentsOf: output.appending(path: file.path), encoding: .utf8)
            #expect(file.text == kept, "\(file.path) differs")
        }
        let kept = FileManager.default.enumerator(atPath: output.path)?.compactMap { $0 as? String } ?? []
        #expect(Set(kept.filter { $0.hasSuffix(".swift") }) == Set(result.files.map(\.path)))
    }

    @Test func theOutputIsTheSameEachTime() throws {
        let path = Self.folder.appending(path: "Documents/features-3.1.yaml").path
        let first = Generator().generate(try #require(APIDocument.read(path: path).document))
        for _ in 0..<5 {
            let next = Generator().generate(try #require(APIDocument.read(path: path).document))
            #expect(next.files == first.files)
        }
    }

    @Test func noLineIsTooLong() throws {
        let path = Self.folder.appending(path: "Documents/features-3.1.yaml").path
        var options = GeneratorOptions()
        for access in GeneratorOptions.Access.allCases {
            options.access = access
            let result = Generator(options: options).generate(try #require(APIDocument.read(path: path).document))
            for file in result.files {
                #expect(file.text.split(separator: "\n").allSatisfy { $0.utf8.count <= 120 }, "\(file.path)")
            }
        }
    }
}
