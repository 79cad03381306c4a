import HikyakuJSON

extension Normalizer {
    // MARK: Types

    func readTypes(_ value: Cursor, _ schema: inout Schema) {
        guard let value = resolved(value) else { return }
        if value.node.array != nil, version < .v3_1 {
            note(
                .unexpectedType,
                value,
                "'type' is an array, which OpenAPI \(version.rawValue) doesn't have",
                action: "it is read as in 3.1",
            )
        }
        for element in value.node.array == nil ? [value] : value.elements {
            if element.node.isNull {
                schema.types.insert(.null)
            } else if let name = text(element, "'type'") {
                readType(name, element, &schema)
            }
        }
    }

    private func readType(_ name: String, _ cursor: Cursor, _ schema: inout Schema) {
        if let type = SchemaTypes.named(name) {
            schema.types.insert(type)
            return
        }
        guard let meant = Self.meantTypes[name.lowercased()] else {
            return report(
                .unknownValue,
                cursor,
                "the type \(name.quoted) is unknown",
                action: "it is read as any value",
            )
        }
        if name != "file" || version != .v2_0 {
            let format = meant.format.map { " with the format '\($0)'" } ?? ""
            report(
                .unknownValue,
                cursor,
                "the type \(name.quoted) is unknown",
                action: meant.types.isEmpty ? "it is read as any value" : "it is read as \(meant.types.words)\(format)",
            )
        }
        schema.types.formUnion(meant.types)
        schema.format = schema.format ?? meant.format
    }

    /// What documents mean by types that aren't any.
    private static let meantTypes: [String: (types: SchemaTypes, format: String?)] = [
        "null": (.null, nil), "nil": (.null, nil), "none": (.null, nil),
        "boolean": (.boolean, nil), "bool": (.boolean, nil),
        "integer": (.integer, nil), "int": (.integer, nil), "long": (.integer, "int64"), "int32": (.integer, "int32"),
        "int64": (.integer, "int64"), "short": (.integer, nil),
        "number": (.number, nil), "float": (.number, "float"), "double": (.number, "double"),
        "decimal": (.number, "decimal"), "numeric": (.number, nil),
        "string": (.string, nil), "str": (.string, nil), "text": (.string, nil), "date": (.string, "date"),
        "datetime": (.string, "date-time"), "date-time": (.string, "date-time"), "uuid": (.string, "uuid"),
        "uri": (.string, "uri"), "url": (.string, "uri"), "email": (.string, "email"), "enum": (.string, nil),
        "file": (.string, "binary"), "binary": (.string, "binary"), "byte": (.string, "byte"),
        "timestamp": (.string, "date-time"),
        "array": (.array, nil), "list": (.array, nil),
        "object": (.object, nil), "dict": (.object, nil), "map": (.object, nil), "hash": (.object, nil),
        "any": ([], nil), "mixed": ([], nil), "": ([], nil),
    ]

    // MARK: Enumerations

    func readValues(_ value: Cursor, _ schema: inout Schema) {
        schema.values = list(value, "'enum'").map { Schema.EnumValue(value: $0.node) }
    }

    private func withoutRepetitions(_ values: [Schema.EnumValue]) -> [Schema.EnumValue] {
        var seen: Set<JSONValue> = []
        return values.filter { value in
            if seen.insert(value.value.jsonValue).inserted { return true }
            let text = value.value.scalarText ?? value.value.kindName
            findings.add(
                .note,
                .duplicateKey,
                at: value.value.position,
                "the value \(text.quoted) is repeated",
                action: "it is left out",
            )
            return false
        }
    }

    /// Names and descriptions of the values, by the extensions that generators know.
    func nameValues(_ schema: inout Schema, _ cursor: Cursor) {
        guard schema.values != nil else { return }
        for member in schema.extensions {
            let texts = member.value.array?.map(\.scalarText)
            switch member.key {
            case "x-enum-varnames", "x-enumNames", "x-enum-names", "x-enum-keys", "x-enumVarnames":
                set(\.name, texts, member.value, &schema)
            case "x-enum-descriptions", "x-enumDescriptions", "x-enum-docs":
                set(\.description, texts, member.value, &schema)
            default: break
            }
        }
    }

