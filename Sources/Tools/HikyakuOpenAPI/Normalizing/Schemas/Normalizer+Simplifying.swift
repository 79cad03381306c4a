extension Normalizer {
    /// Brings a schema that was read into the form that the model promises.
    func finish(_ schema: inout Schema, _ cursor: Cursor) {
        applyRequired(&schema)
        if schema.isReadOnly, schema.isWriteOnly {
            note(.conflictingParts, cursor, "a schema is both readOnly and writeOnly", action: "requests leave it out")
        }
        if let isNullable = schema.extensions.first(where: { $0.key == "x-nullable" })?.value.bool, isNullable {
            schema.isNullable = true
        }
        if schema.values != nil || schema.constant != nil {
            nameValues(&schema, cursor)
            fitValues(&schema)
        }
        impliedType(&schema)
        if schema.isNullable, !schema.types.isEmpty {
            schema.types.insert(.null)
            schema.isNullable = false
        }
        removeConditions(&schema, \.oneOf)
        removeConditions(&schema, \.anyOf)
        removeNull(&schema, \.oneOf)
        removeNull(&schema, \.anyOf)
        enumerate(&schema, \.oneOf)
        enumerate(&schema, \.anyOf)
        openEnumeration(&schema, \.oneOf)
        openEnumeration(&schema, \.anyOf)
        mergeOnlyChoice(&schema, \.oneOf)
        mergeOnlyChoice(&schema, \.anyOf)
        collapse(&schema, cursor)
    }

    /// Marks the properties that `required` names.
    private func applyRequired(_ schema: inout Schema) {
        guard !schema.furtherRequired.isEmpty else { return }
        let required = Set(schema.furtherRequired)
        var found: Set<String> = []
        for index in schema.properties.indices where required.contains(schema.properties[index].name) {
            schema.properties[index].isRequired = true
            found.insert(schema.properties[index].name)
        }
        schema.furtherRequired.removeAll { found.contains($0) }
    }

    /// The type that a schema without one has by its other members.
    private func impliedType(_ schema: inout Schema) {
        guard schema.types.isEmpty, schema.reference == nil, schema.boolean == nil else { return }
        if !schema.properties.isEmpty || !schema.patternProperties.isEmpty {
            schema.types = .object
        } else if case .schema = schema.additionalProperties {
            schema.types = .object
        } else if schema.items != nil || !schema.prefixItems.isEmpty {
            schema.types = .array
        } else if let format = schema.format, schema.allOf.isEmpty, schema.oneOf.isEmpty, schema.anyOf.isEmpty {
            schema.types = Self.typesOfFormats[format] ?? .string
        }
    }

    private static let typesOfFormats: [String: SchemaTypes] = [
        "int32": .integer, "int64": .integer, "uint32": .integer, "uint64": .integer, "integer": .integer,
        "float": .number, "double": .number, "decimal": .number, "number": .number,
    ]

    /// Leaves out alternatives that only say which members there must be, since they are not types.
    private func removeConditions(_ schema: inout Schema, _ path: WritableKeyPath<Schema, [Schema]>) {
        let parts = schema[keyPath: path]
        guard !parts.isEmpty, parts.allSatisfy(\.isCondition) else { return }
        schema[keyPath: path] = []
        for part in parts where !part.furtherRequired.isEmpty {
            unused.add(
                "alternatives only say which members are required",
                at: part.origin.position,
                action: "the members are optional",
            )
        }
    }

    /// Turns an alternative that is null into an optional.
    private func removeNull(_ schema: inout Schema, _ path: WritableKeyPath<Schema, [Schema]>) {
        let parts = schema[keyPath: path]
        guard parts.count > 1, parts.contains(where: \.isNullAlone) else { return }
        schema[keyPath: path] = parts.filter { !$0.isNullAlone }
        if schema.types.isEmpty { schema.isNullable = true } else { schema.types.insert(.null) }
    }

    /// Replaces a combination of one part, beside which there are only annotations, by this part.
    private func collapse(_ schema: inout Schema, _ cursor: Cursor) {
        let parts = schema.allOf + schema.oneOf + schema.anyOf
        guard parts.count == 1, let part = parts.first, schema.constraints == nil, schema.discriminator == nil else {
            return
        }
        var rest = schema
        (rest.allOf, rest.oneOf, rest.anyOf) = ([], [], [])
        let types = schema.types.withoutNull
        guard types.isEmpty || types == part.types.withoutNull || types == .object && part.reference != nil else {
            return
        }
        rest.types = []
        guard rest.isUnrestricted else { return }
        if part.reference != nil, !schema.allOf.isEmpty { mereExtensions.insert(cursor.location) }
        schema = part.annotated(like: schema)
    }

    /// Lets schemas that extend another one by nothing be subtypes of it, if its discriminator knows them.
    func markSubtypes() {
        for (key, schema) in named.mapValues(\.schema) where mereExtensions.contains(key.text) && !schema.allowsNull {
            guard let base = schema.reference.flatMap({ named[$0]?.schema }), let discriminator = base.discriminator,
                base.oneOf.isEmpty, base.anyOf.isEmpty
            else { continue }
            // Beside a mapping that leaves it out, it is only another name of the base.
            let isKnown = discriminator.mapping.isEmpty || discriminator.mapping.contains { $0.key == key }
            if isKnown { named[key]?.schema.hasSiblings = true }
        }
    }

    /// Lets the only alternative apply like a part of `allOf`, if there are other members beside it.
    private func mergeOnlyChoice(_ schema: inout Schema, _ path: WritableKeyPath<Schema, [Schema]>) {
        let parts = schema[keyPath: path]
        var rest = schema
        rest[keyPath: path] = []
        (rest.types, rest.isNullable) = ([], false)
        guard parts.count == 1, !rest.isUnrestricted else { return }
        schema[keyPath: path] = []
        schema.allOf += parts
        if schema.oneOf.isEmpty, schema.anyOf.isEmpty { schema.discriminator = nil }
    }

    /// Makes an enumeration of a text and some texts by name: all enumerations may have further values.
    private func openEnumeration(_ schema: inout Schema, _ path: WritableKeyPath<Schema, [Schema]>) {
        let parts = schema[keyPath: path]
        guard schema.values == nil, parts.count > 1, schema.discriminator == nil else { return }
        guard schema.types.withoutNull.isEmpty || schema.types.withoutNull == .string else { return }
        guard parts.allSatisfy({ $0.types.withoutNull == .string && $0.reference == nil && $0.hasNoParts }) else {
            return
        }
        guard parts.contains(where: \.isAnyText), parts.contains(where: { $0.values != nil || $0.constant != nil })
        else {
            return
        }
        guard parts.allSatisfy({ $0.isAnyText || $0.values != nil || $0.constant != nil }) else { return }
        var seen: Set<String> = []
        schema.values = parts.flatMap { part in
            (part.values ?? []) + (part.constant.map { [Schema.EnumValue(value: $0)] } ?? [])
        }.filter { seen.insert($0.value.scalarText ?? "").inserted }
        if schema.isNullable || parts.contains(where: \.allowsNull) { schema.types.insert(.null) }
        schema.isNullable = false
        schema.types.insert(.string)
        schema[keyPath: path] = []
    }

    /// Makes an enumeration of alternatives that allow one value each, which have titles and descriptions of their own.
    private func enumerate(_ schema: inout Schema, _ path: WritableKeyPath<Schema, [Schema]>) {
        let parts = schema[keyPath: path]
        guard schema.values == nil, parts.count > 1, schema.discriminator == nil else { return }
        var values: [Schema.EnumValue] = []
        for part in parts {
            guard part.reference == nil, part.types.isSingle, part.properties.isEmpty, part.types != .object else {
                return
            }
            if let constant = part.constant {
                values.append(Schema.EnumValue(value: constant, name: part.title, description: part.description))
            } else if let value = part.values?.first, part.values?.count == 1 {
                let name = value.name ?? part.title
                values.append(Schema.EnumValue(value: value.value, name: name, description: part.description))
            } else {
                return
            }
        }
        guard parts.allSatisfy({ $0.types == parts[0].types }) else { return }
        schema[keyPath: path] = []
        schema.types = schema.types.intersection(.null).union(parts[0].types)
        if schema.isNullable { schema.types.insert(.null) }
        schema.isNullable = false
        schema.values = values
    }
}

