extension OperationPlanner {
    /// The cases that the body of a request may have.
    private static let choicesMax = 12

    /// The body of an operation whose method can have one.
    func sentBody(of operation: APIOperation) -> RequestBody? {
        guard let body = operation.requestBody, operation.method == "HEAD" else { return operation.requestBody }
        findings.warn(.notGenerated, at: body.position, "HEAD has no body", action: "the request has none")
        return nil
    }

    func bodyPlan(_ body: RequestBody, _ owner: String) -> (plan: BodyPlan, parameters: [ParameterPlan])? {
        let contents = distinct(body)
        guard let content = preferred(contents) else { return nil }
        if contents.count > 1, let choice = choice(contents, body, owner) { return choice }
        return plan(content, body, owner)
    }

    private func plan(
        _ content: MediaType,
        _ body: RequestBody,
        _ owner: String,
    ) -> (plan: BodyPlan, parameters: [ParameterPlan])? {
        switch content.name.kind {
        case .form, .multipart: return fields(content, body, owner)
        case .json:
            var (plan, parameters) = single(content, body, owner, .json)
            plan.mediaType = content.name.isUsualJSON ? nil : content.name.text
            return (plan, parameters)
        case .text, .eventStream:
            let type = content.name.text.contains("*") ? "text/plain" : content.name.text
            return single(content, body, owner, .text(type))
        case .jsonLines: return single(content, body, owner, .lines(content.name.text))
        case .xml, .any, .binary:
            if content.name.isLeftAsBytes {
                let message = "the body is \(content.name.text)"
                findings.warn(.notGenerated, at: body.position, message, action: "it is given as bytes")
            }
            var (plan, parameters) = single(content, body, owner, .bytes(content.name.text))
            guard content.name.text.contains("*") else { return (plan, parameters) }
            plan.typeProperty = "contentType"
            parameters.append(typeParameter(content, body))
            return (plan, parameters)
        }
    }

    /// The media type of bytes, which the caller knows.
    private func typeParameter(_ content: MediaType, _ body: RequestBody) -> ParameterPlan {
        // Any type may be unknown, and an image is one of some type.
        let isNeeded = body.isRequired && content.name.kind != .any && content.name.essence != "application/*"
        return ParameterPlan(
            name: "contentType",
            key: "requestBody/type",
            place: .body,
            type: .text,
            documentation: "The media type of the body: \(content.name.text).",
            defaultValue: isNeeded ? nil : "\(Literal("application/octet-stream"))",
        )
    }

    // MARK: Several media types

    /// The media types without those that are only other forms of the same value.
    private func distinct(_ body: RequestBody) -> [MediaType] {
        guard body.contents.count > 1, let first = preferred(body.contents) else { return body.contents }
        var kept = [first]
        for content in body.contents where content.name.text != first.name.text {
            let isSame = kept.contains { isSameValue($0, content) }
            // A wildcard adds nothing to the media types that are named.
            if !isSame, !content.name.text.contains("*") { kept.append(content) }
        }
        let left = body.contents.filter { content in !kept.contains { $0.name.text == content.name.text } }
        if !left.isEmpty {
            let message = "the body may also be \(left.map(\.name.text).joined(separator: ", "))"
            let action = "it is sent as \(kept.map(\.name.text).joined(separator: ", "))"
            findings.add(.note, .notGenerated, at: body.position, message, action: action)
        }
        return kept
    }

    /// Whether two media types have the same schema, or the second one has none and is bytes in an unknown form.
    ///
    /// Texts and patches of several kinds are never the same: what they mean depends on the media type.
    private func isSameValue(_ one: MediaType, _ other: MediaType) -> Bool {
        if one.name.kind == other.name.kind {
            if one.name.kind == .text || one.name.isPatch || other.name.isPatch { return false }
        }
        guard let first = one.schema, let second = other.schema else {
            guard one.schema == nil, other.schema == nil else { return false }
            return other.name.kind == .xml || one.name.kind == other.name.kind && one.name.kind != .binary
        }
        if let key = first.reference { return key == second.reference && !first.hasSiblings && !second.hasSiblings }
        return first.origin.pointer == second.origin.pointer || isAlike(first, second)
    }

    /// Whether two schemas that are written twice have the same members.
    private func isAlike(_ one: Schema, _ other: Schema) -> Bool {
        guard one.types == other.types, one.format == other.format, other.reference == nil else { return false }
        guard !one.properties.isEmpty else {
            return one.types == .string && one.values == nil && other.values == nil && one.format != "binary"
        }
        return one.properties.count == other.properties.count
            && zip(one.properties, other.properties).allSatisfy {
                $0.name == $1.name && $0.schema.types == $1.schema.types
                    && $0.schema.reference == $1.schema.reference && $0.schema.format == $1.schema.format
            }
    }

