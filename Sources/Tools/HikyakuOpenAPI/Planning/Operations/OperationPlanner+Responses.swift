extension OperationPlanner {
    func result(of operation: APIOperation, _ owner: String) -> RequestPlan.Result {
        var cases: [RequestPlan.StatusCase] = []
        // A range is for the statuses that have no response of their own.
        let responses = operation.responses.filter { $0.status.isSuccess && !isImpossible($0, operation) }
        for response in responses.filter({ !$0.status.isRange }) + responses.filter(\.status.isRange) {
            guard let (name, status) = success(response.status) else { continue }
            let wish = response.componentName.map { NameWish($0, rank: 3) } ?? wish(owner, rank: 4)
            let label = response.componentName == nil ? "Response" : ""
            let result = result(of: response, label.isEmpty ? wish : wish.appending(label, "\(name)"))
            cases.append(RequestPlan.StatusCase(name: name, status: status, result: result))
        }
        if cases.isEmpty, let response = operation.responses.first(where: { $0.status == .default }) {
            // Without another response, the default one is that of a success, too.
            return result(of: response, wish(owner, rank: 4).appending("Response", "default"))
        }
        guard let first = cases.first else { return .nothing }
        let distinct = cases.reduce(into: [RequestPlan.Result]()) {
            if !$0.contains($1.result) { $0.append($1.result) }
        }
        if distinct.count == 1 { return first.result }
        return .statuses(name: "Output", cases)
    }

    private func success(_ status: APIResponseDescription.Status) -> (String, Code)? {
        switch status {
        case .code(let code) where 200..<300 ~= code || code == 304:
            (Self.statusNames[code] ?? "status\(code)", "\(code)")
        case .range(2): ("success", "200...299")
        default: nil
        }
    }

    /// Whether it is a 304, which only a conditional request gets, and the operation has no parameter for that.
    private func isImpossible(_ response: APIResponseDescription, _ operation: APIOperation) -> Bool {
        guard response.status == .code(304) else { return false }
        let conditions: Set = ["if-none-match", "if-modified-since"]
        if operation.parameters.contains(where: { conditions.contains($0.name.lowercased()) }) { return false }
        guard operation.responses.contains(where: { $0.status.isSuccess && $0.status != response.status }) else {
            return false
        }
        let message = "there is a response 304, and no parameter that makes a request conditional"
        count(message, at: response.position, action: "it is left out")
        return true
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
        case .eventStream: return .events(eventType(of: content, named: name.appending("Event", "event")))
        case .jsonLines: return .lines(elementType(of: content, named: name))
        case .text: return .text
        case .xml, .any, .binary, .form, .multipart: return .stream
        }
    }

    /// The type of the events that the service may send instead of the result.
    func events(besides result: RequestPlan.Result, of operation: APIOperation, _ owner: String) -> SwiftType? {
        if case .events = result { return nil }
        let contents = operation.responses.filter(\.status.isSuccess).flatMap(\.contents)
        guard let content = contents.first(where: { $0.name.kind == .eventStream }), contents.count > 1 else {
            return nil
        }
        return eventType(of: content, named: wish(owner, rank: 4).appending("Event", "event"))
    }

    /// The end of a stream as many services send it, if the document speaks of it.
    func terminator(of operation: APIOperation) -> String? {
        let body = operation.requestBody?.contents.compactMap(\.schema).map { types.resolved($0) } ?? []
        let members = body.flatMap(\.properties).filter { $0.name == "stream" }.map { types.resolved($0.schema) }
        let texts = [operation.summary, operation.description] + operation.responses.map(\.description)
        let found = (texts + members.map(\.description)).contains { $0?.contains("[DONE]") == true }
        return found ? "[DONE]" : nil
    }

    /// The type of an event's data, or the event itself where the schema is one of its fields (3.2).
    private func eventType(of content: MediaType, named name: NameWish) -> SwiftType {
        guard let schema = (content.itemSchema ?? content.schema).map({ types.resolved($0) }) else { return .anything }
        let events = types.variants(of: schema).map { types.resolved($0) }
        if !events.isEmpty, events.allSatisfy(isEvent) { return .standard("ServerSentEvent") }
        guard isEvent(schema), let data = schema.properties.first(where: { $0.name == "data" })?.schema else {
            return elementType(of: content, named: name)
        }
        let resolved = types.resolved(data)
        if let inner = resolved.contentSchema { return types.type(of: inner, named: name).withoutOptional }
        guard resolved.types.withoutNull != .string else { return .standard("ServerSentEvent") }
        return types.type(of: data, named: name).withoutOptional
    }

    /// Whether a schema has the fields of an event, and nothing else.
    private func isEvent(_ schema: Schema) -> Bool {
        let fields: Set = ["data", "event", "id", "retry"]
        let names = schema.properties.map(\.name)
        return names.contains("data") && names.allSatisfy(fields.contains)
            && (names.count > 1 || types.resolved(schema.properties[0].schema).contentSchema != nil)
    }

    private func preferredResponse(_ response: APIResponseDescription) -> MediaType? {
        let order: [MediaTypeName.Kind] = [.json, .eventStream, .text, .jsonLines, .binary, .any, .xml]
        let sorted = response.contents.enumerated().sorted { one, other in
            let first = (order.firstIndex(of: one.element.name.kind) ?? 99, one.offset)
            return first < (order.firstIndex(of: other.element.name.kind) ?? 99, other.offset)
        }.map(\.element)
        guard let first = sorted.first else { return nil }
        // A request has a property for events beside another response.
        let others = sorted.dropFirst().filter { $0.name.kind != .eventStream }
        if !others.isEmpty {
            let message = "the response may also be \(others.map(\.name.text).joined(separator: ", "))"
            let action = "it is read as \(first.name.text)"
            findings.add(.note, .notGenerated, at: response.position, message, action: action)
        }
        if first.name.isLeftAsBytes {
            let message = "the response is \(first.name.text)"
            findings.add(.note, .notGenerated, at: response.position, message, action: "its bytes are streamed")
        }
        return first
    }

    /// The media type of JSON or of a stream, where the success has only a special one.
    func acceptedType(of operation: APIOperation) -> String? {
        let read = operation.responses.filter { $0.status.isSuccess && !$0.contents.isEmpty }.map(preferredResponse)
        guard let first = read.compactMap(\.self).first, !first.name.text.contains("*") else { return nil }
        switch first.name.kind {
        case .json, .jsonLines, .binary, .xml: break
        default: return nil
        }
        let usual: Set = ["application/jsonl", "application/octet-stream"]
        guard !first.name.isUsualJSON, !usual.contains(first.name.essence) else { return nil }
        return read.allSatisfy { $0?.name == first.name } ? first.name.text : nil
    }

    // MARK: Servers

    /// The URL of the operation's own server.
    func server(of operation: APIOperation) -> String? {
        guard let server = operation.servers.first else { return nil }
        let plan = EnvironmentPlanner(document, options, findings, "", OtherNames([:])).plan(server, "")
        let url = plan.urlText
        if operation.servers.count > 1 || !server.variables.isEmpty {
            let message = "the operation has several servers of its own, or one with variables"
            let action = "it is sent to \(url); client.substituting(_:for:) replaces it"
            findings.add(.note, .notGenerated, at: server.position, message, action: action)
        }
        return url
    }

    func noteUnsupported(_ operation: APIOperation) {
        for response in operation.responses where !response.status.isSuccess && !response.status.isError {
            guard response.status != .default else { continue }
            let message = "the response is neither a success nor an error"
            let action = "redirects are followed, and what remains is an error"
            findings.add(.note, .notGenerated, at: response.position, message, action: action)
        }
        for link in operation.responses.flatMap(\.links) where link.operationID != operation.id {
            let target = link.operationID ?? link.operationReference ?? "an operation"
            let members = link.parameters.map(\.key).joined(separator: ", ")
            let values = members.isEmpty ? "" : ", with \(members)"
            let message = "the response has the link \(link.name.quoted) to \(target)\(values)"
            findings.add(
                .note,
                .notGenerated,
                at: operation.position,
                message,
                action: "the caller makes that request",
            )
        }
    }
}
