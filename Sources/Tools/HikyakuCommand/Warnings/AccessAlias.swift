/// Finds type aliases of requests for a level of access that are not named `Access`, so that they have no effect.
///
/// An alias beside `Access` is left alone. So is one that another protocol requires, and one that is used.
struct AccessAliasFinder {
    let symbols: SymbolIndex
    /// The source files that are listed, with their modules.
    let sources: [String: String]
    let uses: NameUses

    private static let name = "Access"
    private static let aliasKind = "swift.typealias"

    func found() -> [MisspelledName] {
        let members = symbols.membersOfRequests(SymbolIndex.typeKinds.union([Self.aliasKind]))
        let names = Dictionary(grouping: members, by: \.owner.identifier).mapValues { members in
            Set(members.compactMap(\.member.path.last))
        }
        return members.compactMap { member, owner in
            guard member.kind == Self.aliasKind, let location = member.location, sources[location.file] != nil,
                let name = member.path.last, names[owner.identifier]?.contains(Self.name) != true,
                !RequestName.associatedTypes.contains(name),
                // A name that is nearly the known one is reported in any case.
                RequestName.meant(by: name, .typealias, type: nil) == nil,
                symbols.isAccessLevel(member), !symbols.isAliased(member),
                !symbols.requirements(of: owner).contains(where: { $0.path.last == name }), !uses.hasUse(of: name)
            else { return nil }
            return MisspelledName(.typealias, member, at: location, meant: Self.name)
        }
    }
}
