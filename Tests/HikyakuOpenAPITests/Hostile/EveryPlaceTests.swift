#if YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// Nothing that a document says becomes code, wherever it says it.
///
/// Each text and each key of three documents, which have all keywords that are read, is replaced by texts that try to
/// end a comment or a literal. `HIKYAKU_EVERY_PLACE=all` tries all of them; otherwise a seed chooses some.
@Suite(.timeLimit(.minutes(60)))
struct EveryPlaceTests {
    static let documents = ["places-2.0.yaml", "places-3.1.yaml", "places-3.2.yaml"]
    private static let triesOfSample = 30

    /// One replacement in a document.
    private struct Try: Sendable {
        var place: Place
        var payload: Payload
        var isAppended: Bool
        var isRenamed: Bool

        var text: String { isAppended ? place.text + payload.text : payload.text }
        var description: String {
            "\(payload.name)\(isAppended ? ", appended" : "")\(isRenamed ? ", renamed along" : "")"
        }

        func applied(to tree: JSONTree) -> JSONTree {
            let changed = tree.replacing(place, with: text)
            return isRenamed ? changed.renaming(place.text, to: text) : changed
        }
    }

    private static func tries(_ tree: JSONTree) -> [Try] {
        tree.places().flatMap { place in
            Payload.all.flatMap { payload in
                [false, true].flatMap { isAppended in
                    (place.isName ? [false, true] : [false]).map {
                        Try(place: place, payload: payload, isAppended: isAppended, isRenamed: $0)
                    }
                }
            }
        }
    }

    @Test(arguments: documents)
    func noTextBecomesCode(document: String) async throws {
        let tree = try Self.tree(document)
        var tries = Self.tries(tree)
        let isFull = ProcessInfo.processInfo.environment["HIKYAKU_EVERY_PLACE"] == "all"
        if !isFull {
            let seed = testSeed()
            print("seed of the places of \(document): \(seed)")
            var random = SeededGenerator(seed: seed)
            tries = Array(tries.shuffled(using: &random).prefix(Self.triesOfSample))
        }
        let found = await Self.findings(of: tries, in: tree)
        print("\(document): \(tries.count) replacements of \(tree.places().count) texts and keys were tried")
        #expect(found.isEmpty, "\(found.count) places: \(Self.report(found))")
    }

    /// What was found, by the place; all processors take part.
    private static func findings(of tries: [Try], in tree: JSONTree) async -> [String: [String]] {
        let shapes = shapes(of: tree, for: tries)
        let workers = max(1, min(8, ProcessInfo.processInfo.activeProcessorCount))
        return await withTaskGroup(of: [String: [String]].self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var found: [String: [String]] = [:]
                    for index in stride(from: worker, to: tries.count, by: workers) {
                        let faults = faults(of: tries[index], index, in: tree, shapes)
                        if !faults.isEmpty { found[tries[index].place.pointer, default: []] += faults }
                    }
                    return found
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    private static func faults(
        of attempt: Try,
        _ index: Int,
        in tree: JSONTree,
        _ shapes: [Int: [String]],
    ) -> [String] {
        guard let document = read(json: attempt.applied(to: tree).json).document else { return [] }
        // Each way of writing is tried with each kind of place.
        let number = index % options.count
        var result = Generator(options: options[number]).generate(document)
        var faults = CodeCheck(result.files).faults
        if attempt.place.isDescription, CodeCheck.shape(of: result.files) != shapes[number] {
            faults.append("other tokens than without it")
        }
        if index % 7 == 0 {
            result.merge(to: 3, name: "Merged")
            faults += CodeCheck(result.files).faults
        }
        return faults.map { "\(attempt.description): \($0)" }
    }

    /// Each access, with models in a module of their own and without.
    private static let options: [GeneratorOptions] = GeneratorOptions.Access.allCases.flatMap { access in
        [nil, "SharedModels"].map { module in
            var options = GeneratorOptions()
            options.access = access
            options.modelsModule = module
            options.baseURL = "https://base.example"
            return options
        }
    }

    /// The tokens of the unchanged document, for the ways of writing that are compared with them.
    private static func shapes(of tree: JSONTree, for tries: [Try]) -> [Int: [String]] {
        let numbers = Set(tries.indices.filter { tries[$0].place.isDescription }.map { $0 % options.count })
        guard let document = read(json: tree.json).document else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: numbers.map { number in
                (number, CodeCheck.shape(of: Generator(options: options[number]).generate(document).files))
            }
        )
    }

    private static func report(_ found: [String: [String]]) -> String {
        let places = found.sorted { $0.key < $1.key }
        return places.map { "\n\($0): \($1.count) times, such as \($1.first ?? "")" }.joined()
    }

    static func tree(_ document: String) throws -> JSONTree {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Documents")
        let text = try String(contentsOf: folder.appending(path: document), encoding: .utf8)
        return try JSONTree(yaml: text)
    }

    /// The documents are read without an error, and have what the test is to change.
    @Test(arguments: documents)
    func documentsAreSound(document: String) throws {
        let tree = try Self.tree(document)
        let result = read(json: tree.json)
        #expect(result.diagnostics.filter { $0.severity == .error } == [])
        let files = Generator().generate(try #require(result.document)).files
        #expect(CodeCheck(files).faults == [])
    }
}
#endif
