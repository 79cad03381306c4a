/// The symbols of several modules.
struct SymbolIndex: Sendable {
    /// A default that a protocol's extension supplies.
    struct Default: Equatable, Sendable {
        let location: SymbolGraph.Location
        /// Whether it applies only under a condition.
        let isConstrained: Bool
        /// The module of the extension.
        fileprivate let module: String
        fileprivate let protocolIdentifier: String
    }

    private let symbols: [String: SymbolGraph.Symbol]
    /// The types by their module's name followed by their path.
    private let identifiers: [[String]: [String]]
    private let parents: [String: Set<String>]
    private let defaults: [String: [Default]]
    private let hidden: [String: Set<String>]
    private let members: [(symbol: SymbolGraph.Symbol, module: String)]
    /// What aliases are for.
    private let aliased: Set<String>
    /// What each protocol requires.
    private let requirements: [String: [SymbolGraph.Symbol]]
    /// The members of each type and protocol.
    private let membersByOwner: [String: [SymbolGraph.Symbol]]

    /// The library's own protocol, whose symbol graph may be missing.
    private static let requestProtocol = identifier("APIRequest")

    /// The identifier of a protocol of the library.
    private static func identifier(_ name: String) -> String { "s:7Hikyaku\(name.utf8.count)\(name)P" }

    /// - Parameters:
    ///   - graphs: The symbol graphs.
    ///   - hidden: For each module, the modules that it doesn't depend on.
    init(_ graphs: [SymbolGraph], hidden: [String: Set<String>] = [:]) {
        var symbols: [String: SymbolGraph.Symbol] = [:]
        var identifiers = [["Hikyaku", "APIRequest"]: [Self.requestProtocol]]
        // The library's symbol graph, which has these, may be missing.
        var parents = Dictionary(
            uniqueKeysWithValues: RequestName.furtherProperties.keys.map {
                (Self.identifier($0), Set([Self.requestProtocol]))
            }
        )
        for graph in graphs {
            for symbol in graph.symbols where symbols[symbol.identifier] == nil {
                symbols[symbol.identifier] = symbol
                // A type in an extension of another module's type is found by the names of both modules.
                for module in Set([graph.module, symbol.extendedModule ?? graph.module])
                where Self.typeKinds.contains(symbol.kind) {
                    identifiers[[module] + symbol.path, default: []].append(symbol.identifier)
                }
            }
            for relationship in graph.relationships where relationship.kind == "conformsTo" {
                parents[relationship.source, default: []].insert(relationship.target)
            }
        }
        self.symbols = symbols
        self.identifiers = identifiers
        self.parents = parents
        self.hidden = hidden
        defaults = Self.defaults(in: graphs, identifiers)
        members = graphs.flatMap { graph in
            graph.symbols.filter { $0.path.count > 1 }.map { ($0, $0.extendedModule ?? graph.module) }
        }
        aliased = Set(members.compactMap(\.symbol.alias))
        let owned = members.compactMap { member, module in
            Self.pick(identifiers[[module] + member.path.dropLast()] ?? [], for: member.identifier)
                .map { (owner: $0, member: member) }
        }
        let required = owned.filter { $0.member.extendedModule == nil && symbols[$0.owner]?.kind == "swift.protocol" }
        requirements = Dictionary(grouping: required, by: \.owner).mapValues { $0.map(\.member) }
        membersByOwner = Dictionary(grouping: owned, by: \.owner).mapValues { $0.map(\.member) }
    }

    static let typeKinds: Set = ["swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"]

    private static func defaults(in graphs: [SymbolGraph], _ identifiers: [[String]: [String]]) -> [String: [Default]] {
        var defaults: [String: [Default]] = [:]
        // The library's own defaults are handled elsewhere.
        for graph in graphs where graph.module != "Hikyaku" {
            // A protocol's requirement isn't in an extension, and supplies no value.
            for symbol in graph.symbols
            where symbol.kind == "swift.property" && Getter(declaration: symbol.declaration) == .plain {
                guard let module = symbol.extendedModule, let name = symbol.path.last, let location = symbol.location,
                    let parents = identifiers[[module] + symbol.path.dropLast()],
                    let parent = Self.pick(parents, for: symbol.identifier)
                else { continue }
                let supplied = Default(
                    location: location,
                    isConstrained: symbol.isConstrained,
                    module: graph.module,
                    protocolIdentifier: parent,
                )
                if defaults[name]?.contains(supplied) != true { defaults[name, default: []].append(supplied) }
            }
        }
        return defaults
    }

    /// The symbol of a type from constant extraction.
    func symbol(of type: ConstType) -> SymbolGraph.Symbol? {
        if let symbol = symbols["s:" + type.mangledName] { return symbol }
        // The mangled name of a generic type continues with its parameters.
        let named = identifiers[TypeName.components(of: type.name)] ?? []
        return Self.pick(named, for: "s:" + type.mangledName).flatMap { symbols[$0] }
    }

    /// Of several types with one name, which can be private to their files, the one whose mangled name is a prefix.
    private static func pick(_ identifiers: [String], for mangledName: String) -> String? {
        identifiers.first(where: mangledName.hasPrefix) ?? identifiers.first
    }

