extension Normalizer {
    func operation(_ method: String, _ cursor: Cursor, _ context: PathContext) -> APIOperation? {
        let pointer = cursor.location
        guard countOperationParts(0, at: cursor.position), let cursor = object(cursor, "an operation") else {
            return nil
        }
        let own = parameterList(cursor["parameters"])
        let parameters = parameters(of: cursor, own, context)
        var operation = APIOperation(
            method: method,
            path: context.path,
            id: operationID(cursor["operationId"]),
            tags: texts(cursor["tags"], "'tags'"),
            summary: text(cursor["summary"], "'summary'") ?? context.summary,
            description: text(cursor["description"], "'description'") ?? context.description,
            isDeprecated: flag(cursor["deprecated"], "'deprecated'") ?? false,
            parameters: parameters,
            responses: responses(of: cursor),
            security: cursor["security"].flatMap { $0.node.isNull ? nil : alternatives($0) } ?? security,
            servers: servers(cursor["servers"]),
            callbacks: callbacks(cursor["callbacks"]),
            extensions: extensions(of: cursor),
            position: cursor.position,
            pointer: pointer,
        )
        if operation.servers.isEmpty {
            operation.servers = version == .v2_0 ? serversOfSwagger(for: cursor) : context.servers
        }
        let swaggerBody = bodyOfSwagger(of: cursor, pointer, context.cursor)
        operation.requestBody = requestBody(cursor["requestBody"]) ?? swaggerBody
        guard countOperationParts(operation.partCount, at: operation.position) else { return nil }
        usedTags += operation.tags
        reportIgnored(in: cursor, known: Self.operationMembers)
        return operation
    }

    private static let operationMembers: Set<String> = [
        "operationId", "tags", "summary", "description", "deprecated", "parameters", "responses", "security", "servers",
        "callbacks", "requestBody", "externalDocs", "consumes", "produces", "schemes",
    ]

    private func operationID(_ cursor: Cursor?) -> String? {
        guard let cursor, let id = text(cursor, "'operationId'"), !id.isEmpty else { return nil }
        if let first = operationIDs[id], first != cursor.position {
            note(
                .duplicateOperationID,
                cursor,
                "the operation at line \(first.line) has the same 'operationId' \(id.quoted)",
                action: "both are kept",
            )
        } else {
            operationIDs[id] = cursor.position
        }
        return id
    }

    /// The servers of an operation with its own `schemes`.
    private func serversOfSwagger(for cursor: Cursor) -> [Server] {
        let schemes = texts(cursor["schemes"], "'schemes'")
        guard !schemes.isEmpty, let scheme = texts(root["schemes"], "'schemes'").first else { return [] }
        let servers = serversOfSwagger()
        guard schemes != texts(root["schemes"], "'schemes'"), let first = servers.first else { return [] }
        return schemes.map { own in
            var server = first
            if server.url.hasPrefix(scheme + ":") { server.url = own + server.url.dropFirst(scheme.utf8.count) }
            return server
        }
    }

    // MARK: Parameters of an operation

    /// Those of the path and the operation's own, and those that the path's variables lack.
    private func parameters(of cursor: Cursor, _ own: [Parameter], _ context: PathContext) -> [Parameter] {
        let names = Set(own.map(\.identity))
        var parameters = context.parameters.filter { !names.contains($0.identity) }
        var found: [String: Parameter] = [:]
        for parameter in own {
            guard let first = found[parameter.identity] else {
                found[parameter.identity] = parameter
                parameters.append(parameter)
                continue
            }
            findings.warn(
                .duplicateParameter,
                at: parameter.position,
                "the \(parameter.location) parameter \(parameter.name.quoted) is also at line \(first.position.line)",
                action: "the first one is used",
            )
        }
        guard context.isCalled else { return parameters }
        return implied(for: parameters, cursor, context)
    }

    private func implied(for parameters: [Parameter], _ cursor: Cursor, _ context: PathContext) -> [Parameter] {
        let variables = context.path.variables
        let names = Set(variables)
        var parameters = parameters.filter { parameter in
            guard parameter.location == .path, !names.contains(parameter.name) else { return true }
            findings.warn(
                .unusedPathParameter,
                at: parameter.position,
                "the path \(context.path.text.quoted) has no variable \(parameter.name.quoted)",
                action: "the parameter is left out",
            )
            return false
        }
        var declared = Set(parameters.filter { $0.location == .path }.map(\.name))
        for name in variables where declared.insert(name).inserted {
            findings.warn(
                .undeclaredPathParameter,
                at: cursor.position,
                "the variable \(name.quoted) of the path \(context.path.text.quoted) has no parameter",
                action: "it is a required text",
            )
            parameters.append(impliedParameter(name, cursor, context))
        }
        return parameters
    }

    private func impliedParameter(_ name: String, _ cursor: Cursor, _ context: PathContext) -> Parameter {
        let pointer = "\(cursor.location)/parameters/\(Pointer.escaped(name))"
        var schema = Schema(origin: SchemaOrigin(position: cursor.position, pointer: pointer))
        schema.types = .string
        return Parameter(
            name: name,
            location: .path,
            style: .simple,
            isExploded: false,
            allowsReserved: false,
            allowsEmptyValue: false,
            isRequired: true,
            isDeprecated: false,
            schema: schema,
            examples: [],
            isImplied: true,
            extensions: [],
            position: cursor.position,
        )
    }
}

extension APIOperation {
    /// How many things it has that are planned and rendered for each operation anew.
    fileprivate var partCount: Int {
        var texts = parameters.map { $0.name + ($0.description ?? "") } + tags
        let shown = [path.text, id, summary, description, requestBody?.description].compactMap(\.self)
        texts.append(shown.joined())
        for response in responses {
            texts += response.headers.map(\.name) + response.contents.map(\.name.text)
            texts += response.links.map(\.name) + [""]
        }
        for content in requestBody?.contents ?? [] { texts += content.encodings.map(\.property) + [content.name.text] }
        for requirement in security.flatMap(\.requirements) { texts += requirement.scopes + [requirement.scheme] }
        for server in servers { texts += server.variables.flatMap { $0.values + [$0.name] } + [server.url] }
        // An operation itself, with its type and mostly a file, is as much as several parameters.
        return texts.reduce(3 + texts.count + security.count + callbacks.count) { $0 + $1.weight }
    }
}

extension Parameter {
    /// What distinguishes it from others of an operation: the names of header fields have no case.
    fileprivate var identity: String {
        "\(location) \(location == .header ? name.lowercased() : name)"
    }
}
