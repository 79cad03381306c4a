/// The members of a schema that are read.
enum Keyword: String, CaseIterable {
    case type, nullable, format, `enum`, const, `default`, example, examples
    case properties, required, additionalProperties, unevaluatedProperties, patternProperties, propertyNames
    case items, prefixItems, additionalItems, unevaluatedItems
    case allOf, oneOf, anyOf, discriminator
    case title, description, readOnly, writeOnly, deprecated
    case contentMediaType, contentEncoding, contentSchema
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    case minLength, maxLength, pattern, minItems, maxItems, uniqueItems, minProperties, maxProperties
    case reference = "$ref", dynamicReference = "$dynamicRef"
    // Without effect on types.
    case not, `if`, then, `else`, dependentSchemas, dependentRequired, dependencies, contains, minContains, maxContains
    case xml, externalDocs, summary
    case schema = "$schema", id = "$id", anchor = "$anchor", dynamicAnchor = "$dynamicAnchor", comment = "$comment"
    case vocabulary = "$vocabulary", definitions = "$defs", oldDefinitions = "definitions", oldID = "id"

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Finds a keyword faster than by its raw value.
    static func named(_ name: String) -> Keyword? { byName[name] }

    /// Whether it only describes values, so that it may be beside a reference.
    var isAnnotation: Bool {
        switch self {
        case .title, .description, .summary, .readOnly, .writeOnly, .deprecated, .default, .example, .examples,
            .nullable, .externalDocs, .xml, .comment, .id, .anchor, .schema, .dynamicAnchor, .vocabulary,
            .definitions, .oldDefinitions, .oldID:
            true
        default: false
        }
    }

    /// Members of a parameter or header of 2.0 that mean something else in a schema.
    var isParameterMember: Bool {
        switch self {
        case .required, .description, .example, .examples, .deprecated: true
        default: false
        }
    }
}
