extension Normalizer {
    func requestBody(_ cursor: Cursor?) -> RequestBody? {
        guard let element = cursor, let cursor = object(element, "'requestBody'") else { return nil }
        if let known = bodies[cursor.location] { return known }
        let contents = mediaTypes(cursor["content"])
        if contents.isEmpty {
            report(.missingMember, cursor, "a request body has no content", action: "requests have no body")
        }
        let body = RequestBody(
            isRequired: flag(cursor["required"], "'required'") ?? false,
            description: text(cursor["description"], "'description'"),
            contents: contents,
            componentName: componentName(of: cursor, isReference: element.reference != nil),
            extensions: extensions(of: cursor),
            position: cursor.position,
        )
        bodies[cursor.location] = .some(body)
        return body
    }

    /// The media types of a `content` member.
    func mediaTypes(_ cursor: Cursor?) -> [MediaType] {
        nested(cursor ?? root, []) {
            map(cursor, "'content'").compactMap { key, keyPosition, value in
                if key.hasPrefix("x-"), !key.contains("/") { return nil }
                return mediaType(name(key, at: keyPosition), value, at: keyPosition)
            }
        }
    }

    func name(_ text: String, at position: SourcePosition) -> MediaTypeName {
        let name = MediaTypeName(text)
        if !name.isValid {
            let meaning = name.kind == .json ? "JSON" : name.kind == .any ? "any content" : "bytes"
            findings.warn(
                .invalidMediaType,
                at: position,
                "\(text.quoted) is not a media type",
                action: "its content is read as \(meaning)",
            )
        }
        return name
    }

    private func mediaType(_ name: MediaTypeName, _ cursor: Cursor, at position: SourcePosition) -> MediaType {
        guard let cursor = object(cursor, "a media type") else {
            return MediaType(name: name, encodings: [], examples: [], extensions: [], position: position)
        }
        reportIgnored(in: cursor, known: Self.mediaTypeMembers)
        for key in ["prefixEncoding", "itemEncoding"] {
            guard let encoding = cursor[key] else { continue }
            note(.unsupportedKeyword, encoding, "'\(key)' is not supported", action: "it is ignored")
        }
        let schema = cursor["schema"].flatMap { $0.node.isNull ? nil : self.schema($0) }
        return MediaType(
            name: meant(name, schema, at: position),
            schema: schema,
            itemSchema: cursor["itemSchema"].flatMap { $0.node.isNull ? nil : self.schema($0) },
            encodings: map(cursor["encoding"], "'encoding'").compactMap { encoding($0.key, $0.value) },
            examples: examples(of: cursor),
            extensions: extensions(of: cursor),
            position: position,
        )
    }

    /// The media type that a document means by `*/*`: JSON, if the schema has what only JSON can write.
    func meant(_ name: MediaTypeName, _ schema: Schema?, at position: SourcePosition) -> MediaTypeName {
        guard name.kind == .any, let schema, schema.describesJSON else { return name }
        let message = "\(name.text.quoted) has a schema that only JSON can write"
        findings.add(.note, .invalidMediaType, at: position, message, action: "it is read as JSON")
        var name = name
        name.kind = .json
        return name
    }

    private static let mediaTypeMembers: Set<String> = [
        "schema", "itemSchema", "example", "examples", "encoding", "prefixEncoding", "itemEncoding",
    ]

    private func encoding(_ property: String, _ cursor: Cursor) -> PropertyEncoding? {
        guard let cursor = object(cursor, "an encoding") else { return nil }
        let style = text(cursor["style"], "'style'")
        return PropertyEncoding(
            property: property,
            contentTypes: contentTypes(text(cursor["contentType"], "'contentType'") ?? ""),
            headers: headers(cursor["headers"]),
            style: style.flatMap(Parameter.Style.init(rawValue:)),
            isExploded: flag(cursor["explode"], "'explode'"),
            allowsReserved: flag(cursor["allowReserved"], "'allowReserved'") ?? false,
            position: cursor.position,
        )
    }

    private func contentTypes(_ text: String) -> [String] {
        text.parts(by: ",").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    /// The examples of a parameter, header or media type.
    func examples(of cursor: Cursor) -> [NamedExample] {
        var examples: [NamedExample] = []
        if let example = cursor["example"] ?? cursor["x-example"] ?? cursor["examples"] {
            unused.add("there is an example", at: example.position, action: "it is left out")
        }
        if let example = cursor["example"] ?? cursor["x-example"] {
            examples.append(NamedExample(value: (resolved(example) ?? example).node))
        }
        guard let further = cursor["examples"].flatMap({ resolved($0) }) else { return examples }
        if further.node.array != nil {
            return examples + further.elements.map { NamedExample(value: (resolved($0) ?? $0).node) }
        }
        for (key, _, value) in map(further, "'examples'") {
            guard let cursor = resolved(value) else { continue }
            let isExample = cursor.node["value"] != nil || cursor.node["externalValue"] != nil
            guard isExample || cursor.node["dataValue"] != nil || cursor.node["serializedValue"] != nil else {
                if cursor.node["summary"] == nil { examples.append(NamedExample(name: key, value: cursor.node)) }
                continue
            }
            guard let content = cursor["value"] ?? cursor["dataValue"] else { continue }
            examples.append(
                NamedExample(
                    name: key,
                    summary: text(cursor["summary"], "'summary'"),
                    value: (resolved(content) ?? content).node,
                )
            )
        }
        return examples
    }
}

extension Schema {
    /// Whether its values have a structure that bytes and texts don't have.
    fileprivate var describesJSON: Bool {
        if reference != nil || !properties.isEmpty || !allOf.isEmpty || !oneOf.isEmpty || !anyOf.isEmpty { return true }
        let types = types.withoutNull
        return !types.isEmpty && !types.contains(.string)
    }
}
