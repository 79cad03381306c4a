#if os(macOS) || os(Linux)
import Foundation
import Testing

/// The code in doc comments: see ``DocumentationExample`` for what a block may use.
@Suite(.timeLimit(.minutes(10)))
struct DocumentationTests {
    private static let names = "ExampleNames"
    /// The folder of that module, which is made once for all tests.
    private static let namesFolder = Task { try await makeNames() }
    /// What an example can import: what a user can.
    private static let modules = foundation + ["Testing"] + BuildProducts.libraries
    #if os(Linux)
    private static let foundation = ["Foundation", "FoundationNetworking"]
    #else
    private static let foundation = ["Foundation"]
    #endif

    /// One compiler for all blocks, since most of its time is the same for one block as for hundreds.
    @Test(arguments: DefaultIsolation.allCases)
    func examplesInDocCommentsCompile(isolation: DefaultIsolation) async throws {
        let examples = try Self.examples()
        #expect(examples.count > 100)
        for diagnostic in try await Self.diagnose(examples, isolation: isolation) {
            Issue.record("\(diagnostic)")
        }
    }

    /// A block without one would escape the check above.
    @Test
    func eachBlockInADocCommentHasALanguage() throws {
        for (file, source) in try Self.sources.get() {
            let comments = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                let text = line.drop { $0 == " " }
                return text.hasPrefix("///") ? text.dropFirst(3) : ""
            }
            let blocks = MarkdownBlock.blocks(in: comments.joined(separator: "\n"))
            for block in blocks where !MarkdownBlock.languages.contains(block.language) {
                Issue.record("\(file):\(block.line - 1): a block of the language '\(block.language)'")
            }
        }
    }

    enum Mistake: String, CaseIterable {
        case unknownName = "let dishes = try await client.send(Shop.Desserts())"
        case unusedResult = "client.environment(for: .shop)"
        case isolatedModel =
            """
            struct Menu: Decodable {}
            struct ReadMenu: Shop.Request {
                typealias Response = Menu
                var path: RequestPath { "/menu" }
            }
            """
        case hiddenName = "let redacted = Redaction.printable(\"a\", scalarsMax: 1)"
        case dataRace = "let waiter = NSMutableString()\nTask.detached { waiter.append(\"a\") }\nwaiter.append(\"b\")"
    }

    /// A mistake is found, in the line of the doc comment.
    @Test(arguments: Mistake.allCases)
    func aMistakeIsFoundWhereItIs(mistake: Mistake) async throws {
        let comment = mistake.rawValue.split(separator: "\n").map { "/// \($0)" }.joined(separator: "\n")
        let source = "/// A type.\n///\n/// ```swift\n/// show(1)\n\(comment)\n/// ```\nstruct Some {}\n"
        let examples = DocumentationExample.examples(in: source, file: "Sources/Some.swift")
        let found = try await Self.diagnose(examples, isolation: .mainActor)
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.file == "Sources/Some.swift" && (5...9).contains($0.line) }, "\(found)")
    }

    // MARK: Types

    private static let types = Result {
        let folders = (BuildProducts.libraryNames + ["HikyakuEngine"]).map { "/\($0)/" }
        return PublicType.types(
            in: try sources.get().filter { source in folders.contains { source.file.contains($0) } }
        )
    }

    /// A type that an app conforms to, makes or names is shown in use; the others are listed with the reason.
    @Test
    func eachTypeThatIsWrittenOrMadeHasAnExample() throws {
        let exempt = Set(TypesWithoutExample.reasons.flatMap(\.names))
        let types = try Self.types.get()
        #expect(types.count > 250)
        for type in types where !type.hasExample && !exempt.contains(type.name) {
            // What iterates or interpolates has one name for all types, and is used by the language alone.
            let name = type.name.split(separator: ".").last ?? ""
            if ["AsyncIterator", "Iterator", "StringInterpolation"].contains(name) { continue }
            Issue.record("\(type.file):\(type.line): \(type.name) has no example in its doc comment")
        }
    }

    @Test
    func theListOfTypesWithoutAnExampleHasNoneTooMany() throws {
        let names = TypesWithoutExample.reasons.flatMap(\.names)
        #expect(Set(names).count == names.count)
        let without = Set(try Self.types.get().filter { !$0.hasExample }.map(\.name))
        #expect(Set(names).subtracting(without) == [], "these have an example, or don't exist")
    }

    /// The paths of all sources, with their text.
    private static let sources = Result { () throws -> [(file: String, text: String)] in
        let root = Compiler.repository.path()
        let files = FileManager.default.enumerator(atPath: root + "Sources")?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") }.sorted().map { file in
            ("Sources/" + file, try String(contentsOfFile: root + "Sources/" + file, encoding: .utf8))
        }
    }

    private static func examples() throws -> [DocumentationExample] {
        let examples = try sources.get().flatMap { DocumentationExample.examples(in: $0.text, file: $0.file) }
        #if os(macOS)
        // Xcode's compiler has Testing and its macros only with paths that SwiftPM passes.
        return examples.filter { !$0.code.contains("#expect") && !$0.code.contains("@Test") }
        #else
        return examples
        #endif
    }

    private static func makeNames() async throws -> URL {
        let folder = BuildProducts.folder.appending(path: "Examples")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sources = BuildProducts.contents(of: Compiler.repository.appending(path: "Tests/CompileTests/Examples"))
        try await Compiler().makeModule(names, from: sources, in: folder, options: ["-enable-testing"])
        return folder
    }

    private static func diagnose(
        _ examples: [DocumentationExample],
        isolation: DefaultIsolation,
    ) async throws -> [Diagnostic] {
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let compiler = Compiler(moduleFolders: [try await namesFolder.value])
        let files = try examples.enumerated().map { number, example in
            let file = folder.appending(path: "Example\(number).swift")
            let program = example.program(importing: modules, testable: names)
            try Data(program.utf8).write(to: file)
            return file
        }
        return try await compiler.diagnose(files, isolation: isolation, options: ["-parse-as-library"])
    }
}
#endif
