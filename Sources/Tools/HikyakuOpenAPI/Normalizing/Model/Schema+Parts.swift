/// The types that a schema allows.
package struct SchemaTypes: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let null = Self(rawValue: 1)
    package static let boolean = Self(rawValue: 2)
    package static let integer = Self(rawValue: 4)
    package static let number = Self(rawValue: 8)
    package static let string = Self(rawValue: 16)
    package static let array = Self(rawValue: 32)
    package static let object = Self(rawValue: 64)

    /// The names of the types in documents, in a fixed order.
    package static let names: [(name: String, type: Self)] = [
        ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number), ("string", .string),
        ("array", .array), ("object", .object),
    ]

    /// The types apart from null.
    package var withoutNull: Self { subtracting(.null) }

    /// Whether it is exactly one type.
    package var isSingle: Bool { rawValue.nonzeroBitCount == 1 }
}

extension Schema {
    /// A member of an object.
    package struct Property: Sendable {
        package var name: String
        package var isRequired: Bool
        package var position: SourcePosition
        package var schema: Schema

        package init(name: String, isRequired: Bool, position: SourcePosition, schema: Schema) {
            self.name = name
            self.isRequired = isRequired
            self.position = position
            self.schema = schema
        }
    }

    /// The members whose keys match a regular expression.
    package struct PatternProperty: Sendable {
        package var pattern: String
        package var schema: Schema

        package init(pattern: String, schema: Schema) {
            self.pattern = pattern
            self.schema = schema
        }
    }

    /// What an object may have beside its properties.
    package enum OpenContent: Sendable {
        /// The document doesn't say; anything is allowed.
        case unspecified
        /// `true` or `{}`.
        case anything
        /// `false`.
        case nothing
        indirect case schema(Schema)
    }

    /// A value of an `enum`, with what `x-enum-varnames` and `x-enum-descriptions` (and their like) say about it.
    package struct EnumValue: Sendable {
        package var value: DocumentNode
        package var name: String?
        package var description: String?

        package init(value: DocumentNode, name: String? = nil, description: String? = nil) {
            self.value = value
            self.name = name
            self.description = description
        }
    }

    /// The property whose value says which of several schemas applies.
    package struct Discriminator: Sendable {
        package var propertyName: String
        /// The values and the schemas that the document maps them to, in its order.
        package var mapping: [(value: String, key: SchemaKey)]
        /// The schema for values that nothing maps (3.2).
        package var defaultMapping: SchemaKey?
        /// Whether the document doesn't name it: each of the schemas has texts of its own for the property.
        package var isImplied: Bool

        package init(
            propertyName: String,
            mapping: [(value: String, key: SchemaKey)],
            defaultMapping: SchemaKey?,
            isImplied: Bool = false,
        ) {
            self.propertyName = propertyName
            self.mapping = mapping
            self.defaultMapping = defaultMapping
            self.isImplied = isImplied
        }
    }

    /// Limits of values, as numbers that are written as in the document.
    package struct Constraints: Sendable {
        package var minimum: String?
        package var maximum: String?
        package var exclusiveMinimum: String?
        package var exclusiveMaximum: String?
        /// Whether ``minimum`` and ``maximum`` are not allowed values themselves, in the manner of 3.0.
        package var isMinimumExclusive = false
        package var isMaximumExclusive = false
        package var multipleOf: String?
        package var lengthMin: Int?
        package var lengthMax: Int?
        package var pattern: String?
        package var itemsMin: Int?
        package var itemsMax: Int?
        package var hasUniqueItems = false
        package var propertiesMin: Int?
        package var propertiesMax: Int?

        package init() {}
    }
}

extension Schema {
    /// Whether null is allowed by the schema itself, not by one that it refers to.
    package var allowsNull: Bool {
        isNullable || types.contains(.null) || boolean == true
            || constant?.isNull == true && types.isEmpty
    }

    /// Whether it says nothing about values: `{}`, `true`, or annotations alone.
    package var isUnrestricted: Bool {
        guard reference == nil, boolean != false, types.isEmpty, values == nil, constant == nil else { return false }
        guard properties.isEmpty, furtherRequired.isEmpty, patternProperties.isEmpty, prefixItems.isEmpty else {
            return false
        }
        guard case .unspecified = additionalProperties else { return false }
        return items == nil && allOf.isEmpty && oneOf.isEmpty && anyOf.isEmpty && format == nil
    }
}
