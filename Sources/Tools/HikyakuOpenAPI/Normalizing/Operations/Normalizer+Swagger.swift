extension Normalizer {
    /// Whether a parameter is a body or a part of a form, as in 2.0.
    func isBodyOfSwagger(_ place: String) -> Bool { place == "body" || place == "formData" }

    /// The body that parameters of 2.0 make up.
    func bodyOfSwagger(of operation: Cursor, _ pointer: String, _ item: Cursor) -> RequestBody? {
        let own = list(operation["parameters"], "'parameters'").compactMap { resolved($0) }
        let shared = list(item["parameters"], "'parameters'").compactMap { resolved($0) }
        let all = own + shared.filter { one in !own.contains { isSame($0, one) } }
        if version != .v2_0, let first = all.first(where: { isBodyOfSwagger(place(of: $0) ?? "") }) {
            let message = "OpenAPI \(version.rawValue) has no parameters in the body"
            report(.ignoredMember, first, message, action: "they are read as in 2.0")
        }
        if let body = all.first(where: { place(of: $0) == "body" }) {
            reportOther(all, than: body)
            return self.body(body, operation)
        }
        let parts = all.filter { place(of: $0) == "formData" }
        return parts.isEmpty ? nil : form(parts, operation, pointer)
    }

    private func isSame(_ one: Cursor, _ other: Cursor) -> Bool {
        place(of: one) == place(of: other)
            && (place(of: one) == "body" || one.node["name"]?.scalarText == other.node["name"]?.scalarText)
    }

    private func place(of cursor: Cursor) -> String? { cursor.node["in"]?.string }

    private func reportOther(_ all: [Cursor], than body: Cursor) {
        for other in all where isBodyOfSwagger(place(of: other) ?? "") && other.location != body.location {
            report(.duplicateParameter, other, "the operation has another body", action: "it is left out")
        }
    }

    private func body(_ cursor: Cursor, _ operation: Cursor) -> RequestBody? {
        if let known = bodies[cursor.location + " " + operation.location] { return known }
        let schema = sharedSchema(cursor["schema"])
        if schema == nil { report(.missingSchema, cursor, "the body has no schema", action: "it is any content") }
        let examples = examples(of: cursor)
        let contents = mediaTypeNames(operation["consumes"], consumes).map { name, position in
            MediaType(
                name: meant(name, schema, at: position ?? cursor.position),
                schema: schema,
                encodings: [],
                examples: examples,
                extensions: [],
                position: position ?? cursor.position,
            )
        }
        return RequestBody(
            isRequired: flag(cursor["required"], "'required'") ?? false,
            description: text(cursor["description"], "'description'"),
            contents: contents,
            extensions: extensions(of: cursor),
            position: cursor.position,
        )
    }

    /// A form whose properties are parameters.
    private func form(_ parts: [Cursor], _ operation: Cursor, _ pointer: String) -> RequestBody {
        let position = parts.first?.position ?? operation.position
        var schema = Schema(origin: SchemaOrigin(position: position, pointer: pointer + "/formData"))
        schema.types = .object
        var encodings: [PropertyEncoding] = []
        for part in parts {
            guard let name = text(part["name"], "'name'"), !schema.properties.contains(where: { $0.name == name })
            else {
                report(.duplicateParameter, part, "the form's field has no name of its own", action: "it is left out")
                continue
            }
            var value = self.schema(part, isParameter: true)
            value.description = text(part["description"], "'description'")
            schema.properties.append(
                Schema.Property(
                    name: name,
                    isRequired: flag(part["required"], "'required'") ?? false,
                    position: part.position,
                    schema: value,
                )
            )
            if let format = text(part["collectionFormat"], "'collectionFormat'") {
                let style = style(ofFormat: format, .query, part)
                encodings.append(encoding(name, style.style, style.isExploded, part))
            } else if value.types == .array {
                encodings.append(encoding(name, .form, false, part))
            }
        }
        let hasFile = parts.contains { $0.node["type"]?.string == "file" }
        let contents = formTypes(operation, hasFile: hasFile).map { name in
            MediaType(
                name: name,
                schema: schema,
                encodings: encodings,
                examples: [],
                extensions: [],
                position: position,
            )
        }
        return RequestBody(
            isRequired: schema.properties.contains(where: \.isRequired),
            contents: contents,
            extensions: [],
            position: position,
        )
    }

    private func encoding(
        _ name: String,
        _ style: Parameter.Style,
        _ isExploded: Bool,
        _ cursor: Cursor,
    ) -> PropertyEncoding {
        PropertyEncoding(
            property: name,
            contentTypes: [],
            headers: [],
            style: style,
            isExploded: isExploded,
            allowsReserved: false,
            position: cursor.position,
        )
    }

    /// The media types of a form among those that the operation accepts.
    private func formTypes(_ operation: Cursor, hasFile: Bool) -> [MediaTypeName] {
        let accepted = mediaTypeNames(operation["consumes"], consumes).map(\.name).filter {
            $0.kind == .multipart || $0.kind == .form && !hasFile
        }
        if !accepted.isEmpty { return accepted }
        return [MediaTypeName(hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded")]
    }

    // MARK: Responses

    func contentsOfSwagger(_ cursor: Cursor, _ operation: Cursor) -> [MediaType] {
        guard let schema = sharedSchema(cursor["schema"]) else { return [] }
        let examples = map(cursor["examples"], "'examples'")
        var names = mediaTypeNames(operation["produces"], produces)
        if resolved(cursor["schema"])?.node["type"]?.string == "file" {
            // Whatever the document says of all operations, a file isn't JSON.
            names.removeAll { $0.name.kind != .binary }
            if names.isEmpty { names = [(MediaTypeName("*/*"), nil)] }
        }
        return names.map { name, position in
            MediaType(
                name: meant(name, schema, at: position ?? cursor.position),
                schema: schema,
                encodings: [],
                examples: examples.filter { MediaTypeName($0.key).essence == name.essence }.map {
                    NamedExample(value: (resolved($0.value) ?? $0.value).node)
                },
                extensions: [],
                position: position ?? cursor.position,
            )
        }
    }

    /// The media types of `consumes` or `produces`; JSON if there are none.
    private func mediaTypeNames(
        _ own: Cursor?,
        _ shared: [Cursor],
    ) -> [(name: MediaTypeName, position: SourcePosition?)] {
        let cursors = own == nil ? shared : list(own, "the media types")
        var essences: Set<String> = []
        let names = cursors.compactMap { cursor -> (name: MediaTypeName, position: SourcePosition?)? in
            guard let text = text(cursor, "a media type") else { return nil }
            let name = name(text, at: cursor.position)
            return essences.insert(name.text).inserted ? (name, cursor.position) : nil
        }
        return names.isEmpty ? [(MediaTypeName("application/json"), nil)] : names
    }
}
