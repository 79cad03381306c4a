extension OperationPlanner {
    // MARK: Bodies

    func bodyPlan(_ body: RequestBody, _ owner: String) -> (plan: BodyPlan, parameters: [ParameterPlan])? {
        guard let content = preferred(body.contents) else { return nil }
        let others = body.contents.filter { $0.name.text != content.name.text }
        if !others.isEmpty {
            let message = "the body may also be \(others.map(\.name.text).joined(separator: ", "))"
            let action = "it is sent as \(content.name.text)"
            findings.add(.note, .notGenerated, at: body.position, message, action: action)
        }
        switch content.name.kind {
        case .form, .multipart: return fields(content, body, owner)
        case .json:
            var (plan, parameters) = single(content, body, owner, .json)
            let isUsual = content.name.essence == "application/json" || content.name.text.contains("*")
            plan.mediaType = isUsual ? nil : content.name.text
            return (plan, parameters)
        case .text, .eventStream: return single(content, body, owner, .text(content.name.text))
        case .xml, .any, .binary, .jsonLines, .jsonSequence:
            if content.name.kind != .any, content.name.kind != .binary {
                let message = "the body is \(content.name.text)"
                findings.warn(.notGenerated, at: body.position, message, action: "it is given as bytes")
            }
            return single(content, body, owner, .bytes(content.name.text))
        }
    }

    /// The media type that is sent: JSON if it is among them.
    private func preferred(_ contents: [MediaType]) -> MediaType? {
        let order: [MediaTypeName.Kind] = [
            .json, .multipart, .form, .text, .binary, .any, .jsonLines, .jsonSequence, .xml, .eventStream,
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
        switch kind {
        case .text: type = .text
        case .bytes: type = .standard("HTTPBody")
        default:
            let name = NameWish(body.componentName ?? owner, rank: 3).appending("Body", "requestBody")
            type = content.schema.map { types.type(of: $0, named: name) } ?? .anything
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
            documentation: Documentation.line(body.description),
        )
        return (BodyPlan(kind: kind, property: name, isRequired: body.isRequired), [parameter])
    }

    // MARK: Responses

    func result(of operation: APIOperation, _ owner: String) -> RequestPlan.Result {
        var cases: [RequestPlan.StatusCase] = []
        for response in operation.responses {
            guard let (name, status) = success(response.status) else { continue }
            let wish = NameWish(response.componentName ?? owner, rank: response.componentName == nil ? 4 : 3)
            let label = response.componentName == nil ? "Response" : ""
            let result = result(of: response, label.isEmpty ? wish : wish.appending(label, "\(name)"))
            cases.append(RequestPlan.StatusCase(name: name, status: status, result: result))
        }
        if cases.isEmpty, let response = operation.responses.first(where: { $0.status == .default }) {
            // Without another response, the default one is that of a success, too.
            if !operation.responses.contains(where: { isError($0.status) }) {
                return result(of: response, NameWish(owner, rank: 4).appending("Response", "default"))
            }
        }
        guard let first = cases.first else { return .nothing }
        let distinct = cases.reduce(into: [RequestPlan.Result]()) {
            if !$0.contains($1.result) { $0.append($1.result) }
        }
        if distinct.count == 1 { return first.result }
        if cases.contains(where: { if case .events = $0.result { true } else { false } }) {
            findings.warn(
                .notGenerated,
                at: operation.position,
                "several responses, one of them a stream of events",
                action: "the first is used",
            )
            return first.result
        }
        return .statuses(name: "Output", cases)
    }

    private func success(_ status: APIResponseDescription.Status) -> (String, String)? {
        switch status {
        case .code(let code) where 200..<300 ~= code || code == 304:
            (Self.statusNames[code] ?? "status\(code)", "\(code)")
        case .range(2): ("success", "200...299")
        default: nil
        }
    }

    private func isError(_ status: APIResponseDescription.Status) -> Bool {
        switch status {
        case .code(let code): code >= 400
        case .range(let digit): digit >= 4
        case .default: false
        }
    }

    private static let statusNames: [Int: String] = [
        200: "ok", 201: "created", 202: "accepted", 203: "nonAuthoritative", 204: "noContent", 205: "resetContent",
        206: "partialContent", 304: "notModified",
    ]

    private func result(of response: APIResponseDescription, _ name: NameWish) -> RequestPlan.Result {
        guard let content = preferredResponse(response) else { return .nothing }
        switch content.name.kind {
        case .json:
            guard let schema = content.schema else { return .decoded(.anything) }
            return .decoded(types.type(of: schema, named: name))
        case .eventStream:
            let schema = content.itemSchema ?? content.schema
            return .events(schema.map { types.type(of: $0, named: name.appending("Event", "event")) } ?? .anything)
        case .text: return .text
        case .jsonLines, .jsonSequence, .xml, .any, .binary, .form, .multipart: return .stream
        }
    }

    private func preferredResponse(_ response: APIResponseDescription) -> MediaType? {
        let order: [MediaTypeName.Kind] = [.json, .eventStream, .text, .jsonLines, .jsonSequence, .binary, .any, .xml]
        let sorted = response.contents.enumerated().sorted { one, other in
            let first = (order.firstIndex(of: one.element.name.kind) ?? 99, one.offset)
            return first < (order.firstIndex(of: other.element.name.kind) ?? 99, other.offset)
        }.map(\.element)
        guard let first = sorted.first else { return nil }
        if sorted.count > 1 {
            let message = "the response may also be \(sorted.dropFirst().map(\.name.text).joined(separator: ", "))"
            let action = "it is read as \(first.name.text)"
            findings.add(.note, .notGenerated, at: response.position, message, action: action)
        }
        if first.name.kind == .jsonLines || first.name.kind == .jsonSequence || first.name.kind == .xml {
            let message = "the response is \(first.name.text)"
            findings.add(.note, .notGenerated, at: response.position, message, action: "its bytes are streamed")
        }
        return first
    }

    /// The media type of JSON, where the success has only a special one.
    func acceptedType(of operation: APIOperation) -> String? {
        let contents = operation.responses.filter { success($0.status) != nil }.flatMap(\.contents)
        guard let first = contents.first, first.name.kind == .json, !first.name.text.contains("*") else { return nil }
        return contents.allSatisfy { $0.name == first.name } && first.name.essence != "application/json"
            ? first.name.text : nil
    }

    // MARK: Failures

    /// The types of the errors, sorted.
    func failureTypes(of operation: APIOperation, _ owner: String) -> [SwiftType] {
        var found: [SwiftType] = []
        let hasSuccess = operation.responses.contains { success($0.status) != nil }
        for response in operation.responses {
            guard isError(response.status) || response.status == .default && hasSuccess else { continue }
            guard let content = response.contents.first(where: { $0.name.kind == .json }), let schema = content.schema
            else {
                if !response.contents.isEmpty {
                    let message = "an error has no JSON with a schema"
                    let action = "its body is kept in the error"
                    findings.add(.note, .notGenerated, at: response.position, message, action: action)
                }
                continue
            }
            if response.contents.count > 1 {
                let message = "the error may also be of another media type than \(content.name.text)"
                let action = "such a body is kept in the error"
                findings.add(.note, .notGenerated, at: response.position, message, action: action)
            }
            let wish = NameWish(response.componentName ?? owner, rank: response.componentName == nil ? 4 : 3)
            let type = types.type(of: schema, named: wish.appending("Failure", "\(response.status)")).withoutOptional
            if case .model(let id) = type, types.plans[id] != nil {
                if !found.contains(type) { found.append(type) }
            } else {
                findings.add(
                    .note,
                    .notGenerated,
                    at: response.position,
                    "an error is no object",
                    action: "its body is kept in the error",
                )
            }
        }
        return found
    }

    /// The URL of the operation's own server.
    func server(of operation: APIOperation) -> String? {
        guard let server = operation.servers.first else { return nil }
        var url = server.url
        for variable in server.variables { url = url.replacing("{\(variable.name)}", with: variable.defaultValue) }
        guard url.contains("://") else {
            let message = "the operation's server \(url.quoted) has no host"
            findings.warn(.notGenerated, at: server.position, message, action: "it is sent to the API's server")
            return nil
        }
        if operation.servers.count > 1 || !server.variables.isEmpty {
            let message = "the operation has several servers of its own"
            findings.add(.note, .notGenerated, at: server.position, message, action: "it is sent to \(url)")
        }
        return SourceText.escaped(url)
    }

    func noteUnsupported(_ operation: APIOperation) {
        for response in operation.responses where success(response.status) == nil && !isError(response.status) {
            guard response.status != .default else { continue }
            let message = "the response is neither a success nor an error"
            let action = "redirects are followed, and what remains is an error"
            findings.add(.note, .notGenerated, at: response.position, message, action: action)
        }
        for response in operation.responses where !response.headers.isEmpty {
            let names = response.headers.map(\.name).joined(separator: ", ")
            findings.add(
                .note,
                .notGenerated,
                at: response.position,
                "the response has the fields \(names)",
                action: "APIResponse.headers has them",
            )
        }
    }
}
