/// Finds properties of requests that have the name of a requirement, and a getter that can't satisfy it.
///
/// One that another protocol requires like this is left alone, and so is one that its type uses.
struct IgnoredPropertyFinder {
    let symbols: SymbolIndex
    /// The requests, with the getters of their properties.
    let types: [ConstType]
    /// The source files that are listed, with their modules.
    let sources: [String: String]
    let uses: NameUses

    private static let propertyKind = "swift.property"

    func found() -> [MisspelledName] {
        types.flatMap(ignored) + symbols.membersOfRequests([Self.propertyKind]).compactMap(ignored)
    }

    private func ignored(in type: ConstType) -> [MisspelledName] {
        let symbol = symbols.symbol(of: type)
        let path = symbol?.path ?? Array(TypeName.components(of: type.name).dropFirst())
        return type.properties.compactMap { property in
            // In conditional extensions, there may be another one with the name.
            let isUsed = type.properties.contains {
                $0.name == property.name && !$0.isStatic && $0.getter == .plain
            }
            guard !isUsed, !uses.hasUse(of: property.name, around: places(in: type, symbol)) else { return nil }
            return ignored(
                property.name,
                property.getter,
                of: symbol,
                type: path,
                at: SymbolGraph.Location(file: property.file, line: property.line),
                protocols: type.libraryProtocols,
            )
        }
    }

    private func places(in type: ConstType, _ symbol: SymbolGraph.Symbol?) -> [SymbolGraph.Location] {
        let members = symbol.map(symbols.members)?.compactMap(\.location) ?? []
        return members + type.properties.map { SymbolGraph.Location(file: $0.file, line: $0.line) }
    }

    /// A property in an extension of a service's protocol.
    private func ignored(_ member: SymbolGraph.Symbol, of owner: SymbolGraph.Symbol) -> MisspelledName? {
        guard owner.kind == "swift.protocol", member.extendedModule != nil, let name = member.path.last,
            let location = member.location
        else { return nil }
        return ignored(
            name,
            Getter(declaration: member.declaration),
            of: owner,
            type: member.path.dropLast(),
            at: location,
            protocols: symbols.libraryProtocols(of: owner),
        )
    }

    private func ignored(
        _ name: String,
        _ getter: Getter,
        of owner: SymbolGraph.Symbol?,
        type: [String],
        at location: SymbolGraph.Location,
        protocols: Set<String>,
    ) -> MisspelledName? {
        guard let kind = getter.kind, sources[location.file] != nil,
            RequestName.meant(by: name, .staticProperty, type: nil, of: protocols) != nil,
            owner.map({ !isRequired(name, of: $0) }) ?? true
        else { return nil }
        return MisspelledName(
            kind: kind,
            name: name,
            meant: name,
            type: type.joined(separator: "."),
            file: location.file,
            line: location.line,
        )
    }

    private func isRequired(_ name: String, of owner: SymbolGraph.Symbol) -> Bool {
        symbols.requirements(of: owner).contains {
            $0.path.last == name && Getter(declaration: $0.declaration) != .plain
        }
    }
}

extension Getter {
    /// The kind of a property that has no effect because of its getter.
    var kind: MisspelledName.Kind? {
        switch self {
        case .plain: nil
        case .lazy: .lazyProperty
        case .mutating: .mutatingProperty
        case .async: .asyncProperty
        case .throws: .throwingProperty
        }
    }
}
