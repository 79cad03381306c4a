/// Finds misspelled names in requests, and in the protocols of services, and the names that other libraries have.
///
/// A name is left alone if the type also has the known one: then it means something else. So is the property that
/// another protocol requires, and one with the name of another library that is used.
struct NearMissFinder {
    let symbols: SymbolIndex
    /// The requests.
    let types: [ConstType]
    /// The source files that are listed, with their modules.
    let sources: [String: String]
    let uses: NameUses

    private static let propertyKind = "swift.property"
    private static let staticPropertyKind = "swift.type.property"
    private static let kinds = SymbolIndex.typeKinds.union(["swift.typealias", propertyKind, staticPropertyKind])

    func found() -> [MisspelledName] {
        let members = symbols.membersOfRequests(Self.kinds)
        let names = Dictionary(grouping: members, by: \.owner.identifier).mapValues { members in
            Set(members.compactMap(\.member.path.last))
        }
        return types.flatMap { misspelledProperties(of: $0, names) }
            + members.compactMap { member, owner in
                misspelled(member, of: owner, names[owner.identifier] ?? [])
                    ?? staticProperty(member, of: owner, members)
            }
    }

    /// An alias or a type in a request or protocol, or a property of a protocol.
    private func misspelled(
        _ member: SymbolGraph.Symbol,
        of owner: SymbolGraph.Symbol,
        _ names: Set<String>,
    ) -> MisspelledName? {
        let kind: MisspelledName.Kind
        switch member.kind {
        case "swift.typealias": kind = .typealias
        // The compiler's constant values have the properties of types, of private ones as well.
        case Self.propertyKind where owner.kind != "swift.protocol", Self.staticPropertyKind: return nil
        case Self.propertyKind: kind = .property
        default: kind = .type
        }
        let type = Self.type(in: member.declaration)
        guard let name = member.path.last, let location = member.location, sources[location.file] != nil else {
            return nil
        }
        let near = RequestName.meant(by: name, kind, type: type, of: symbols.libraryProtocols(of: owner))
        let others = kind == .property ? RequestName.meant(byOtherName: name, type: type) : []
        let known = near.map { [$0] } ?? others
        // A requirement of a service's protocol is there to be used.
        let isUsed = near == nil && (member.extendedModule == nil || uses.hasUse(of: name))
        guard let meant = known.first, names.isDisjoint(with: known), !isUsed else { return nil }
        return MisspelledName(kind, member, at: location, meant: meant)
    }

    /// A static property in an extension of a service's protocol, unless a property of the same name may use it.
    private func staticProperty(
        _ member: SymbolGraph.Symbol,
        of owner: SymbolGraph.Symbol,
        _ members: [(member: SymbolGraph.Symbol, owner: SymbolGraph.Symbol)],
    ) -> MisspelledName? {
        // A static requirement is there to be used.
        guard member.kind == Self.staticPropertyKind, owner.kind == "swift.protocol", member.extendedModule != nil,
            let name = member.path.last, let location = member.location, sources[location.file] != nil,
            RequestName.meant(by: name, .staticProperty, type: nil, of: symbols.libraryProtocols(of: owner)) != nil
        else { return nil }
        let protocols = symbols.protocols(of: owner)
        let isRequired = members.contains { other in
            other.member.path.last == name && other.member.identifier != member.identifier
                && (protocols.contains(other.owner.identifier) || other.owner.identifier == owner.identifier)
        }
        let isUsed = types.contains { type in
            guard let symbol = symbols.symbol(of: type) else { return false }
            return symbols.protocols(of: symbol).contains(owner.identifier)
                && type.properties.contains { $0.name == name && !$0.isStatic }
        }
        guard !isRequired, !isUsed else { return nil }
        return MisspelledName(.staticProperty, member, at: location, meant: name)
    }

    private func misspelledProperties(of type: ConstType, _ names: [String: Set<String>]) -> [MisspelledName] {
        let own = Set(type.properties.filter { !$0.isStatic && $0.getter == .plain }.map(\.name))
        let symbol = symbols.symbol(of: type)
        let required = symbol.map(symbols.requirements)?.compactMap(\.path.last) ?? []
        let inherited = symbol.map(symbols.protocols)?.compactMap { names[$0] } ?? []
        let path = symbol?.path ?? Array(TypeName.components(of: type.name).dropFirst())
        return type.properties.compactMap { property in
            let short = TypeName(genericParametersOf: type.name).short(property.type)
            let kind: MisspelledName.Kind = property.isStatic ? .staticProperty : .property
            let near = RequestName.meant(by: property.name, kind, type: short, of: type.libraryProtocols)
            let others = property.isStatic ? [] : RequestName.meant(byOtherName: property.name, type: short)
            let known = near.map { [$0] } ?? others
            guard sources[property.file] != nil, let meant = known.first, own.isDisjoint(with: known),
                !required.contains(property.name), !inherited.contains(where: { $0.contains(property.name) }),
                near != nil || !uses.hasUse(of: property.name)
            else { return nil }
            return MisspelledName(
                kind: kind,
                name: property.name,
                meant: meant,
                type: path.joined(separator: "."),
                file: property.file,
                line: property.line,
            )
        }
    }

    /// The type in `var name: Type { get }`; `nil` if there is none.
    private static func type(in declaration: String) -> String? {
        guard let colon = declaration.firstRange(of: ": ") else { return nil }
        return String(
            declaration[colon.upperBound...].prefix { $0 != "{" && $0 != "=" }.reversed().drop(while: \.isWhitespace)
                .reversed()
        )
    }
}
