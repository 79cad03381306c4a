import Testing

@testable import HikyakuCommand

struct MisspelledAliasTests {
    @Test(arguments: [
        ("Acces", AssociatedName.access), ("Acess", .access), ("Accesss", .access), ("access", .access),
        ("Accses", .access), ("AccessLevel", nil), ("Reponse", .response), ("Responce", .response),
        ("Responses", .response), ("Respones", .response), ("Defintion", .definition), ("Definitions", .definition),
        ("Failiure", .failure), ("Failures", .failure), ("Access", nil), ("Response", nil), ("Definition", nil),
        ("Failure", nil), ("Model", nil), ("Base", nil), ("Success", nil), ("ID", nil), ("", nil),
    ])
    func nearlyRightNamesAreFound(name: String, meant: AssociatedName?) {
        #expect(AssociatedName.meant(by: name) == meant)
    }

    private func alias(_ identifier: String, _ path: String..., line: Int) -> SymbolGraph.Symbol {
        SymbolGraph.Symbol(
            identifier: identifier,
            kind: "swift.typealias",
            path: path,
            documentation: [],
            location: SymbolGraph.Location(file: "/shop/App.swift", line: line),
            extendedModule: nil,
            isConstrained: false,
        )
    }

    private func catalogue(_ aliases: SymbolGraph.Symbol..., sources: [String: String]) -> Catalogue {
        let graph = SymbolGraph(
            module: "App",
            [
                .type("s:App.Items", "Shop", "Items"), .type("s:Other", "Other"),
                .type("s:P", "Shop", "Request", kind: "protocol"),
            ] + aliases,
            conforming: [("s:App.Items", "s:P"), ("s:P", "s:7Hikyaku10APIRequestP")],
        )
        return CatalogueBuilder(
            package: "Shop",
            root: "/shop",
            sources: sources,
            types: [.sample()],
            graphs: [graph],
            readSource: { _ in nil },
        ).catalogue()
    }

    @Test
    func requestsAndProtocolsOfServicesAreLookedThrough() {
        let aliases = [
            alias("s:App.Items.Acces", "Shop", "Items", "Acces", line: 9),
            alias("s:P.Failur", "Shop", "Request", "Failur", line: 4),
            alias("s:App.Items.Response", "Shop", "Items", "Response", line: 8),
            alias("s:Other.Acces", "Other", "Acces", line: 7),
        ]
        let found = catalogue(aliases[0], aliases[1], aliases[2], aliases[3], sources: ["/shop/App.swift": "App"])
        #expect(
            found.misspelled?.map(\.warning) == [
                "App.swift:4: warning: typealias Failur in Shop.Request is ignored by APIRequest: did you mean Failure?",
                "App.swift:9: warning: typealias Acces in Shop.Items is ignored by APIRequest: did you mean Access?",
            ]
        )
    }

    @Test
    func targetsThatAreNotListedAreNotReported() {
        let alias = alias("s:App.Items.Acces", "Shop", "Items", "Acces", line: 9)
        #expect(catalogue(alias, sources: ["/shop/Other.swift": "App"]).misspelled == nil)
    }
}
