import HikyakuBase

extension Normalizer {
    /// The parameters of a list, without those of 2.0 that make up a body.
    func parameterList(_ cursor: Cursor?) -> [Parameter] {
        list(cursor, "'parameters'").compactMap { element in
            guard let cursor = object(element, "a parameter") else { return nil }
            let known = parameters[cursor.location]
            var parameter = known ?? parameter(cursor, isReference: element.reference != nil)
            if known == nil { parameters[cursor.location] = .some(parameter) }
            // From 3.1, a reference may have its own description.
            if let own = description(beside: element) { parameter?.description = own }
            return parameter
        }
    }

    private func parameter(_ cursor: Cursor, isReference: Bool) -> Parameter? {
        let place = text(cursor["in"], "'in'") ?? ""
        counts.parameters += 1
        if isBodyOfSwagger(place) { return nil }
        guard let name = text(cursor["name"], "'name'") else {
            report(.missingMember, cursor, "a parameter has no name", action: "it is left out")
            return nil
        }
        guard let location = location(place, name, cursor) else { return nil }
        if location == .header, ["accept", "content-type", "authorization"].contains(name.lowercased()) {
            note(
                .ignoredMember,
                cursor,
                "OpenAPI has no parameter \(name.quoted) in the header: media types and security say it",
                action: "it is left out",
            )
            return nil
        }
        guard isSendable(name, location, cursor) else { return nil }
        let style = style(of: cursor, location, name)
        let content = content(of: cursor)
        if content?.schema != nil, cursor["schema"] != nil {
            let message = "the parameter \(name.quoted) has both 'schema' and 'content'"
            note(.conflictingParts, cursor, message, action: "its content is used")
        }
        return Parameter(
            name: name,
            location: location,
            style: style.style,
            isExploded: style.isExploded,
            allowsReserved: flag(cursor["allowReserved"], "'allowReserved'") ?? false,
            allowsEmptyValue: flag(cursor["allowEmptyValue"], "'allowEmptyValue'") ?? false,
            isRequired: isRequired(cursor, location, name),
            isDeprecated: flag(cursor["deprecated"] ?? cursor["x-deprecated"], "'deprecated'") ?? false,
            description: text(cursor["description"], "'description'"),
            schema: content?.schema
                ?? schema(ofParameter: cursor, "the parameter \(name.quoted)", hasContent: content != nil),
            content: content,
            examples: examples(of: cursor),
            componentName: componentName(of: cursor, isReference: isReference),
            isImplied: false,
            extensions: extensions(of: cursor),
            position: cursor.position,
        )
    }

