@testable import HikyakuCommand

extension SymbolGraph.Symbol {
    /// A member of the type or protocol `Shop.Items` or `Shop.Request`, in a line of `/shop/App.swift`.
    ///
    /// - Parameters:
    ///   - kind: What it is, without `swift.`.
    ///   - name: Its name; of a function, with its labels.
    ///   - declaration: What the compiler writes of it.
    ///   - owner: The name of the type or protocol.
    ///   - line: The line, which makes its identifier unique too.
    ///   - module: The module of the extended type, if it is in an extension.
    ///   - alias: The identifier of the type that an alias is for.
    /// - Returns: The symbol.
    static func member(
        _ kind: String,
        _ name: String,
        _ declaration: String = "",
        of owner: String = "Items",
        line: Int = 7,
        extending module: String? = nil,
        alias: String? = nil,
    ) -> Self {
        Self(
            identifier: (owner == "Request" ? "s:P" : "s:App.\(owner)") + ".\(name)\(line)",
            kind: "swift.\(kind)",
            path: ["Shop", owner, name],
            documentation: [],
            location: SymbolGraph.Location(file: "/shop/App.swift", line: line),
            extendedModule: module,
            isConstrained: false,
            declaration: declaration,
            alias: alias,
        )
    }
}

/// The warnings about the request `Shop.Items`, which conforms to `Shop.Request`.
///
/// - Parameters:
///   - members: The symbols besides these two.
///   - properties: The constant values of the request.
///   - kind: The kind of the request's type.
///   - sources: The listed files, with their modules.
///   - texts: The contents of files.
///   - conformances: The library's protocols that `Shop.Request` refines.
///   - relationships: The conformances of other symbols.
/// - Returns: The lines, sorted by file and line.
func warnings(
    _ members: [SymbolGraph.Symbol],
    properties: [ConstProperty] = [],
    kind: String = "struct",
    sources: [String: String] = ["/shop/App.swift": "App"],
    texts: [String: String] = [:],
    conformances: [String] = ["APIRequest"],
    relationships: [(String, String)] = [],
) -> [String] {
    let graph = SymbolGraph(
        module: "App",
        [.type("s:App.Items", "Shop", "Items"), .type("s:P", "Shop", "Request", kind: "protocol")] + members,
        conforming: [("s:App.Items", "s:P")] + conformances.map { ("s:P", "s:7Hikyaku\($0.utf8.count)\($0)P") }
            + relationships,
    )
    return CatalogueBuilder(
        package: "Shop",
        root: "/shop",
        sources: sources,
        types: [
            .sample(
                kind: kind,
                conformances: (conformances + ["APIRequest"]).map { "Hikyaku.\($0)" },
                properties: properties,
            )
        ],
        graphs: [graph],
        readSource: { texts[$0] },
    ).catalogue().misspelled?.map(\.warning) ?? []
}
