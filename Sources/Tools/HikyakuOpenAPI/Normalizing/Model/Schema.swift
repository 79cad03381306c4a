/// A schema in the language of OpenAPI 3.1 and 3.2, into which those of 2.0 and 3.0 are translated.
///
/// References to other schemas are kept as ``reference``, so that a schema is a finite tree even if it is recursive.
/// Values of the document (defaults, enumerations, examples) are kept as they were written, with their positions.
package struct Schema: Sendable {
    /// Where it is written.
    package var origin: SchemaOrigin

    /// The named schema that it refers to by `$ref`.
    ///
    /// In 3.1 and later other members may apply beside it: ``hasSiblings`` says whether something other than
    /// annotations (title, description, deprecated, default, examples, readOnly, writeOnly, nullability) does.
    package var reference: SchemaKey?
    package var hasSiblings = false
    /// Whether the schema that it refers to is meant by itself, not as any of its subtypes.
    package var isBase = false
    /// The value of a schema that is `true` (anything) or `false` (nothing).
    package var boolean: Bool?

    // MARK: Values

    /// The allowed types; empty if the document gives none.
    ///
    /// `null` is among them if null is allowed.
    package var types: SchemaTypes = []
    /// Whether null is allowed by `nullable` or `x-nullable` where ``types`` is empty (beside `allOf`, for example).
    package var isNullable = false
    package var format: String?
    /// The allowed values of `enum`, in order and without repetitions; `nil` if there is no `enum`.
    package var values: [EnumValue]?
    /// The only allowed value, by `const`.
    package var constant: DocumentNode?
    package var defaultValue: DocumentNode?
    package var examples: [DocumentNode] = []

    // MARK: Objects

    /// The members of an object, in the order of the document.
    package var properties: [Property] = []
    /// Required members that ``properties`` has not: those of other parts of an `allOf`, for example.
    package var furtherRequired: [String] = []
    package var additionalProperties = OpenContent.unspecified
    package var unevaluatedProperties = OpenContent.unspecified
    package var patternProperties: [PatternProperty] = []
    @Indirect package var propertyNames: Schema?

    // MARK: Arrays

    @Indirect package var items: Schema?
    /// The elements of a tuple; ``items`` are then the elements after these.
    package var prefixItems: [Schema] = []
    /// Whether a tuple may have further elements.
    package var allowsFurtherItems = true

    // MARK: Combinations

    /// The parts that all apply, beside the schema's own members.
    ///
    /// See ``APIDocument/merged(_:)``.
    package var allOf: [Schema] = []
    package var oneOf: [Schema] = []
    package var anyOf: [Schema] = []
    @Indirect package var discriminator: Discriminator?

    // MARK: Annotations

    package var title: String?
    package var description: String?
    package var isReadOnly = false
    package var isWriteOnly = false
    package var isDeprecated = false
    /// The media type and the coding of a string's content: `image/png` and `base64`.
    package var contentMediaType: String?
    package var contentEncoding: String?
    @Indirect package var contentSchema: Schema?
    @Indirect package var constraints: Constraints?
    /// The members that begin with `x-`.
    package var extensions: [DocumentMember] = []

    package init(origin: SchemaOrigin) {
        self.origin = origin
    }
}

/// Where a schema is written.
package struct SchemaOrigin: Sendable, Hashable {
    package var position: SourcePosition
    /// The file, if it is not the first one, and the JSON Pointer: `#/components/schemas/Pet/properties/name`.
    ///
    /// It identifies the schema: a parameter that many operations share has the same schema, with the same pointer.
    package var pointer: String

    package init(position: SourcePosition, pointer: String) {
        self.position = position
        self.pointer = pointer
    }
}

/// Identifies a named schema: the file, if it is not the first one, and the JSON Pointer of the schema.
package struct SchemaKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `#/components/schemas/Pet` or `models/pet.yaml#/Pet`.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func < (one: Self, other: Self) -> Bool { one.text < other.text }

    package var description: String { text }
}

/// A schema that has a name in the document, or that is referred to.
///
/// A reference may lead into another schema: what is there is both a named schema and a part of the other one. Its
/// ``SchemaOrigin/pointer`` there is the text of the key.
package struct NamedSchema: Sendable {
    package var key: SchemaKey
    /// The name in the document: that of the component, or else the last part of the pointer, or else the file's name.
    ///
    /// It is not unique, and it may be any text.
    package var name: String
    /// Where the name comes from, from the inside out: names that can distinguish it from others of the same name.
    ///
    /// For `resources/apps/models/app.yml` it is `models`, `apps`, `resources`.
    package var outerNames: [String]
    /// Whether it is one of `components/schemas`, of `definitions`, or the target of one that only refers to it.
    package var isComponent: Bool
    package var schema: Schema

    package init(key: SchemaKey, name: String, outerNames: [String], isComponent: Bool, schema: Schema) {
        self.key = key
        self.name = name
        self.outerNames = outerNames
        self.isComponent = isComponent
        self.schema = schema
    }
}
