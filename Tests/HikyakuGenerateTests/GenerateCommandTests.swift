import Foundation
import HikyakuOpenAPI
import TestSupport
import Testing

@testable import HikyakuGenerate

@Suite struct GenerateCommandTests {
    private let command = GenerateCommand(name: "generate")
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
        try command.run([path("api.yaml"), "--output", path("API"), "--quiet"] + words)
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
        try command.run([path("api.yaml"), "--output", path("API"), "--quiet"] + models)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: path("Models"))
        #expect(paths == ["Shop+Models.swift"])
        #expect(!FileManager.default.fileExists(atPath: path("API/Shop+Models.swift")))
        let imports = "public import Hikyaku\npublic import ShopModels\n"
        #expect(try text("Requests/Dishes+Requests.swift").contains(imports))
        // An import without a use would be a warning.
        #expect(try !text("Requests/Users+Requests.swift").contains("ShopModels"))
        try Data("old".utf8).write(to: folder.appending(path: "Models/Shop+Models.swift"))
        #expect(throws: CommandFailure.self) {
            try command.run([path("api.yaml"), "--output", path("API"), "--quiet", "--check"] + models)
        }
    }

    @Test(arguments: [
        ["--models-module", "ShopModels"], ["--models-output", "Models"],
        ["--models-module", "M", "--models-output", "API/M", "--access", "public"],
        ["--models-module", "M", "--models-output", "Elsewhere"],
        ["--models-module", "a b", "--models-output", "Elsewhere", "--access", "public"],
    ])
    func modelsOfAnotherModuleNeedAFolderAndAccess(_ words: [String]) {
        let failure = #expect(throws: CommandFailure.self) {
            try command.run([path("api.yaml"), "--output", "API", "--dry-run"] + words)
        }
        #expect(failure?.message.contains("models") == true)
    }

    @Test func aFilterThatNothingFitsReplacesNothing() throws {
        try run()
        let failure = #expect(throws: CommandFailure.self) { try run("--filter", "tag:nope") }
        #expect(failure?.message.contains("fits the filter") == true)
        #expect(try text("Requests/Users+Requests.swift").contains("ListUsers"))
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
        #expect(failure?.message.contains("API is stale: run 'generate' again, without --check") == true)
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

    enum Obstacle: CaseIterable {
        case pipe, socket, device, brokenLink, unreadable, folder
    }

    @Test(arguments: Obstacle.allCases) func nothingButAGeneratedFileIsReplaced(_ obstacle: Obstacle) throws {
        let own = path("API/Shop.swift")
        try FileManager.default.createDirectory(atPath: path("API"), withIntermediateDirectories: true)
        switch obstacle {
        case .pipe: try #require(mkfifo(own, 0o600) == 0)
        case .socket: guard SpecialFile.makeSocket(at: own) else { return }
        case .device: guard SpecialFile.makeDevice(at: own) else { return }
        case .brokenLink: try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: path("none"))
        case .folder: try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        case .unreadable:
            try Data("// By hand.\n".utf8).write(to: URL(filePath: own))
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: own)
        }
        let before = try FileManager.default.attributesOfItem(atPath: own)[.systemFileNumber] as? Int
        try run("--dry-run")
        #expect(throws: CommandFailure.self) { try run("--check") }
        let failure = #expect(throws: CommandFailure.self) { try run() }
        #expect(failure?.message.contains("Shop.swift") == true, "\(failure?.message ?? "")")
        #expect(try FileManager.default.attributesOfItem(atPath: own)[.systemFileNumber] as? Int == before)
        #expect(!FileManager.default.fileExists(atPath: path("API/Shop+Models.swift")))
    }

    @Test func noFileIsWrittenThroughALinkToAFolderElsewhere() throws {
        for name in ["API", "Elsewhere"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        }
        let link = path("API/Requests")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path("Elsewhere"))
        let failure = #expect(throws: CommandFailure.self) { try run() }
        #expect(failure?.message.contains("leads out of the folder") == true, "\(failure?.message ?? "")")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("Elsewhere")).isEmpty)
    }

    @Test func aFolderInsideWithFilesOfItsOwnIsLeftAlone() throws {
        try command.run([path("api.yaml"), "--output", path("API/Inner"), "--quiet"])
        try run()
        try run()
        #expect(try text("Inner/Shop.swift") == text("Shop.swift"))
    }

    @Test func aNameOfAFileBeginsNoLine() throws {
        try run()
        let text = try text("Shop.swift")
        try Data(text.utf8).write(to: folder.appending(path: "API/a\nfake: error: b.swift"))
        let failure = #expect(throws: CommandFailure.self) { try run("--check") }
        #expect(failure?.message.contains("a\\u{A}fake: error: b.swift") == true, "\(failure?.message ?? "")")
        try run("--dry-run")
    }

    /// 255 bytes are the most that a disk has room for.
    @Test func aLongNameGetsAShorterFile() throws {
        let long = String(repeating: "あ", count: 150)
        let titled = Self.document.replacing("title: Shop", with: "title: \(long)")
        let document = titled.replacing("[users]", with: "[\(long)]")
        try Data(document.utf8).write(to: folder.appending(path: "api.yaml"))
        try run()
        try run("--check")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: path("API"))
        #expect(paths.allSatisfy { $0.utf8.count <= 220 } && paths.count == 6, "\(paths)")
    }

    @Test(arguments: ["document", "output", "modelsOutput", "overlays"])
    func aPathInAConfigurationHasNoNUL(member: String) throws {
        try Data("\(member): \"a\\0b\"\n".utf8).write(to: folder.appending(path: "hikyaku.yaml"))
        let failure = #expect(throws: CommandFailure.self) { try run("--config", path("hikyaku.yaml")) }
        #expect(failure?.status == .usage && failure?.message.contains("has a NUL") == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["api.yaml", "hikyaku.yaml"])
    }

    @Test func optionsComeFromTheConfigurationAndTheCommandLine() throws {
        let config = "name: Market\naccess: public\ntypes: {money: Decimal}\nnames: {Dish: Meal, Dish.price: cost}\n"
        try Data(config.utf8).write(to: folder.appending(path: "hikyaku.yaml"))
        try run("--config", path("hikyaku.yaml"), "--rename", "listDishes=All")
        let models = try text("Market+Models.swift")
        #expect(models.contains("public struct Meal: JSONModel"))
        #expect(models.contains("public var cost: Decimal"))
        #expect(try text("Requests/Dishes+Requests.swift").contains("public struct All: Market.Request"))
    }

    @Test(arguments: [
        ["--config-folder", "/nowhere"], ["a.yaml"], ["a.yaml", "--output", "x", "--files", "0"],
        ["a.yaml", "b.yaml", "--output", "x"], ["a.yaml", "--output", "x", "--access", "open"],
        ["a.yaml", "--output", "x", "--filter", "pets"], ["a.yaml", "--output", "x", "--type-map", "date"],
        ["a.yaml", "--output", "x", "--type-map", "date=Int; let b"],
        ["a.yaml", "--output", "x", "--base-url", "shop.example.com"],
        ["a.yaml", "--output", "x", "--base-url", "https://"],
        ["a.yaml", "--output", "x", "--base-url", "https://.x.example"],
        ["a.yaml", "--output", "x", "--base-url", "https://a..b"],
    ])
    func invalidCommandLinesAreRejected(_ words: [String]) {
        let failure = #expect(throws: CommandFailure.self) { try command.run(words) }
        #expect(failure?.status == .usage)
    }

    @Test(arguments: [
        (["a.yaml", "--outptu", "x"], "there is no option --outptu: did you mean --output?"),
        (["a.yaml", "--dryrun"], "there is no option --dryrun: did you mean --dry-run?"),
        (["a.yaml", "--base-ur=x", "--alow-urls"], "there is no option --alow-urls: did you mean --allow-urls?"),
        (["a.yaml", "--colour", "x"], "there is no option --colour"),
        (["a.yaml", "--m", "x"], "--m is the beginning of several options: --models-module, --models-output"),
        (
            ["a.yaml", "--output", "x", "--access", "pubilc"],
            "--access takes internal, package or public, not pubilc: did you mean public?",
        ),
        (
            ["a.yaml", "--output", "x", "--filter", "tga:dishes"],
            "--filter takes tag:NAME, path:/PATH or operation:ID, not tga:dishes: did you mean tag?",
        ),
    ])
    func aMisspelledOptionIsSuggested(_ words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try command.run(words) }
        #expect(failure?.message == message + "\n'generate --help' lists the commands and options.")
    }

    @Test(arguments: [
        ("nam: A", ":1:1: error: there is no option 'nam': did you mean 'name'?"),
        ("basURL: A", ":1:1: error: there is no option 'basURL': did you mean 'baseURL'?"),
        ("overlay: A", ":1:1: error: there is no option 'overlay': did you mean 'overlays'?"),
        ("colour: A", ":1:1: error: there is no option 'colour'\n"),
        ("access: pubilc", ":1:9: error: 'access' takes internal, package or public: did you mean 'public'?"),
    ])
    func aMisspelledMemberOfAConfigurationIsSuggested(_ text: String, message: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: "hikyaku.yaml"))
        let failure = #expect(throws: CommandFailure.self) { try run("--config", path("hikyaku.yaml")) }
        #expect(failure?.status == .usage)
        #expect(
            ((failure?.message ?? "") + "\n").contains("hikyaku.yaml" + message) == true,
            "\(failure?.message ?? "")",
        )
    }

    @Test func anInvalidConfigurationOrDocumentIsAFailure() throws {
        try Data("nam: Market\naccess: open\n".utf8).write(to: folder.appending(path: "hikyaku.yaml"))
        let failure = #expect(throws: CommandFailure.self) { try run("--config", path("hikyaku.yaml")) }
        #expect(failure?.message.contains("hikyaku.yaml:1:1: error: there is no option 'nam'") == true)
        #expect(failure?.message.contains(":2:9: error: 'access' takes internal, package or public") == true)
        #expect(throws: CommandFailure.self) {
            try command.run([path("missing.yaml"), "--output", path("API"), "--quiet"])
        }
    }

    @Test func aCheckNamesTheFilesThatAreStale() throws {
        try run()
        try FileManager.default.removeItem(atPath: path("API/Shop.swift"))
        try Data("// Generated by `hikyaku generate` once\n".utf8).write(to: folder.appending(path: "API/Old.swift"))
        try Data("// Generated by `hikyaku generate`\n".utf8).write(to: folder.appending(path: "API/Shop+Models.swift"))
        let failure = #expect(throws: CommandFailure.self) { try run("--check") }
        let lines = failure?.message.split(separator: "\n").dropFirst()
        #expect(lines == ["  new      Shop.swift", "  changed  Shop+Models.swift", "  removed  Old.swift"])
        #expect(FileManager.default.fileExists(atPath: path("API/Old.swift")), "a check writes nothing")
        try run()
        try run("--check")
        #expect(!FileManager.default.fileExists(atPath: path("API/Old.swift")))
    }

    @Test func aConfigurationNamesDocumentOutputAndOverlays() throws {
        try FileManager.default.createDirectory(atPath: path("settings"), withIntermediateDirectories: true)
        let overlay = """
            overlay: 1.0.0
            info: {title: o, version: '1'}
            actions: [{target: $.info, update: {title: Kitchen}}]
            """
        try Data(overlay.utf8).write(to: folder.appending(path: "settings/overlay.yaml"))
        let config = "document: ../api.yaml\noutput: ../API\noverlays: [overlay.yaml]\nallowURLs: false\n"
        try Data(config.utf8).write(to: folder.appending(path: "settings/hikyaku.yaml"))
        try command.run(["--config", path("settings/hikyaku.yaml"), "--quiet"])
        #expect(try text("Kitchen.swift").contains("enum Kitchen"))
        try command.run(["--config-folder", path("settings"), "--quiet", "--check"])
        let other = ["--config", path("settings/hikyaku.yaml"), "--quiet", "--output", path("Other")]
        try command.run(other)
        #expect(FileManager.default.fileExists(atPath: path("Other/Kitchen.swift")), "the command line comes first")
    }

    @Test func aConfigurationWithoutADocumentIsForTheOneBesideIt() throws {
        let config = folder.appending(path: "hikyaku.yml")
        try Data("output: API\nname: Market\n".utf8).write(to: config)
        let failure = #expect(throws: CommandFailure.self) {
            try command.run(["--config", path("hikyaku.yml"), "--quiet"])
        }
        #expect(failure?.message.contains("there is no openapi.yaml or openapi.json beside it") == true)
        try Data(Self.document.utf8).write(to: folder.appending(path: "openapi.yaml"))
        try command.run(["--config", path("hikyaku.yml"), "--quiet"])
        #expect(try text("Market.swift").contains("enum Market"))
    }

    @Test func eachConfigurationThatIsFoundIsRun() throws {
        for name in ["One", "Two", "Plugin"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
            try Data(Self.document.utf8).write(to: folder.appending(path: "\(name)/openapi.yaml"))
            let output = name == "Plugin" ? "" : "output: Made\n"
            try Data("name: \(name)\n\(output)".utf8).write(to: folder.appending(path: "\(name)/hikyaku.yaml"))
        }
        let search = ["One", "Two", "Plugin", "missing"].flatMap { ["--config-folder", path($0)] } + ["--quiet"]
        try command.run(search)
        #expect(FileManager.default.fileExists(atPath: path("One/Made/One.swift")))
        #expect(FileManager.default.fileExists(atPath: path("Two/Made/Two.swift")))
        let failure = #expect(throws: CommandFailure.self) { try command.run(search + ["--name", "X"]) }
        #expect(failure?.message.hasPrefix("--name is for one document") == true)
        try Data("name: [".utf8).write(to: folder.appending(path: "One/hikyaku.yaml"))
        try Data("nam: x\noutput: y".utf8).write(to: folder.appending(path: "Two/hikyaku.yaml"))
        let both = #expect(throws: CommandFailure.self) { try command.run(search) }
        #expect(both?.message.contains("One/hikyaku.yaml") == true)
        #expect(both?.message.contains("there is no option 'nam'") == true)
    }

    @Test(arguments: [
        "document: []", "document: ''", "output: 'https://a.example/b'", "overlays: [[]]", "allowURLs: 1",
    ])
    func filesOfAConfigurationAreChecked(_ text: String) throws {
        try Data("\(text)\n".utf8).write(to: folder.appending(path: "hikyaku.yaml"))
        let failure = #expect(throws: CommandFailure.self) { try run("--config", path("hikyaku.yaml")) }
        #expect(failure?.message.contains("hikyaku.yaml:1:") == true)
    }

    @Test func aNumberOfFilesIsWrittenExactly() throws {
        try run("--files", "2")
        let names = try FileManager.default.contentsOfDirectory(atPath: path("API")).sorted()
        #expect(names == ["HikyakuAPI+1.swift", "HikyakuAPI+2.swift"])
        try run("--files", "2", "--check")
        try run("--files", "1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("API")) == ["HikyakuAPI+1.swift"])
        #expect(try text("HikyakuAPI+1.swift").contains("struct ListDishes"))
    }

    @Test func aProgramWithoutAClientLoadsNoURL() throws {
        let failure = #expect(throws: CommandFailure.self) {
            try command.run(["https://a.example/openapi.yaml", "--allow-urls", "--output", path("API"), "--quiet"])
        }
        #expect(failure?.message.contains("'generate' loads no URLs; use 'hikyaku generate --allow-urls'") == true)
    }

    @Test func urlsAreLoadedIfTheyAreAllowed() throws {
        let loaded = GenerateCommand(name: "generate") { url in
            guard url == "https://a.example/openapi.yaml" else { throw LoadingFailure("unexpected") }
            return Array(Self.document.utf8)
        }
        let words = ["https://a.example/openapi.yaml", "--output", path("API"), "--quiet"]
        let failure = #expect(throws: CommandFailure.self) { try loaded.run(words) }
        #expect(failure?.message.contains("URLs are only loaded with --allow-urls") == true)
        try loaded.run(words + ["--allow-urls"])
        #expect(try text("Shop.swift").contains("enum Shop"))
    }

    @Test func helpFitsATerminal() {
        for line in command.help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
