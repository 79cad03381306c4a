extension Normalizer {
    func responses(of operation: Cursor) -> [APIResponseDescription] {
        let members = map(operation["responses"], "'responses'").filter { !$0.key.hasPrefix("x-") }
        if members.isEmpty {
            note(.missingMember, operation, "an operation has no responses", action: "nothing is read of them")
        }
        var statuses: Set<APIResponseDescription.Status> = []
        return members.compactMap { key, keyPosition, value in
            guard let status = status(key, at: keyPosition) else { return nil }
            guard statuses.insert(status).inserted else {
                let message = "there is another response for the status \(key.quoted)"
                findings.warn(.invalidStatus, at: keyPosition, message, action: "it is left out")
                return nil
            }
            if value.node.isNull {
                note(.missingMember, value, "the response \(key.quoted) is empty", action: "it has no content")
            }
            let known = value.node.isNull ? emptyResponse(at: value.position) : response(value, operation)
            guard var response = known else { return nil }
            response.status = status
            if let own = description(beside: value) { response.description = own }
            return response
        }
    }

    private func status(_ key: String, at position: SourcePosition) -> APIResponseDescription.Status? {
        let text = key.lowercased()
        if text == "default" { return .default }
        if let code = Int(text), 100...999 ~= code { return .code(code) }
        if text.utf8.count == 3, text.hasSuffix("xx"), let digit = Int(text.prefix(1)), 1...5 ~= digit {
            return .range(digit)
        }
        findings.warn(
            .invalidStatus,
            at: position,
            "\(key.quoted) is not a status",
            action: "the response is left out",
        )
        return nil
    }

    private func response(_ element: Cursor, _ operation: Cursor) -> APIResponseDescription? {
        guard let cursor = object(element, "a response") else {
            // The status is known, and that is something.
            return element.reference == nil ? nil : emptyResponse(at: element.position)
        }
        // In 2.0 the media types are those of the operation.
        let key = version == .v2_0 ? cursor.location + " " + operation.location : cursor.location
        usedResponses.insert(cursor.location)
        if let known = responses[key] { return known }
        let response = APIResponseDescription(
            status: .default,
            description: text(cursor["description"], "'description'"),
            headers: headers(cursor["headers"]),
            contents: contents(of: cursor, operation),
            links: links(cursor["links"]),
            componentName: componentName(of: cursor, isReference: element.reference != nil),
            extensions: extensions(of: cursor),
            position: cursor.position,
        )
        reportIgnored(in: cursor, known: version == .v2_0 ? Self.swaggerMembers : Self.members)
        responses[key] = .some(response)
        return response
    }

    private func emptyResponse(at position: SourcePosition) -> APIResponseDescription {
        APIResponseDescription(
            status: .default,
            headers: [],
            contents: [],
            links: [],
            extensions: [],
            position: position,
        )
    }

    /// The bodies of a response, in the language of any version.
    private func contents(of cursor: Cursor, _ operation: Cursor) -> [MediaType] {
        let (content, schema) = (cursor["content"], cursor["schema"])
        if version == .v2_0, schema != nil || content == nil { return contentsOfSwagger(cursor, operation) }
        guard let other = version == .v2_0 ? content : content == nil ? schema : nil else { return mediaTypes(content) }
        let message = "OpenAPI \(version.rawValue) has no '\(version == .v2_0 ? "content" : "schema")' of a response"
        report(.ignoredMember, other, message, action: "it is read as in \(version == .v2_0 ? "3.0" : "2.0")")
        return version == .v2_0 ? mediaTypes(content) : contentsOfSwagger(cursor, operation)
    }

    private static let members: Set<String> = ["description", "summary", "headers", "content", "links", "schema"]
    private static let swaggerMembers: Set<String> = ["description", "headers", "schema", "examples", "content"]

    func headers(_ cursor: Cursor?) -> [ResponseHeader] {
        nested(cursor ?? root, []) {
            map(cursor, "'headers'").compactMap { name, _, value in
                if name.lowercased() == "content-type" || name.hasPrefix("x-") && value.node.object == nil {
                    return nil
                }
                return header(name, value)
            }
        }
    }

    private func header(_ name: String, _ element: Cursor) -> ResponseHeader? {
        guard let cursor = object(element, "a header") else { return nil }
        if var known = headers[cursor.location] {
            known?.name = name
            return known
        }
        let content = cursor["content"].flatMap { mediaTypes($0).first }
        let header = ResponseHeader(
            name: name,
            isRequired: flag(cursor["required"], "'required'") ?? false,
            isDeprecated: flag(cursor["deprecated"], "'deprecated'") ?? false,
            isExploded: flag(cursor["explode"], "'explode'") ?? false,
            description: text(cursor["description"], "'description'"),
            schema: content?.schema
                ?? schema(ofParameter: cursor, "the header \(name.quoted)", hasContent: content != nil),
            content: content,
            componentName: componentName(of: cursor, isReference: element.reference != nil),
            position: cursor.position,
        )
        headers[cursor.location] = .some(header)
        return header
    }

    private func links(_ cursor: Cursor?) -> [Link] {
        map(cursor, "'links'").compactMap { name, _, value in
            guard let cursor = object(value, "a link") else { return nil }
            return Link(
                name: name,
                operationID: text(cursor["operationId"], "'operationId'"),
                operationReference: text(cursor["operationRef"], "'operationRef'"),
                parameters: cursor["parameters"]?.node.object ?? [],
                description: text(cursor["description"], "'description'"),
            )
        }
    }
}
