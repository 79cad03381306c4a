/// Finds functions of requests that nothing calls: with the name of a requirement and another declaration, or with
/// nearly its name.
///
/// One beside the right function is left alone, since the right one may call it. So is what another protocol requires,
/// and a function with nearly the name that is called or passed on somewhere.
struct IgnoredFunctionFinder {
    let symbols: SymbolIndex
    /// The source files that are listed, with their modules.
    let sources: [String: String]
    let uses: NameUses

    private static let methodKind = "swift.method"

    func found() -> [MisspelledName] {
        let members = symbols.membersOfRequests([Self.methodKind])
        let functions = Dictionary(grouping: members, by: \.owner.identifier).mapValues { $0.map(\.member) }
        return members.compactMap { member, owner in
            guard let name = member.path.last, let location = member.location, sources[location.file] != nil,
                !Self.isRequirement(member, owner),
                let known = meant(by: member, name, of: owner, functions),
                !isUsed(known, by: functions[owner.identifier] ?? [])
            else { return nil }
            return MisspelledName(.function, member, at: location, meant: known.declaration)
        }
    }

    private func meant(
        by member: SymbolGraph.Symbol,
        _ name: String,
        of owner: SymbolGraph.Symbol,
        _ functions: [String: [SymbolGraph.Symbol]],
    ) -> RequestFunction? {
        if let known = RequestFunction.all.first(where: { $0.name == name }) {
            let isIgnored = known.fit(member.declaration) == .ignored && !isRequired(known, of: owner, functions)
            return isIgnored ? known : nil
        }
        guard let meant = RequestFunction.meant(by: name, member.declaration),
            !symbols.requirements(of: owner).contains(where: { $0.path.last == name }),
            !uses.hasUse(ofFunction: name)
        else { return nil }
        return meant
    }

    /// Whether other functions of a type may call one with this name.
    private func isUsed(_ known: RequestFunction, by functions: [SymbolGraph.Symbol]) -> Bool {
        functions.contains { other in
            if known.name == "response(from:)", other.path.last == "response(streaming:context:)" { return true }
            return other.path.last == known.name && known.fit(other.declaration) == .right
        }
    }

    private func isRequired(
        _ known: RequestFunction,
        of owner: SymbolGraph.Symbol,
        _ functions: [String: [SymbolGraph.Symbol]],
    ) -> Bool {
        symbols.protocols(of: owner).flatMap { functions[$0] ?? [] }.contains {
            $0.extendedModule == nil && $0.path.last == known.name && known.fit($0.declaration) != .right
        }
    }

    private static func isRequirement(_ member: SymbolGraph.Symbol, _ owner: SymbolGraph.Symbol) -> Bool {
        owner.kind == "swift.protocol" && member.extendedModule == nil
    }
}