    /// An enum with a case for each media type.
    private func choice(
        _ contents: [MediaType],
        _ body: RequestBody,
        _ owner: String,
    ) -> (plan: BodyPlan, parameters: [ParameterPlan])? {
        guard contents.count <= Self.choicesMax else {
            let message = "the body may be of \(contents.count) media types"
            findings.warn(.notGenerated, at: body.position, message, action: "it is sent as \(contents[0].name.text)")
            return nil
        }
        var names = MemberNames()
        for content in contents { _ = names.take(Self.caseName(content, contents)) }
        var required = body
        required.isRequired = true
        var choices: [BodyChoice] = []
        for (content, name) in zip(contents, names.names()) {
            // A further media type doesn't rename what the body is made of.
            let isFirst = content.name.text == preferred(contents)?.name.text
            let own = isFirst ? owner : owner + SwiftName.part(name)
            guard var (plan, parameters) = plan(content, required, own) else { continue }
            parameters = distinguished(parameters)
            if plan.property == nil { renameFields(&plan, parameters) }
            let choice = BodyChoice(name: name, mediaType: content.name.text, body: plan, parameters: parameters)
            choices.append(choice)
        }
        let type = SwiftType.standard("BodyContent")
        let parameter = ParameterPlan(
            name: "content",
            key: "requestBody",
            place: .body,
            type: body.isRequired ? type : type.asOptional,
            documentation: types.line(body.description),
        )
        let plan = BodyPlan(kind: .choice(choices), property: "content", isRequired: body.isRequired)
        return (plan, [parameter])
    }

    /// `json`, `form`, `multipart`, `text`, or the subtype where several are of a kind: `mergePatchJSON`, `png`.
    private static func caseName(_ content: MediaType, _ contents: [MediaType]) -> String {
        // `application/merge-patch+json` is `mergePatch`.
        let subtype = content.name.essence.split(separator: "/").last?.split(separator: "+").first ?? "bytes"
        guard contents.count(where: { $0.name.kind == content.name.kind }) == 1 || content.name.essence == "text/plain"
        else {
            let parameters = content.name.text.split(separator: ";").dropFirst().joined(separator: " ")
            return parameters.isEmpty ? String(subtype) : "\(subtype) \(parameters)"
        }
        switch content.name.kind {
        case .json: return "json"
        case .form: return "form"
        case .multipart: return "multipart"
        case .text: return content.name.essence == "text/plain" ? "text" : String(subtype)
        case .xml: return "xml"
        case .any: return "bytes"
        case .jsonLines: return "lines"
        case .eventStream: return "events"
        case .binary: return content.name.essence == "application/octet-stream" ? "bytes" : String(subtype)
        }
    }

    // MARK: One media type

    /// The media type that is sent: JSON if it is among them.
    private func preferred(_ contents: [MediaType]) -> MediaType? {
        let order: [MediaTypeName.Kind] = [
            .json, .multipart, .form, .text, .jsonLines, .binary, .any, .xml, .eventStream,
        ]
        return contents.enumerated().min { one, other in
            let first = (order.firstIndex(of: one.element.name.kind) ?? 99, one.offset)
            return first < (order.firstIndex(of: other.element.name.kind) ?? 99, other.offset)
        }?.element
    }

    private func single(
        _ content: MediaType,
        _ body: RequestBody,
        _ owner: String,
        _ kind: BodyPlan.Kind,
    ) -> (BodyPlan, [ParameterPlan]) {
        var type: SwiftType
        let wish = (body.componentName.map { NameWish($0, rank: 3) } ?? wish(owner, rank: 3)).appending(
            "Body",
            "requestBody",
        )
        switch kind {
        case .text: type = .text
        case .bytes: type = .standard("HTTPBody")
        case .lines:
            type = .array(elementType(of: content, named: wish))
            created(type)
        default:
            type = content.schema.map { types.type(of: $0, named: wish) } ?? .anything
            created(type)
        }
        if !body.isRequired { type = type.asOptional }
        let schema = content.schema.map { types.resolved($0) }
        let label = content.schema?.reference.flatMap { document[$0]?.name } ?? schema?.title
        var name = "content"
        if case .model = type.withoutOptional, let label, label.utf8.count <= 40 { name = SwiftName.member(label) }
        let parameter = ParameterPlan(
            name: name,
            key: "requestBody",
            place: .body,
            type: type,
            documentation: types.line(body.description),
        )
        return (BodyPlan(kind: kind, property: name, isRequired: body.isRequired), [parameter])
    }

    /// The type of the values of a stream: that of `itemSchema`, of the elements of an array, or else of the schema.
    func elementType(of content: MediaType, named name: NameWish) -> SwiftType {
        if let schema = content.itemSchema { return types.type(of: schema, named: name) }
        guard let schema = content.schema else { return .anything }
        if types.resolved(schema).types.withoutNull == .array, let items = types.resolved(schema).items {
            return types.type(of: items, named: name.appending("Item", "items"))
        }
        return types.type(of: schema, named: name)
    }
}