    /// The symbol of a type by its module's name followed by its path.
    func symbol(named names: [String]) -> SymbolGraph.Symbol? {
        identifiers[names]?.first.flatMap { symbols[$0] }
    }

    /// The default that a type gets for a property.
    ///
    /// Of several defaults, that of the protocol that refines all others applies. If there is no such protocol, or the
    /// default has a condition, the choice is unknown here.
    ///
    /// - Parameters:
    ///   - property: The property's name.
    ///   - type: The type's symbol.
    ///   - module: The type's module, which must depend on the extension's module.
    /// - Returns: The location of the default, if it is certain.
    func inherited(_ property: String, by type: SymbolGraph.Symbol, in module: String) -> Inheritance {
        let protocols = ancestors(of: type.identifier)
        let candidates = (defaults[property] ?? []).filter {
            protocols.contains($0.protocolIdentifier) && hidden[module]?.contains($0.module) != true
        }
        guard !candidates.isEmpty else { return .nothing }
        let winners = candidates.filter { candidate in
            let above = ancestors(of: candidate.protocolIdentifier)
            return candidates.allSatisfy { $0 == candidate || above.contains($0.protocolIdentifier) }
        }
        guard let winner = winners.first, winners.count == 1, !winner.isConstrained else { return .unclear }
        return .from(winner.location)
    }

    /// The members of some kinds in requests, and in protocols that refine the request protocol.
    ///
    /// - Parameter kinds: The kinds of symbols, such as `swift.typealias`.
    /// - Returns: The members with the symbols of what they are declared in.
    func membersOfRequests(_ kinds: Set<String>) -> [(member: SymbolGraph.Symbol, owner: SymbolGraph.Symbol)] {
        members.filter { kinds.contains($0.symbol.kind) }.compactMap { member, module in
            let parents = identifiers[[module] + member.path.dropLast()] ?? []
            guard let parent = Self.pick(parents, for: member.identifier), let owner = symbols[parent],
                ancestors(of: parent).contains(Self.requestProtocol)
            else { return nil }
            return (member, owner)
        }
    }

    /// The identifiers of a type's protocols, including inherited ones.
    func protocols(of symbol: SymbolGraph.Symbol) -> Set<String> {
        ancestors(of: symbol.identifier)
    }

    /// What the protocols of a symbol require, itself included, besides those of the library's requests.
    func requirements(of symbol: SymbolGraph.Symbol) -> [SymbolGraph.Symbol] {
        let ofLibrary = RequestName.furtherProperties.keys.map(Self.identifier) + [Self.requestProtocol]
        return ancestors(of: symbol.identifier).union([symbol.identifier]).subtracting(ofLibrary)
            .flatMap { requirements[$0] ?? [] }
    }

    /// What a type or protocol and its extensions declare.
    func members(of symbol: SymbolGraph.Symbol) -> [SymbolGraph.Symbol] { membersByOwner[symbol.identifier] ?? [] }

    /// Whether an alias is for a level of access: one of the library, or a type that conforms to its protocol.
    func isAccessLevel(_ alias: SymbolGraph.Symbol) -> Bool {
        let types = reachable(from: alias.identifier) { identifier in
            [(identifier == alias.identifier ? alias : symbols[identifier])?.alias].compactMap(\.self)
        }
        return types.contains { type in
            Self.accessLevels.contains(type) || ancestors(of: type).contains(Self.identifier("AccessLevel"))
        }
    }

    /// Whether another alias is for this one.
    func isAliased(_ alias: SymbolGraph.Symbol) -> Bool { aliased.contains(alias.identifier) }

    /// The identifiers of the library's levels of access, whose symbol graph may be missing.
    private static let accessLevels = Set(
        ["Public", "Authorized", "AuthorizedIfPossible"].map { "s:13HikyakuEngine\($0.utf8.count)\($0)O" }
    )

    /// The names of the library's protocols of a symbol, other than `APIRequest`.
    func libraryProtocols(of symbol: SymbolGraph.Symbol) -> Set<String> {
        let ancestors = ancestors(of: symbol.identifier)
        return Set(RequestName.furtherProperties.keys.filter { ancestors.contains(Self.identifier($0)) })
    }

    enum Inheritance: Equatable, Sendable {
        case nothing
        case unclear
        case from(SymbolGraph.Location)
    }

    private func ancestors(of identifier: String) -> Set<String> {
        reachable(from: identifier) { parents[$0] ?? [] }
    }
}

extension ConstType {
    /// The type with the getters of its properties, which the compiler's list doesn't contain.
    func withGetters(_ symbols: SymbolIndex) -> ConstType {
        let declared = symbols.symbol(of: self).map(symbols.members)?.filter { $0.kind == "swift.property" } ?? []
        let isClass = kind.hasSuffix("class") || kind.hasSuffix("actor")
        let stored = Set(properties.map(\.name))
        var type = self
        for index in properties.indices where !properties[index].isStatic {
            let property = properties[index]
            let named = declared.filter { $0.path.last == property.name }
            if let symbol = named.first(where: { $0.location?.line == property.line }) ?? named.first {
                type.properties[index].getter = Getter(declaration: symbol.declaration)
            } else if !isClass, stored.contains("$__lazy_storage_$_" + property.name) {
                // A private property has no symbol.
                type.properties[index].getter = .lazy
            }
        }
        return type
    }
}
