import Foundation
import Testing

@testable import HikyakuCommand

/// The catalogue of `Examples/QiitaReader`, from what the compiler of Swift 6.3.1 wrote of it.
///
/// The description of the module is cut down to the namespace `Qiita` and to what is read of a symbol; paths begin with
/// `/package`. The pages are what `hikyaku catalogue --package Examples/QiitaReader` writes.
struct RecordedCatalogueTests {
    private func catalogue() throws -> Catalogue {
        let source = try Fixture.text("QiitaReader/Requests.swift.text")
        let file = "/package/Sources/QiitaReader/Qiita/Requests.swift"
        return CatalogueBuilder(
            package: "QiitaReader",
            root: "/package",
            sources: [file: "QiitaReader"],
            types: try ConstType.list(from: Fixture.data("QiitaReader/Requests.swift.swiftconstvalues")),
            graphs: [try SymbolGraph(from: Fixture.data("QiitaReader/QiitaReader.symbols.json"))],
            readSource: { $0 == file ? source : nil },
        ).catalogue()
    }

    @Test(arguments: [
        (CatalogueOptions.Format.html, "html"), (.markdown, "md"), (.json, "json"),
    ])
    func pageIsAsRecorded(format: CatalogueOptions.Format, name: String) throws {
        let page = try CatalogueCommand.page(of: catalogue(), format)
        #expect(page == (try Fixture.text("QiitaReader/catalogue.\(name)")))
    }

    @Test
    func showsTheOriginOfValues() throws {
        let requests = try #require(catalogue().chapters.first).requests
        let items = try #require(requests.first)
        #expect(items.method == CatalogueValue(value: "GET", origin: .default))
        #expect(items.path == CatalogueValue(value: "/items", origin: .declared))
        #expect(
            items.query == CatalogueKeys(keys: ["page", "per_page", "query"], isComplete: true, origin: .declared)
        )
        #expect(items.environment.origin == .inherited)
        #expect(
            requests.map(\.path.value) == [
                "/items", "/items/{id}", "/items/{itemID}/comments", "/authenticated_user", "/access_tokens", "/items",
            ]
        )
    }

    /// A file may hold hundreds of requests.
    @Test
    func readsAFileOnce() {
        let constant = ConstProperty.sample("path", "Hikyaku.RequestPath", .literal("/"), isComputed: false)
        let template = ConstProperty.sample("path", "Hikyaku.RequestPath", .interpolation([.literal("/"), .runtime]))
        let types: [ConstType] = (1...20).map { (number: Int) in
            .sample("App.Items\(number)", properties: [number < 10 ? constant : template])
        }
        var read: [String] = []
        let catalogue = CatalogueBuilder(
            package: "Shop",
            root: "/shop",
            sources: ["/shop/App.swift": "App"],
            types: types,
            graphs: [],
            readSource: { path in
                read.append(path)
                return "let path: RequestPath = \"/\\(id)\""
            },
        ).catalogue()
        #expect(catalogue.requestCount == 20)
        let requests = catalogue.chapters.flatMap(\.requests)
        #expect(requests.filter { $0.path.value == "/{id}" }.count == 11)
        #expect(read == ["/shop/App.swift"])
    }

    @Test
    func listsNothingOfOtherFiles() throws {
        let builder = CatalogueBuilder(
            package: "QiitaReader",
            root: "/package",
            sources: ["/package/Sources/Other/Other.swift": "Other"],
            types: try ConstType.list(from: Fixture.data("QiitaReader/Requests.swift.swiftconstvalues")),
            graphs: [],
            readSource: { _ in nil },
        )
        #expect(builder.catalogue() == Catalogue(package: "QiitaReader", chapters: []))
    }
}