    /// Whether a header field or a cookie may have a name, and is not one that the transport writes.
    private func isSendable(_ name: String, _ location: Parameter.Location, _ cursor: Cursor) -> Bool {
        guard location == .header || location == .cookie else { return true }
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken) else {
            let message = "\(name.quoted) can't be the name of a \(location == .header ? "header field" : "cookie")"
            report(.unknownValue, cursor, message, action: "the parameter is left out")
            return false
        }
        let transport = ["host", "content-length", "transfer-encoding", "connection", "te", "upgrade"]
        guard location == .header, transport.contains(name.lowercased()) else { return true }
        note(.ignoredMember, cursor, "the transport writes the field \(name.quoted)", action: "it is left out")
        return false
    }

    private func location(_ place: String, _ name: String, _ cursor: Cursor) -> Parameter.Location? {
        if let location = Parameter.Location(rawValue: place) { return location }
        if let location = Parameter.Location(rawValue: place.lowercased()) {
            report(.unknownValue, cursor, "'in' is \(place.quoted)", action: "it is read as '\(location)'")
            return location
        }
        let reason =
            place.isEmpty ? "the parameter \(name.quoted) has no 'in'" : "a parameter can't be in \(place.quoted)"
        report(.unknownValue, cursor, reason, action: "it is left out")
        return nil
    }

    private func isRequired(_ cursor: Cursor, _ location: Parameter.Location, _ name: String) -> Bool {
        let isRequired = flag(cursor["required"], "'required'") ?? false
        if location == .path, !isRequired {
            note(
                .invalidRequired,
                cursor,
                "the path's parameter \(name.quoted) is not marked as required",
                action: "it is required",
            )
        }
        return isRequired || location == .path
    }

    /// The media type of a parameter that is encoded by one.
    private func content(of cursor: Cursor) -> MediaType? {
        guard let content = cursor["content"] else { return nil }
        let types = mediaTypes(content)
        if types.count != 1 {
            report(
                .invalidMediaType,
                cursor,
                "the content of a parameter has \(types.count) media types, not one",
                action: types.isEmpty ? "it is ignored" : "the first one is used",
            )
        }
        return types.first
    }

    /// The schema of a parameter or a header; a text if there is none.
    func schema(ofParameter cursor: Cursor, _ name: String, hasContent: Bool) -> Schema {
        if let schema = cursor["schema"], !schema.node.isNull { return self.schema(schema) }
        if !hasContent, version == .v2_0 || cursor["type"] != nil {
            if version != .v2_0 {
                let action = "its other members are read as one"
                report(.missingSchema, cursor, "\(name) has no 'schema'", action: action)
            } else if cursor["type"] == nil {
                reportNoSchema(cursor, name)
            }
            return schema(cursor, isParameter: true)
        }
        var schema = Schema(
            origin: SchemaOrigin(position: cursor.position, pointer: cursor.location + "/schema")
        )
        guard !hasContent else { return schema }
        schema.types = .string
        reportNoSchema(cursor, name)
        return schema
    }

    private func reportNoSchema(_ cursor: Cursor, _ name: String) {
        report(.missingSchema, cursor, "\(name) has no schema", action: "it is read as a text")
    }

    // MARK: Styles

    private func style(
        of cursor: Cursor,
        _ location: Parameter.Location,
        _ name: String,
    ) -> (style: Parameter.Style, isExploded: Bool) {
        if let format = text(cursor["collectionFormat"], "'collectionFormat'") {
            return style(ofFormat: format, location, cursor)
        }
        if version == .v2_0 { return (location == .query ? .form : .simple, false) }
        let usual: Parameter.Style = location == .query || location == .cookie ? .form : .simple
        let style = style(cursor["style"], in: location) ?? usual
        let isExploded = flag(cursor["explode"], "'explode'") ?? (style == .form || style == .cookie)
        return (style, isExploded)
    }

    private func style(_ cursor: Cursor?, in location: Parameter.Location) -> Parameter.Style? {
        guard let cursor, let text = text(cursor, "'style'") else { return nil }
        let allowed: [Parameter.Location: [Parameter.Style]] = [
            .path: [.simple, .label, .matrix], .query: [.form, .spaceDelimited, .pipeDelimited, .deepObject],
            .header: [.simple], .cookie: [.form, .cookie], .querystring: [],
        ]
        if let style = Parameter.Style(rawValue: text), allowed[location]?.contains(style) ?? false { return style }
        report(
            .unknownValue,
            cursor,
            "the style \(text.quoted) does not apply to a \(location) parameter",
            action: "the usual style is used",
        )
        return nil
    }

    func style(
        ofFormat format: String,
        _ location: Parameter.Location,
        _ cursor: Cursor,
    ) -> (style: Parameter.Style, isExploded: Bool) {
        let usual: Parameter.Style = location == .query ? .form : .simple
        switch format {
        case "csv": return (usual, false)
        case "multi": return (.form, true)
        case "ssv": return (.spaceDelimited, false)
        case "pipes": return (.pipeDelimited, false)
        case "tsv": return (.tabDelimited, false)
        default:
            report(
                .unknownValue,
                cursor,
                "the collection format \(format.quoted) is unknown",
                action: "it is read as 'csv'",
            )
            return (usual, false)
        }
    }
}
