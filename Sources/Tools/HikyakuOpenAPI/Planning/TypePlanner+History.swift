extension TypePlanner {
    /// Names for the members of a type, with those of an earlier run.
    func memberNames(of name: NameWish, reserved: Set<String> = []) -> MemberNames {
        MemberNames(reserved: reserved, history: options.history?.types[name.identity]?.members ?? [:])
    }

    /// What types are called, with the identities that an earlier run knew them by.
    func preferredNames() -> [String: NameWish] {
        guard let history = options.history else { return wishes }
        var known = wishes
        for (id, wish) in wishes {
            guard let identity = identities[id]?.sorted().first(where: { history.types[$0] != nil }) else { continue }
            known[id]?.identity = history.types[wish.identity] == nil ? identity : wish.identity
        }
        return known
    }

    /// The names of types and members that the next run is to keep.
    func history(_ names: [String: String]) -> [String: NameHistory.TypeEntry] {
        var entries: [String: NameHistory.TypeEntry] = [:]
        for (id, wish) in wishes.sorted(by: { $0.key < $1.key }) where entries[wish.identity] == nil {
            guard let name = names[id] else { continue }
            var entry = NameHistory.TypeEntry(name: name, members: memberNames[id] ?? [:])
            if wish.name != name { entry.wish = wish.name }
            entries[wish.identity] = entry
        }
        return entries
    }
}
