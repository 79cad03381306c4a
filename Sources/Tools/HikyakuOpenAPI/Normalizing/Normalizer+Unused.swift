extension Normalizer {
    /// Counts a keyword of a schema that is read, or not, without an effect on generated code.
    func countUnused(_ keyword: Keyword, _ value: Cursor) {
        let (message, action): (String, String)
        switch keyword {
        case .default:
            (message, action) = (
                "a schema has a default", "a property has it if it is simple; otherwise the service applies it",
            )
        case .example, .examples: (message, action) = ("a schema has an example", "it is left out")
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .pattern,
            .minItems, .maxItems, .uniqueItems, .minProperties, .maxProperties:
            (message, action) = (
                "a schema limits values by '\(keyword.rawValue)'", "values are checked by the service",
            )
        case .propertyNames, .dependentRequired, .contentMediaType, .contentSchema:
            (message, action) = ("'\(keyword.rawValue)' has no counterpart in a type", "it is ignored")
        case .xml: (message, action) = ("a schema says how it is written in XML", "XML is given as bytes")
        case .externalDocs: return countDocumentation(value)
        default: return
        }
        unused.add(message, at: value.position, action: action)
    }

    func countDocumentation(_ cursor: Cursor) {
        unused.add("there is documentation elsewhere", at: cursor.position, action: "its address is left out")
    }

    /// Counts extensions, apart from those that are read.
    func countExtension(_ member: DocumentMember) {
        guard !Self.knownExtensions.contains(member.key) else { return }
        unused.add("the extension \(member.key.quoted)", at: member.keyPosition, action: "it is ignored")
    }

    private static let knownExtensions: Set<String> = [
        "x-nullable", "x-deprecated", "x-displayName", "x-webhooks", "x-example", "x-enum-varnames", "x-enumNames",
        "x-enum-names", "x-enum-keys", "x-enumVarnames", "x-enum-descriptions", "x-enumDescriptions", "x-enum-docs",
        "x-hikyaku-pages", "x-ms-pageable",
    ]

    /// Counts what `info` says apart from the title, the version and what the API is.
    func countInfo(_ cursor: Cursor) {
        for key in ["contact", "license", "termsOfService"] {
            guard let value = cursor[key] else { continue }
            unused.add("'info' has '\(key)'", at: value.position, action: "it is left out")
        }
    }

    /// Counts what a tag says apart from its name and what it is.
    func countTag(_ cursor: Cursor) {
        if let documentation = cursor["externalDocs"] { countDocumentation(documentation) }
        for key in ["parent", "kind"] {
            guard let value = cursor[key] else { continue }
            unused.add("a tag has '\(key)'", at: value.position, action: "namespaces are flat")
        }
    }
}
