#if os(macOS) || os(Linux)
import Foundation
import HikyakuGenerate
import Testing

@testable import HikyakuCommand

/// The whole command with the real compiler, on a package of a few files with a replacement for the library.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CompiledCatalogueTests {
    /// Writes the package in `Fixtures/Shop` to a folder.
    private func writePackage(to folder: URL, changing change: (String) -> String = { $0 }) throws {
        for (name, path) in [
            ("Package.swift.text", "Package.swift"), ("Hikyaku.swift.text", "Sources/Hikyaku/Hikyaku.swift"),
            ("Shop.swift.text", "Sources/Shop/Shop.swift"), ("Orders.swift.text", "Sources/Shop/Orders/Orders.swift"),
            ("main.swift.text", "Sources/App/main.swift"),
        ] {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
            )
            try Data(change(try Fixture.text("Shop/\(name)")).utf8).write(to: file)
        }
    }

    private func catalogue(of folder: URL, _ words: String...) async throws -> Catalogue {
        let options = try CatalogueOptions(["--package", folder.path(percentEncoded: false)] + words)
        return try await Fixture.aside { try CatalogueCommand.catalogue(options) }
    }

    @Test
    func listsTheFactsOfTheCompiler() async throws {
        try await Fixture.withTemporaryFolder { folder in
            // A name that has to be escaped in a URL, and quoted in a shell.
            let package = folder.appending(path: "the shop's & é")
            try writePackage(to: package)
            let all = try await catalogue(of: package)
            #expect(MarkdownPage.text(of: all) == (try Fixture.text("Shop/catalogue.md")))
            let left = try FileManager.default.contentsOfDirectory(atPath: package.path(percentEncoded: false)).sorted()
            #expect(left == [".build", "Package.swift", "Sources"])

            // A file that says another thing under another name: what the compiler wrote of the old one stays there.
            let orders = package.appending(path: "Sources/Shop/Orders/Orders.swift")
            let later = package.appending(path: "Sources/Shop/Orders/Purchases.swift")
            let text = try String(contentsOf: orders, encoding: .utf8)
            try FileManager.default.removeItem(at: orders)
            try Data(text.replacing("/orders", with: "/purchases").utf8).write(to: later)
            let renamed = try await catalogue(of: package).chapters.flatMap(\.requests).filter { $0.name == "Orders" }
            #expect(renamed.map(\.file) == ["Sources/Shop/Orders/Purchases.swift"])
            #expect(renamed.map(\.path.value) == ["/purchases"])

            // A single target, with a request less.
            try FileManager.default.removeItem(at: later)
            let shop = try await catalogue(of: package, "--target", "Shop")
            #expect(Set(shop.chapters.map(\.module)) == ["Shop"])
            #expect(shop.requestCount == 4)
            #expect(!shop.chapters.flatMap(\.requests).contains { $0.name == "Orders" })
        }
    }

    @Test
    func reportsMisspelledNames() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try writePackage(to: folder) {
                $0.replacing("typealias Access =", with: "typealias Acces =")
                    .replacing("let method: HTTPMethod =", with: "let methode: HTTPMethod =")
                    .replacing(
                        "var method: HTTPMethod { .purge }",
                        with: "func accepts(_ status: HTTPStatus) async -> Bool { true }",
                    )
                    .replacing("public init() {}", with: "public func prepare(_ request: HTTPRequest) throws {}")
                    .replacing(
                        "public var environment: APIEnvironment { .shop }",
                        with:
                            "public var environment: APIEnvironment { .shop }; public static var parameters: Int { 1 }",
                    )
                    .replacing("var query: RequestQuery { [\"key\"", with: "var querry: RequestQuery { [\"key\"")
            }
            let all = try await catalogue(of: folder)
            #expect(
                all.misspelled?.map(\.warning) == [
                    "Sources/App/main.swift:5: warning: property querry in Shop.Request is ignored by APIRequest: "
                        + "did you mean query?",
                    "Sources/Shop/Shop.swift:19: warning: static property parameters in Shop.Request is ignored by "
                        + "APIRequest: remove static",
                    "Sources/Shop/Shop.swift:30: warning: function prepare(_:) in Shop.Dishes is ignored by APIRequest: "
                        + "write func prepare(_ request: inout HTTPRequest) throws",
                    "Sources/Shop/Shop.swift:37: warning: typealias Acces in Shop.Stock.Left is ignored by APIRequest: "
                        + "did you mean Access?",
                    "Sources/Shop/Shop.swift:42: warning: function accepts(_:) in Shop.Stock.Left is ignored by "
                        + "APIRequest: write func accepts(_ status: HTTPStatus) -> Bool",
                    "Sources/Shop/Shop.swift:45: warning: property body in Shop.Stock.Left is sent by GET, and GET has no "
                        + "body: did you forget method?",
                    "Sources/Shop/Shop.swift:59: warning: property methode in Shop.Hidden is ignored by APIRequest: "
                        + "did you mean method?",
                ]
            )
            #expect(try JSONPage.text(of: all).contains("\"misspelled\""))
        }
    }

    /// Members of a request that compile, and that nothing uses.
    private static let ignored = """
        public func accept(_ status: HTTPStatus) -> Bool { true }
        public func prepare(request: inout HTTPRequest) throws {}
        public typealias Authorization = Authorized
        public var timeoutInterval: Double { 5 }
        public init() {}
        """

    @Test
    func reportsWhatHasNoEffect() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try writePackage(to: folder) {
                $0.replacing(
                    "var query: RequestQuery { [\"page\": 1, kind: 2] }",
                    with: "lazy var query: RequestQuery = [:]",
                )
                .replacing("{ .json([\"id\": id]) }", with: "{ get throws { .json([\"id\": id]) } }")
                .replacing("public init() {}", with: Self.ignored)
                .replacing("var method: HTTPMethod { .delete }", with: "var httpMethod: HTTPMethod { .delete }")
            }
            let output = folder.appending(path: "page.json").path(percentEncoded: false)
            let words = ["--package", folder.path(percentEncoded: false), "--output", output]
            let failure = await #expect(throws: CommandFailure.self) {
                try await Fixture.aside { try CatalogueCommand.run(words + ["--strict"]) }
            }
            #expect(failure?.status == .failure)
            let message = "there are 7 warnings, which --strict doesn't allow; correct the lines that they name"
            #expect(failure?.message == message)
            let page = try Data(contentsOf: URL(filePath: output))
            struct Page: Decodable {
                struct Ignored: Decodable { let kind: String, name: String, meant: String, type: String, line: Int }
                let misspelled: [Ignored]
            }
            let ignored = try JSONDecoder().decode(Page.self, from: page).misspelled.map {
                "\($0.line): \($0.kind) \($0.name) in \($0.type): \($0.meant)"
            }
            #expect(
                ignored == [
                    "17: property httpMethod in Shop.Late: method",
                    "30: function accept(_:) in Shop.Dishes: func accepts(_ status: HTTPStatus) -> Bool",
                    "31: function prepare(request:) in Shop.Dishes: "
                        + "func prepare(_ request: inout HTTPRequest) throws",
                    "32: typealias Authorization in Shop.Dishes: Access",
                    "33: property timeoutInterval in Shop.Dishes: timeout",
                    "48: lazy property query in Shop.Stock.Left: query",
                    "49: throwing property body in Shop.Stock.Left: body",
                ]
            )
            // Without the option, the command succeeds.
            try await Fixture.aside { try CatalogueCommand.run(words) }
        }
    }

    @Test
    func aStrictCatalogueWithoutWarningsSucceeds() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try writePackage(to: folder) {
                $0.replacing("var method: HTTPMethod { .purge }", with: "var method: HTTPMethod { .post }")
            }
            let page = folder.appending(path: "page.md").path(percentEncoded: false)
            let words = ["--strict", "--package", folder.path(percentEncoded: false), "--output", page]
            try await Fixture.aside { try CatalogueCommand.run(words) }
            #expect(try String(contentsOfFile: page, encoding: .utf8).contains("# "))
        }
    }

    @Test
    func listsTheSameWhereLinesEndWithAReturnToo() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try writePackage(to: folder) { $0.replacing("\n", with: "\r\n") }
            let all = try await catalogue(of: folder)
            #expect(MarkdownPage.text(of: all) == (try Fixture.text("Shop/catalogue.md")))
        }
    }

    @Test
    func showsTheCompilerErrorsOfABrokenPackage() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try writePackage(to: folder) { $0.replacing("struct Dishes", with: "struct Dishes: NoSuchType") }
            let failure = await #expect(throws: CommandFailure.self) { try await catalogue(of: folder) }
            #expect(failure?.status == .failure)
            #expect(failure?.message.contains("doesn't build; correct what 'swift build' reports, ") == true)
            #expect(failure?.message.contains("cannot find type 'NoSuchType' in scope") == true)
        }
    }

    @Test
    func explainsWhatToCheckWithoutRequests() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try writePackage(to: folder)
            let failure = await #expect(throws: CommandFailure.self) {
                try await catalogue(of: folder, "--target", "Hikyaku")
            }
            #expect(failure?.message.hasPrefix("no request was found in Shop, in Hikyaku.\n") == true)
        }
    }

    @Test
    func rejectsAMissingTarget() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try writePackage(to: folder)
            let failure = await #expect(throws: CommandFailure.self) {
                try await catalogue(of: folder, "--target", "Stop")
            }
            #expect(
                failure?.message
                    == "the package Shop has no target Stop of Swift code; it has App, Hikyaku, Shop"
            )
        }
    }

    @Test
    func rejectsAFolderWithoutAPackage() async throws {
        try await Fixture.withTemporaryFolder { folder in
            let path = folder.path(percentEncoded: false)
            let (missing, file) = (folder.appending(path: "nope"), folder.appending(path: "file"))
            try Data().write(to: file)
            for (package, reason) in [
                (folder, "there is no Package.swift in \(path)"),
                (missing, "there is no folder \(missing.path(percentEncoded: false))"),
                (file, "\(file.path(percentEncoded: false)) is a file"),
            ] {
                let failure = #expect(throws: CommandFailure.self) {
                    let options = try CatalogueOptions(["--package", package.path(percentEncoded: false)])
                    _ = try CatalogueCommand.catalogue(options) { Issue.record("it says that it builds") }
                }
                #expect(failure == CommandFailure("\(reason); use --package for the folder of a Swift package"))
            }
            try FileManager.default.removeItem(at: file)
            let left = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(left.isEmpty)
        }
    }

    @Test
    func showsWhatIsWrongWithAManifest() async throws {
        try await Fixture.withTemporaryFolder { folder in
            try Data("let package = 1".utf8).write(to: folder.appending(path: "Package.swift"))
            let failure = await #expect(throws: CommandFailure.self) { try await catalogue(of: folder) }
            #expect(failure?.status == .failure)
            #expect(failure?.message.contains("can't be read; correct what 'swift package describe' ") == true)
            #expect(failure?.message.contains("error:") == true)
        }
    }

    @Test
    func writesNoPageWhereItFails() async throws {
        try await Fixture.withTemporaryFolder { folder in
            let page = folder.appending(path: "page.md").path(percentEncoded: false)
            try WholeFile.write("before", to: page)
            let words = ["--package", folder.path(percentEncoded: false), "--output", page]
            await #expect(throws: CommandFailure.self) { try await Fixture.aside { try CatalogueCommand.run(words) } }
            #expect(try String(contentsOfFile: page, encoding: .utf8) == "before")
        }
    }
}
#endif