    private func set(
        _ path: WritableKeyPath<Schema.EnumValue, String?>,
        _ texts: [String?]?,
        _ node: DocumentNode,
        _ schema: inout Schema,
    ) {
        guard var values = schema.values else { return }
        for index in values.indices {
            if let texts {
                values[index][keyPath: path] = texts.indices.contains(index) ? texts[index] : nil
            } else if let key = values[index].value.scalarText {
                values[index][keyPath: path] = node[key]?.scalarText
            }
        }
        schema.values = values
    }

    /// Makes the values fit the type: YAML reads `on` and `1` as other types than the document means.
    func fitValues(_ schema: inout Schema) {
        if schema.types.isEmpty, let values = schema.values {
            schema.types = values.reduce(into: SchemaTypes()) { $0.formUnion(SchemaTypes(of: $1.value)) }
            if schema.types.contains(.number) { schema.types.remove(.integer) }
        }
        if schema.types.isEmpty, let constant = schema.constant { schema.types = SchemaTypes(of: constant) }
        guard var values = schema.values else { return }
        if values.contains(where: \.value.isNull) {
            values.removeAll { $0.value.isNull }
            schema.types.insert(.null)
        }
        for index in values.indices { fit(&values[index].value, schema.types.withoutNull) }
        schema.values = values.isEmpty && schema.types == .null ? nil : withoutRepetitions(values)
    }

    private func fit(_ node: inout DocumentNode, _ types: SchemaTypes) {
        let own = SchemaTypes(of: node)
        guard types.isSingle, !types.contains(own), !(types == .number && own == .integer) else { return }
        let fitted: DocumentNode.Content?
        switch types {
        case .string: fitted = node.scalarText.map { .string($0) }
        case .integer, .number:
            fitted = node.string.flatMap { text in YAMLScalar.number(text).map { .number($0.text) } }
        default: fitted = nil
        }
        let cursor = Cursor(node: node, file: 0, location: "")
        guard let fitted else {
            return report(.unexpectedType, cursor, "an allowed value is \(node.kindName)", action: "it is kept")
        }
        note(.unexpectedType, cursor, "an allowed value is \(node.kindName)", action: "it is read as \(types.words)")
        node.content = fitted
    }

    // MARK: Constraints

    func readConstraint(_ keyword: Keyword, _ value: Cursor, _ schema: inout Schema) {
        var constraints = schema.constraints ?? Schema.Constraints()
        let name = "'\(keyword.rawValue)'"
        switch keyword {
        case .minimum:
            constraints.minimum = numberText(value, name)
        case .maximum:
            constraints.maximum = numberText(value, name)
        case .exclusiveMinimum:
            if let isExclusive = value.node.bool {
                constraints.isMinimumExclusive = isExclusive
            } else {
                constraints.exclusiveMinimum = numberText(value, name)
            }
        case .exclusiveMaximum:
            if let isExclusive = value.node.bool {
                constraints.isMaximumExclusive = isExclusive
            } else {
                constraints.exclusiveMaximum = numberText(value, name)
            }
        case .multipleOf: constraints.multipleOf = numberText(value, name)
        case .minLength: constraints.lengthMin = count(value, name)
        case .maxLength: constraints.lengthMax = count(value, name)
        case .pattern: constraints.pattern = text(value, name)
        case .minItems: constraints.itemsMin = count(value, name)
        case .maxItems: constraints.itemsMax = count(value, name)
        case .uniqueItems: constraints.hasUniqueItems = flag(value, name) ?? false
        case .minProperties: constraints.propertiesMin = count(value, name)
        case .maxProperties: constraints.propertiesMax = count(value, name)
        default: break
        }
        schema.constraints = constraints
    }
}

extension SchemaTypes {
    static func named(_ name: String) -> SchemaTypes? {
        switch name {
        case "string": .string
        case "object": .object
        case "integer": .integer
        case "array": .array
        case "boolean": .boolean
        case "number": .number
        case "null": .null
        default: nil
        }
    }

    /// The type of a value; that of `1.0` is an integer, as JSON Schema says.
    init(of node: DocumentNode) {
        switch node.content {
        case .null: self = .null
        case .bool: self = .boolean
        case .number: self = node.number?.int == nil ? .number : .integer
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// What people call the types: "a string or null".
    package var words: String {
        let words = Self.names.filter { contains($0.type) }.map { entry in
            switch entry.type {
            case .null: "null"
            case .integer, .array, .object: "an " + entry.name
            default: "a " + entry.name
            }
        }
        return words.isEmpty ? "any value" : words.joined(separator: " or ")
    }
}
