#if os(Linux) && YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// Nothing that the words of a command line, a file beside a document or the name of a file says becomes code, or
/// changes the terminal: the program itself is run.
@Suite(.timeLimit(.minutes(Effort.isFull ? 300 : 60)))
final class HostileWordsTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: '1'}
        servers: [{url: 'https://shop.example.com'}]
        paths:
          /dishes: {get: {operationId: listDishes, tags: [dishes], responses: {'200': {description: ok, content: \
        {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Dish'}}}}}}}}
        components: {schemas: {Dish: {type: object, properties: {price: {type: string, format: money}, \
        size: {type: string, enum: [a, b]}}}}}
        """
    private static func program() throws -> BuiltProgram { try BuiltProgram("HikyakuGenerateTool") }
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A folder of its own for each run, with the document.
    private static func makeFolder(in parent: URL, document: String = "api.yaml") throws -> URL {
        let folder = parent.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.document.utf8).write(to: folder.appending(path: document))
        return folder
    }

    /// What is wrong with what a run printed and wrote.
    private static func faults(_ words: [String], in folder: URL, _ program: BuiltProgram) -> [String] {
        guard let output = try? program.run(words, in: folder) else { return [] }
        var faults = ShownText.faults(of: output.errors) + ShownText.faults(of: output.text)
        if output.status != 0, output.status != 1, output.status != 2 { faults.append("status \(output.status)") }
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        for path in paths where path.hasSuffix(".swift") {
            guard let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8) else { continue }
            // Where the user wants the files is not a fault.
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            faults += CodeCheck([(name, text)]).faults
        }
        try? FileManager.default.removeItem(at: folder)
        return faults
    }

    /// Texts that a program can be given.
    private static let payloads = (Payload.all + ShownText.payloads)
        .filter { !$0.text.contains("\0") && $0.text.utf8.count < 2_000 }

    /// Words as the plugins and users give them.
    private static let lines = [
        "[api.yaml, --output, API, --files, '3', --quiet]",
        "[api.yaml, --output, API, --name, Store, --access, public, --verbose]",
        "[api.yaml, --output, API, --type-map, money=Money.Amount, --rename, Dish=Meal]",
        "[api.yaml, --output, API, --rename, Dish.size=extent, --closed-enums, DishSize]",
        "[api.yaml, --output, API, --filter, 'tag:dishes', --base-url, 'https://a.example', --dry-run]",
        "[api.yaml, --output, API, --models-module, Models, --models-output, M, --access, public]",
        "[api.yaml, --output, API, --overlay, none.yaml, --config, none.yaml, --check]",
        "[--config-folder, ., --outptu, API]", "[api.yaml, other, -q]",
    ]

    @Test(arguments: lines)
    func noWordBecomesCodeOrReachesTheTerminalRaw(line: String) async throws {
        let program = try Self.program()
        let tree = try JSONTree(yaml: line)
        let search = PlaceSearch("words of generate", in: tree, sample: 6, payloads: Self.payloads)
        let parent = folder
        let found = await search.findings { changed, attempt in
            guard case .array(let words) = changed, let folder = try? Self.makeFolder(in: parent) else { return [] }
            let texts = words.compactMap { if case .string(let text) = $0 { text } else { nil } }
            // What a user writes above the folder of the test is the user's.
            guard !texts.contains(where: { $0.contains("..") || $0.hasPrefix("/") }) else { return [] }
            return Self.faults(texts, in: folder, program)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    /// The documents and folders of targets have the names that their authors give them.
    @Test func noNameOfAFileOrFolderBecomesCode() throws {
        let program = try Self.program()
        let all = Self.payloads.filter { !$0.text.contains("/") && $0.text.utf8.count < 200 }
        var found: [String] = []
        for payload in PlaceSearch.some(8, of: all) {
            let name = "a" + payload.text
            let folder = try Self.makeFolder(in: folder, document: name + ".yaml")
            let words = ["./\(name).yaml", "--output", "./\(name)", "--files", "2"]
            found += Self.faults(words, in: folder, program).map { "\(payload.name): \($0)" }
        }
        if !found.isEmpty { Issue.record("\(ShownText.report(found))") }
    }

    private static let config = """
        {name: Shop, access: public, baseURL: 'https://shop.example', filter: ['tag:dishes'], imports: [Money],
         types: {money: Money.Amount}, names: {Dish: Meal, Dish.size: extent}, closedEnums: [DishSize],
         pages: {listDishes: none}, document: api.yaml, output: API, overlays: [overlay.yaml], allowURLs: true}
        """

    @Test func noTextOfAConfigurationReachesTheTerminalRaw() async throws {
        let program = try Self.program()
        let tree = try JSONTree(yaml: Self.config)
        let search = PlaceSearch("a configuration of generate", in: tree, sample: 20, payloads: Self.payloads)
        let parent = folder
        let found = await search.findings { changed, attempt in
            guard !attempt.text.contains(".."), let folder = try? Self.makeFolder(in: parent) else { return [] }
            try? Data(changed.json).write(to: folder.appending(path: "hikyaku.json"))
            return Self.faults([], in: folder, program)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    /// A file that isn't JSON or YAML is quoted where it breaks, and a reference where it leads to nothing.
    @Test func noBrokenFileReachesTheTerminalRaw() throws {
        let program = try Self.program()
        var found: [String] = []
        for payload in PlaceSearch.some(6, of: Self.payloads) {
            var reference: [UInt8] = []
            JSONTree.write("b" + payload.text + ".json#/c", to: &reference)
            let text = String(decoding: reference, as: UTF8.self)
            for (path, content) in [
                ("api.yaml", "a: [\"" + payload.text), ("api.json", "{\"a\": " + payload.text),
                ("api.yaml", "a: *" + payload.text), ("api.json", "{\"openapi\": \(text), \(text): 1, \(text): 2}"),
                ("api.json", "{\"openapi\": \"3.1.0\", \"paths\": {\"/a\": {\"$ref\": \(text)}}}"),
            ] {
                let folder = try Self.makeFolder(in: folder)
                try Data(content.utf8).write(to: folder.appending(path: path))
                let faults = Self.faults([path, "--output", "API", "--verbose"], in: folder, program)
                found += faults.map { "\(payload.name): \($0)" }
            }
        }
        if !found.isEmpty { Issue.record("\(ShownText.report(found))") }
    }
}
#endif
