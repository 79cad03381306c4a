extension Normalizer {
    /// Reads a schema with all schemas inside it.
    ///
    /// - Parameters:
    ///   - cursor: The schema.
    ///   - isParameter: Whether it is a parameter or header of 2.0, which has other members, too.
    /// - Returns: The schema; one that allows anything if it is none.
    func schema(_ cursor: Cursor, isParameter: Bool = false) -> Schema {
        let origin = SchemaOrigin(position: cursor.position, pointer: cursor.location)
        guard countSchema(cursor) else { return Schema(origin: origin) }
        return nested(cursor, Schema(origin: origin)) {
            var schema = Schema(origin: origin)
            switch cursor.node.content {
            case .bool(let value):
                counts.schemas += 1
                schema.boolean = value
            case .object(let members):
                read(members, of: cursor, into: &schema, isParameter: isParameter)
            case .null:
                break
            default:
                report(cursor, "a schema", isNot: "an object", action: "it is read as any value")
            }
            return schema
        }
    }

    /// A schema that operations share in 2.0.
    func sharedSchema(_ cursor: Cursor?) -> Schema? {
        guard let cursor, !cursor.node.isNull else { return nil }
        if let known = sharedSchemas[cursor.location] { return known }
        let schema = schema(cursor)
        sharedSchemas[cursor.location] = schema
        return schema
    }

    private func read(_ members: [DocumentMember], of cursor: Cursor, into schema: inout Schema, isParameter: Bool) {
        var keywords: [(keyword: Keyword, value: Cursor)] = []
        keywords.reserveCapacity(members.count)
        for member in members {
            if let keyword = Keyword.named(member.key) {
                if !isParameter || !keyword.isParameterMember { keywords.append((keyword, cursor.child(member))) }
            } else if member.key.hasPrefix("x-") {
                schema.extensions.append(member)
                if !isParameter { countExtension(member) }
            } else if !isParameter {
                reportUnknownKeyword(member)
            }
        }
        if let reference = keywords.first(where: { $0.keyword == .reference || $0.keyword == .dynamicReference }) {
            readReference(reference.value, &keywords, cursor, &schema)
        } else {
            counts.schemas += 1
        }
        for (keyword, value) in keywords { read(keyword, value, into: &schema) }
        finish(&schema, cursor)
    }

    private func reportUnknownKeyword(_ member: DocumentMember) {
        findings.add(
            .note,
            .ignoredMember,
            at: member.keyPosition,
            "OpenAPI has no member \(member.key.quoted) of a schema",
            action: "it is ignored",
        )
    }

    /// Reads `$ref`, and leaves of the other members those that apply beside it.
    private func readReference(
        _ value: Cursor,
        _ keywords: inout [(keyword: Keyword, value: Cursor)],
        _ cursor: Cursor,
        _ schema: inout Schema,
    ) {
        guard let text = value.node.string else {
            return report(value, "'$ref'", isNot: "a string", action: "it is ignored")
        }
        schema.reference = key(of: text, in: cursor)
        let others = keywords.filter { $0.keyword != .reference && $0.keyword != .dynamicReference }
        keywords = others.filter { $0.keyword.isAnnotation }
        guard let first = others.first(where: { !$0.keyword.isAnnotation }) else { return }
        if version < .v3_1 {
            note(
                .ignoredMember,
                first.value,
                "'\(first.keyword.rawValue)' is beside a reference, where OpenAPI \(version.rawValue) ignores it",
                action: "it is ignored",
            )
        } else {
            keywords = others
            schema.hasSiblings = true
            counts.schemas += 1
        }
    }

    private func read(_ keyword: Keyword, _ value: Cursor, into schema: inout Schema) {
        if value.node.isNull, keyword != .default, keyword != .const, keyword != .example { return }
        countUnused(keyword, value)
        switch keyword {
        case .type: readTypes(value, &schema)
        case .nullable: schema.isNullable = flag(value, "'nullable'") ?? false
        case .format: readFormat(value, &schema)
        case .enum: readValues(value, &schema)
        case .const: schema.constant = (resolved(value) ?? value).node
        case .default: schema.defaultValue = (resolved(value) ?? value).node
        case .example: schema.examples.insert((resolved(value) ?? value).node, at: 0)
        case .examples: schema.examples += exampleNodes(value)
        case .title: schema.title = text(value, "'title'")
        case .description: schema.description = text(value, "'description'")
        case .readOnly: schema.isReadOnly = flag(value, "'readOnly'") ?? false
        case .writeOnly: schema.isWriteOnly = flag(value, "'writeOnly'") ?? false
        case .deprecated: schema.isDeprecated = flag(value, "'deprecated'") ?? false
        case .contentMediaType: schema.contentMediaType = text(value, "'contentMediaType'")
        case .contentEncoding: schema.contentEncoding = text(value, "'contentEncoding'")
        case .contentSchema: schema.contentSchema = self.schema(value)
        case .properties, .required, .additionalProperties, .unevaluatedProperties, .patternProperties, .propertyNames:
            readObjectKeyword(keyword, value, &schema)
        case .items, .prefixItems, .additionalItems, .unevaluatedItems:
            readArrayKeyword(keyword, value, &schema)
        case .allOf: schema.allOf = parts(value, "'allOf'")
        case .oneOf: schema.oneOf = parts(value, "'oneOf'")
        case .anyOf: schema.anyOf = parts(value, "'anyOf'")
        case .discriminator: schema.discriminator = discriminator(value)
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .pattern,
            .minItems, .maxItems, .uniqueItems, .minProperties, .maxProperties:
            readConstraint(keyword, value, &schema)
        case .not, .if, .dependentSchemas, .dependencies, .contains:
            note(
                .unsupportedKeyword,
                value,
                "'\(keyword.rawValue)' has no counterpart in a type",
                action: "it is ignored",
            )
        case .reference, .dynamicReference, .then, .else, .dependentRequired, .minContains, .maxContains, .xml,
            .externalDocs, .summary, .schema, .id, .anchor, .dynamicAnchor, .comment, .vocabulary, .definitions,
            .oldDefinitions, .oldID:
            break
        }
    }

    private func readFormat(_ value: Cursor, _ schema: inout Schema) {
        schema.format = text(value, "'format'")
        guard let name = schema.format, seenFormats.insert(name).inserted else { return }
        formats.append((name, value.position))
    }

    private func exampleNodes(_ value: Cursor) -> [DocumentNode] {
        guard let cursor = resolved(value) else { return [] }
        if let members = cursor.node.object {
            // Named examples, which other places than schemas have.
            return members.map { $0.value["value"] ?? $0.value }
        }
        return cursor.elements.map { (resolved($0) ?? $0).node }
    }

    private func parts(_ value: Cursor, _ name: String) -> [Schema] {
        list(value, name).map { schema($0) }
    }

    // MARK: Objects

    private func readObjectKeyword(_ keyword: Keyword, _ value: Cursor, _ schema: inout Schema) {
        switch keyword {
        case .properties: readProperties(value, &schema)
        case .required: readRequired(value, &schema)
        case .additionalProperties:
            schema.additionalProperties = openContent(value, "'additionalProperties'")
        case .unevaluatedProperties:
            schema.unevaluatedProperties = openContent(value, "'unevaluatedProperties'")
        case .patternProperties:
            schema.patternProperties = map(value, "'patternProperties'").map {
                Schema.PatternProperty(pattern: $0.key, schema: self.schema($0.value))
            }
        default: schema.propertyNames = self.schema(value)
        }
    }

    private func readProperties(_ value: Cursor, _ schema: inout Schema) {
        let members = map(value, "'properties'")
        counts.properties += members.count
        schema.properties.reserveCapacity(members.count)
        for (key, keyPosition, value) in members {
            schema.properties.append(
                Schema.Property(
                    name: key,
                    isRequired: isMarkedAsRequired(value),
                    position: keyPosition,
                    schema: self.schema(value),
                )
            )
        }
    }

    /// Whether a property has `required: true`, as in old drafts of JSON Schema.
    private func isMarkedAsRequired(_ property: Cursor) -> Bool {
        guard let value = property["required"], let isRequired = value.node.bool else { return false }
        report(
            .invalidRequired,
            value,
            "'required' of a property is a boolean",
            action: isRequired ? "the property is required" : "the property is not required",
        )
        return isRequired
    }

    private func readRequired(_ value: Cursor, _ schema: inout Schema) {
        if value.node.bool != nil {
            // Diagnosed by the object that has the property.
            return
        }
        var names: Set<String> = []
        schema.furtherRequired = texts(value, "'required'").filter { names.insert($0).inserted }
    }

    private func openContent(_ value: Cursor, _ name: String) -> Schema.OpenContent {
        switch value.node.content {
        case .bool(let isAllowed):
            if !isAllowed {
                unused.add("\(name) is false", at: value.position, action: "further members of a response are ignored")
            }
            return isAllowed ? .anything : .nothing
        case .object(let members): return members.isEmpty ? .anything : .schema(schema(value))
        default:
            guard let isAllowed = flag(value, name) else { return .unspecified }
            return isAllowed ? .anything : .nothing
        }
    }

    // MARK: Arrays

    private func readArrayKeyword(_ keyword: Keyword, _ value: Cursor, _ schema: inout Schema) {
        switch keyword {
        case .items where value.node.array != nil:
            if version >= .v3_1 {
                note(.unexpectedType, value, "'items' is an array", action: "it is read as 'prefixItems'")
            }
            schema.prefixItems = value.elements.map { self.schema($0) }
        case .prefixItems: schema.prefixItems = parts(value, "'prefixItems'")
        case .items where value.node.bool == false: schema.allowsFurtherItems = false
        case .items: schema.items = self.schema(value)
        default:
            if value.node.bool == false {
                schema.allowsFurtherItems = false
            } else if value.node.object != nil, schema.items == nil {
                schema.items = self.schema(value)
            }
        }
    }
}
