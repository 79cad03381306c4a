import Foundation
import HikyakuOpenAPI
import Testing

@testable import HikyakuCommand

@Suite struct GenerateCommandTests {
    private let folder: URL
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: '1'}
        servers: [{url: 'https://shop.example.com'}]
        paths:
          /dishes: {get: {operationId: listDishes, tags: [dishes], responses: {'200': {description: ok, content: \
        {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Dish'}}}}}}}}
          /users: {get: {operationId: listUsers, tags: [users], responses: {'204': {description: ok}}}}
        components: {schemas: {Dish: {type: object, required: [price], properties: {price: {type: string, format: money}}}, \
        Guest: {type: object, properties: {name: {type: string}}}}}
        """

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.document.utf8).write(to: folder.appending(path: "api.yaml"))
    }

    private func run(_ words: String...) throws {
        try GenerateCommand.run([path("api.yaml"), "--output", path("API"), "--quiet"] + words)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "API/\(name)"), encoding: .utf8)
    }

    @Test func writesFilesThatAreThenUpToDate() throws {
        #expect(throws: CommandFailure.self) { try run("--check") }
        try run("--dry-run")
        #expect(!FileManager.default.fileExists(atPath: path("API")))
        try run()
        try run("--check")
        #expect(try text("Shop+Models.swift").contains("struct Dish: JSONModel"))
        #expect(try text("Requests/Dishes+Requests.swift").contains("typealias Response = [Dish]"))
    }

    /// A schema whose own name is the Swift name of an older one would take it.
    @Test func namesOfTheLastRunAreKept() throws {
        let old = Self.document.replacing("Guest:", with: "shop-guest:")
        try Data(old.utf8).write(to: folder.appending(path: "api.yaml"))
        try run()
        let new = old.replacing("shop-guest:", with: "ShopGuest: {type: string, enum: [a]}, shop-guest:")
        try Data(new.utf8).write(to: folder.appending(path: "api.yaml"))
        try run()
        #expect(try text("Shop+Models.swift").contains("struct ShopGuest: JSONModel"))
        try run("--check")
        try Data("{\"types\": 1, \"api\": []}".utf8).write(to: folder.appending(path: "API/.hikyaku-names.json"))
        let failure = #expect(throws: CommandFailure.self) { try run() }
        #expect(failure?.message.contains(".hikyaku-names.json:1:21: error") == true, "\(failure?.message ?? "")")
        try FileManager.default.removeItem(at: folder.appending(path: "API/.hikyaku-names.json"))
        try run()
        #expect(try text("Shop+Models.swift").contains("struct ShopGuest: OpenValue"))
    }

    @Test func modelsMayHaveAModuleOfTheirOwn() throws {
        let models = ["--models-module", "ShopModels", "--models-output", path("Models"), "--access", "public"]
        try GenerateCommand.run([path("api.yaml"), "--output", path("API"), "--quiet"] + models)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: path("Models"))
        #expect(paths == ["Shop+Models.swift"])
        #expect(!FileManager.default.fileExists(atPath: path("API/Shop+Models.swift")))
        #expect(try text("Requests/Dishes+Requests.swift").contains("public import Hikyaku\npublic import ShopModels\n"))
        // An import without a use would be a warning.
        #expect(try !text("Requests/Users+Requests.swift").contains("ShopModels"))
        try Data("old".utf8).write(to: folder.appending(path: "Models/Shop+Models.swift"))
        #expect(throws: CommandFailure.self) {
            try GenerateCommand.run([path("api.yaml"), "--output", path("API"), "--quiet", "--check"] + models)
        }
    }

    @Test(arguments: [
        ["--models-module", "ShopModels"], ["--models-output", "Models"],
        ["--models-module", "M", "--models-output", "API/M", "--access", "public"],
        ["--models-module", "M", "--models-output", "Elsewhere"],
    ])
    func modelsOfAnotherModuleNeedAFolderAndAccess(_ words: [String]) {
        let failure = #expect(throws: CommandFailure.self) {
            _ = try GenerateOptions([path("api.yaml"), "--output", "API"] + words)
        }
        #expect(failure?.message.contains("models") == true)
    }

    @Test func onlyGeneratedFilesAreRemovedOrReplaced() throws {
        try run()
        let own = folder.appending(path: "API/Own.swift")
        try Data("// By hand.\n".utf8).write(to: own)
        try run("--filter", "tag:dishes")
        #expect(!FileManager.default.fileExists(atPath: path("API/Requests/Users+Requests.swift")))
        #expect(FileManager.default.fileExists(atPath: own.path))
        #expect(try !text("Shop+Models.swift").contains("Guest"))
        try Data("// changed\n".utf8).write(to: folder.appending(path: "API/Shop.swift"))
        let failure = #expect(throws: CommandFailure.self) { try run("--check") }
        #expect(failure?.message.contains("stale") == true)
    }

    @Test func aFileThatWasNotGeneratedIsNeverReplaced() throws {
        let own = folder.appending(path: "API/Shop.swift")
        try FileManager.default.createDirectory(at: own.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("// By hand.\n".utf8).write(to: own)
        let failure = #expect(throws: CommandFailure.self) { try run() }
        #expect(failure?.message.contains("Shop.swift was not generated") == true)
        #expect(try text("Shop.swift") == "// By hand.\n")
        #expect(!FileManager.default.fileExists(atPath: path("API/Shop+Models.swift")))
    }

    @Test func optionsComeFromTheConfigurationAndTheCommandLine() throws {
        let config = "name: Market\naccess: public\ntypes: {money: Decimal}\nnames: {Dish: Meal, Dish.price: cost}\n"
        try Data(config.utf8).write(to: folder.appending(path: "hikyaku.yaml"))
        try run("--config", path("hikyaku.yaml"), "--rename", "listDishes=All")
        let models = try text("Market+Models.swift")
        #expect(models.contains("public nonisolated struct Meal: JSONModel"))
        #expect(models.contains("public var cost: Decimal"))
        #expect(try text("Requests/Dishes+Requests.swift").contains("public struct All: Market.Request"))
    }

    @Test(arguments: [
        [], ["a.yaml"], ["a.yaml", "b.yaml", "--output", "x"], ["a.yaml", "--output", "x", "--access", "open"],
        ["a.yaml", "--output", "x", "--filter", "pets"], ["a.yaml", "--output", "x", "--type-map", "date"],
    ])
    func invalidCommandLinesAreRejected(_ words: [String]) {
        let failure = #expect(throws: CommandFailure.self) { try GenerateOptions(words) }
        #expect(failure?.status == .usage)
    }

    @Test func anInvalidConfigurationOrDocumentIsAFailure() throws {
        try Data("nam: Market\naccess: open\n".utf8).write(to: folder.appending(path: "hikyaku.yaml"))
        let failure = #expect(throws: CommandFailure.self) { try run("--config", path("hikyaku.yaml")) }
        #expect(failure?.message.contains("hikyaku.yaml:1:1: error: there is no option 'nam'") == true)
        #expect(failure?.message.contains(":2:9: error: 'access' takes internal, package or public") == true)
        #expect(throws: CommandFailure.self) {
            try GenerateCommand.run([path("missing.yaml"), "--output", path("API"), "--quiet"])
        }
    }

    @Test func theSummaryCountsWhatWasReadAndGenerated() throws {
        let options = try GenerateOptions([path("api.yaml"), "--output", path("API")])
        let read = APIDocument.read(path: path("api.yaml"))
        let result = Generator().generate(try #require(read.document))
        let changes = OutputFolder(path("API")).changes(for: result.files)
        let text = GenerateSummary(read: read, result: result, changes: changes, options: options).text
        #expect(text.contains("  operations         2        2 requests"))
        #expect(text.contains("  properties         2                 2"))
        #expect(text.contains("\(result.files.count) new"))
    }
}
