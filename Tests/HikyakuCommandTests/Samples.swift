@testable import HikyakuCommand

extension CatalogueRequest {
    /// A request that says as little as it can.
    static func sample(
        name: String = "Items",
        documentation: String? = nil,
        method: CatalogueValue = CatalogueValue(value: "GET", origin: .default),
        path: CatalogueValue = CatalogueValue(value: "/items", origin: .declared),
        query: CatalogueKeys = .none,
        body: CatalogueValue = CatalogueValue(value: "none", origin: .default),
        environment: CatalogueEnvironment = CatalogueEnvironment(name: nil, baseURL: nil, origin: .computed),
        requiresAuthorization: CatalogueValue? = nil,
        response: String = "[Item]",
        file: String = "Sources/App/Items.swift",
    ) -> Self {
        CatalogueRequest(
            name: name,
            documentation: documentation,
            file: file,
            line: 3,
            method: method,
            path: path,
            query: query,
            parameters: .none,
            body: body,
            environment: environment,
            access: "Public",
            requiresAuthorization: requiresAuthorization,
            response: response,
            failure: "ProblemDetails",
        )
    }
}

extension CatalogueKeys {
    /// No key, by the default implementation.
    static let none = CatalogueKeys(keys: [], isComplete: true, origin: .default)
}

extension Catalogue {
    /// A catalogue of a single chapter.
    static func sample(package: String = "Shop", documentation: String? = nil, _ requests: CatalogueRequest...) -> Self
    {
        let chapter = Chapter(module: "App", path: ["Shop"], documentation: documentation, requests: requests)
        return Catalogue(package: package, chapters: [chapter])
    }
}

extension ConstType {
    /// A request type of the module `App` in the file `/shop/App.swift`.
    static func sample(
        _ name: String = "App.Items",
        mangledName: String? = nil,
        kind: String = "struct",
        conformances: [String] = ["Hikyaku.APIRequest"],
        properties: [ConstProperty] = [],
    ) -> Self {
        ConstType(
            name: name,
            mangledName: mangledName ?? name,
            kind: kind,
            file: "/shop/App.swift",
            line: 2,
            conformances: conformances,
            associatedTypes: [],
            properties: properties,
        )
    }
}

extension ConstProperty {
    /// A property in the first line of `/shop/App.swift`.
    static func sample(
        _ name: String,
        _ type: String,
        _ value: ConstValue,
        isStatic: Bool = false,
        isComputed: Bool = true,
    ) -> Self {
        ConstProperty(
            name: name,
            type: type,
            isStatic: isStatic,
            isComputed: isComputed,
            file: "/shop/App.swift",
            line: 1,
            value: value,
        )
    }
}

extension SymbolGraph {
    init(module: String, _ symbols: [Symbol], conforming relationships: [(String, String)] = []) {
        self.init(
            module: module,
            symbols: symbols,
            relationships: relationships.map { Relationship(kind: "conformsTo", source: $0.0, target: $0.1) },
        )
    }
}

extension SymbolGraph.Symbol {
    static func type(_ identifier: String, _ path: String..., kind: String = "struct") -> Self {
        Self(
            identifier: identifier,
            kind: "swift.\(kind)",
            path: path,
            documentation: [],
            location: nil,
            extendedModule: nil,
            isConstrained: false,
        )
    }

    /// A property in an extension of a protocol, in a line of `/shop/App.swift`.
    static func supplied(
        _ identifier: String,
        _ path: String...,
        in module: String = "App",
        line: Int = 1,
        isConstrained: Bool = false,
    ) -> Self {
        Self(
            identifier: identifier,
            kind: "swift.property",
            path: path,
            documentation: [],
            location: SymbolGraph.Location(file: "/shop/App.swift", line: line),
            extendedModule: module,
            isConstrained: isConstrained,
        )
    }
}