extension Schema {
    /// Whether null is all that is allowed.
    fileprivate var isNullAlone: Bool {
        types == .null && values == nil && oneOf.isEmpty && anyOf.isEmpty && allOf.isEmpty
            || types.isEmpty && constant?.isNull ?? false
    }

    /// Whether it limits what an object has, and describes nothing.
    fileprivate var isCondition: Bool {
        guard types.isEmpty || types == .object, !furtherRequired.isEmpty || constraints != nil else { return false }
        var rest = self
        (rest.types, rest.furtherRequired, rest.constraints) = ([], [], nil)
        return rest.isUnrestricted && rest.boolean == nil && !allowsNull && propertyNames == nil
    }

    fileprivate var hasNoParts: Bool { allOf.isEmpty && oneOf.isEmpty && anyOf.isEmpty }

    /// Whether it allows any text.
    fileprivate var isAnyText: Bool { values == nil && constant == nil && format == nil && types.contains(.string) }

    /// The schema with the annotations of an outer one, where this has any.
    fileprivate func annotated(like outer: Schema) -> Schema {
        var schema = self
        if outer.allowsNull {
            if schema.types.isEmpty { schema.isNullable = true } else { schema.types.insert(.null) }
        }
        schema.origin = outer.origin
        schema.title = outer.title ?? schema.title
        schema.description = outer.description ?? schema.description
        schema.defaultValue = outer.defaultValue ?? schema.defaultValue
        schema.examples = outer.examples.isEmpty ? schema.examples : outer.examples
        schema.isReadOnly = schema.isReadOnly || outer.isReadOnly
        schema.isWriteOnly = schema.isWriteOnly || outer.isWriteOnly
        schema.isDeprecated = schema.isDeprecated || outer.isDeprecated
        schema.extensions += outer.extensions.filter { own in !schema.extensions.contains { $0.key == own.key } }
        return schema
    }
}
