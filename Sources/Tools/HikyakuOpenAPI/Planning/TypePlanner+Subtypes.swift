extension TypePlanner {
    /// The choice among the subtypes of a schema that has a discriminator and no alternatives of its own.
    ///
    /// A document of 3.0 says so that a value is of one of the schemas that have this one in their `allOf`.
    func subtypesUnion(of named: NamedSchema) -> Schema? {
        let base = merged(named.schema)
        guard let discriminator = base.discriminator, base.oneOf.isEmpty, base.anyOf.isEmpty else { return nil }
        var keys = subtypes[named.key] ?? []
        for mapped in discriminator.mapping.map(\.key) where !keys.contains(mapped) && mapped != named.key {
            keys.append(mapped)
        }
        guard !keys.isEmpty else { return nil }
        var union = Schema(origin: base.origin)
        union.origin.pointer += "/subtypes"
        union.description = base.description
        union.title = base.title
        union.isDeprecated = base.isDeprecated
        union.discriminator = discriminator
        union.oneOf = ([named.key] + keys.sorted()).map { key in
            var part = Schema(origin: base.origin)
            part.origin.pointer += "/subtypes/" + key.text
            part.reference = key
            part.isBase = true
            return part
        }
        return union
    }

    /// The type of a schema itself, where a reference to it would be any of its subtypes.
    func baseType(of key: SchemaKey) -> SwiftType {
        guard let named = document[key], subtypesUnion(of: named) != nil else { return type(of: key) }
        return nominalType(of: merged(named.schema), id: key.text, named: wish(for: named))
    }

    func anyName(of named: NamedSchema) -> NameWish {
        let name = renamed(named.name) ?? named.name
        return NameWish("Any " + name, outer: named.outerNames, rank: 1)
    }
}

/// Finds the schemas that have others among the parts of their `allOf`.
struct SubtypeSearch {
    /// The subtypes of each schema, also those of its subtypes.
    private(set) var subtypes: [SchemaKey: [SchemaKey]] = [:]

    init(_ document: APIDocument) {
        var direct: [SchemaKey: [SchemaKey]] = [:]
        for named in document.schemas {
            let schema = named.schema
            let bases = schema.allOf.map(\.reference) + (schema.hasSiblings ? [schema.reference] : [])
            for case let base? in bases { direct[base, default: []].append(named.key) }
        }
        for base in direct.keys {
            var found: [SchemaKey] = []
            var seen: Set<SchemaKey> = [base]
            var open = direct[base] ?? []
            while let key = open.popLast() {
                guard seen.insert(key).inserted else { continue }
                found.append(key)
                open += direct[key] ?? []
            }
            subtypes[base] = found
        }
    }
}
