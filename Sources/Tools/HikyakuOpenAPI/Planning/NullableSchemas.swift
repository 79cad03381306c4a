/// Finds the named schemas that allow null, by themselves or by what they refer to.
struct NullableSchemas {
    private(set) var keys: Set<SchemaKey> = []

    init(_ document: APIDocument) {
        // Schemas mostly refer to those before them; the next round finds the others.
        var rest = document.schemas[...]
        var count = -1
        while count != keys.count {
            count = keys.count
            for named in rest where named.schema.allowsNull(keys) { keys.insert(named.key) }
            rest = rest.filter { !keys.contains($0.key) }.reversed()[...]
        }
    }
}

extension Schema {
    /// Whether null is all that is allowed.
    var isNull: Bool {
        types == .null || constant?.isNull == true
            || values.map { !$0.isEmpty && $0.allSatisfy(\.value.isNull) } == true
    }

    /// Whether null is allowed by the schema, or by one that it refers to.
    func allowsNull(_ nullable: Set<SchemaKey>) -> Bool {
        if allowsNull || values?.contains(where: \.value.isNull) == true { return true }
        if oneOf.contains(where: { $0.isNull || $0.allowsNull(nullable) }) { return true }
        if anyOf.contains(where: { $0.isNull || $0.allowsNull(nullable) }) { return true }
        if !allOf.isEmpty { return allOf.allSatisfy { $0.allowsNull(nullable) } }
        return reference.map(nullable.contains) ?? false
    }
}
