/// Writes requests.
struct RequestRenderer {
    let plan: Plan
    let options: GeneratorOptions
    /// The environment that each request names itself, if no protocol of the API has it.
    let environment: String?
    var access: String { options.access.modifier }

    init(_ plan: Plan, _ options: GeneratorOptions, environment: String? = nil) {
        (self.plan, self.options, self.environment) = (plan, options, environment)
    }

    func render(_ group: GroupPlan, to text: inout SourceText) {
        text.gap()
        text.document(group.documentation ?? publicly("The requests of `\(group.name)`."))
        text.line("\(access)nonisolated enum \(group.name) {}")
        text.gap()
        text.block("nonisolated extension \(group.name)") { text in
            for request in group.requests { render(request, &text) }
        }
    }

    func publicly(_ text: String) -> String? { options.access == .public ? text : nil }

    func name(of type: SwiftType) -> String { TypeText.text(of: type, plan.typeNames) }

    func render(_ request: RequestPlan, _ text: inout SourceText) {
        text.gap()
        text.document(request.documentation ?? publicly("Sends \(request.id)."))
        if let authorization = request.authorization {
            if request.documentation != nil || options.access == .public { text.line("///") }
            text.document("Authorized by \(authorization).")
        }
        if request.isDeprecated { text.line("@available(*, deprecated)") }
        let isStream = if case .events = request.result { true } else { false }
        let conformances =
            [environment == nil ? "\(plan.name).Request" : "APIRequest"] + (isStream ? ["EventStreamRequest"] : [])
            + (request.paging == nil ? [] : ["PagedRequest"])
        let isolation = environment == nil ? "" : "nonisolated "
        text.block("\(access)\(isolation)struct \(request.name): \(conformances.joined(separator: ", "))") { text in
            renderTypes(request, &text)
            text.gap()
            renderProperties(request, &text)
            renderInit(request, &text)
            text.gap()
            renderContent(request, &text)
        }
    }

    // MARK: Types

    private func renderTypes(_ request: RequestPlan, _ text: inout SourceText) {
        func alias(_ name: String, _ value: String, _ documentation: String) {
            text.document(publicly(documentation))
            text.line("\(access)typealias \(name) = \(value)")
        }
        switch request.result {
        case .nothing: alias("Response", "Void", "Nothing is read.")
        case .decoded(let type): alias("Response", name(of: type), "What the caller gets.")
        case .text: alias("Definition", "TextResponse", "The response is text.")
        case .stream: alias("Definition", "StreamedResponse", "The response is a stream of bytes.")
        case .events(let type): alias("Event", name(of: type), "What the stream has.")
        case .lines, .sequence: alias("Definition", definition(request.result), "The response is a stream of values.")
        case .statuses(let name, _):
            alias("Definition", "StatusResponse<\(name)>", "The response depends on the status.")
        }
        if request.access != .public { alias("Access", request.access.rawValue, "The client must be authorized.") }
        if let failure = request.failure { alias("Failure", failure, "The error of the service.") }
        if let headers = request.headers { alias("ResponseHeaders", headers, "The fields of the response.") }
        if case .statuses(let name, let cases) = request.result { renderStatuses(name, cases, &text) }
        if case .choice(let choices) = request.body?.kind { renderChoices(choices, &text) }
    }

    private func renderStatuses(_ name: String, _ cases: [RequestPlan.StatusCase], _ text: inout SourceText) {
        text.gap()
        text.document(publicly("What the caller gets."))
        text.block("\(access)enum \(name): StatusResult, Sendable") { text in
            for item in cases {
                text.document(publicly("The response with the status \(item.status)."))
                let type = resultType(item.result)
                text.line("case \(item.name)" + (type == "Void" ? "" : "(\(type))"))
            }
            text.gap()
            text.document(publicly("The shapes of the responses."))
            text.line("\(access)static let shapes: [StatusShape<\(name)>] = [")
            text.indented { text in
                for item in cases {
                    let (definition, isVoid) = (definition(item.result), resultType(item.result) == "Void")
                    let result = isVoid ? ".\(item.name)" : ".\(item.name)($0)"
                    text.line(".on(\(item.status), \(definition).self) { \(result) },")
                }
            }
            text.line("]")
        }
    }

    private func resultType(_ result: RequestPlan.Result) -> String {
        switch result {
        case .nothing, .statuses: "Void"
        case .decoded(let type): name(of: type)
        case .events(let type): "EventStream<\(name(of: type))>"
        case .lines(let type), .sequence(let type): "JSONLines<HTTPBody, \(name(of: type))>"
        case .text: "String"
        case .stream: "HTTPBody"
        }
    }

    private func definition(_ result: RequestPlan.Result) -> String {
        switch result {
        case .nothing, .statuses: "EmptyResponse"
        case .decoded(let type): "Decoded<\(name(of: type))>"
        case .events(let type): "EventStreamResponse<\(name(of: type))>"
        case .lines(let type): "JSONLinesResponse<\(name(of: type))>"
        case .sequence(let type): "JSONSequenceResponse<\(name(of: type))>"
        case .text: "TextResponse"
        case .stream: "StreamedResponse"
        }
    }

    // MARK: Properties

    private func renderProperties(_ request: RequestPlan, _ text: inout SourceText) {
        for parameter in request.parameters {
            text.document(
                parameter.documentation ?? publicly("The parameter `\(parameter.key)`."),
                isDeprecated: parameter.isDeprecated,
            )
            let value = parameter.defaultValue.map { " = \($0)" } ?? ""
            text.line("\(access)var \(SwiftName.quoted(parameter.name)): \(name(of: parameter.type))\(value)")
        }
    }

    private func renderInit(_ request: RequestPlan, _ text: inout SourceText) {
        guard options.access != .internal else { return }
        let arguments = request.parameters.map { parameter in
            let value = parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil)
            let tail = value.map { " = \($0)" } ?? ""
            return "\(SwiftName.quoted(parameter.name)): \(name(of: parameter.type))\(tail)"
        }
        text.gap()
        text.document(publicly("Creates a request."))
        if arguments.isEmpty { return text.line("\(access)init() {}") }
        text.call("\(access)init", arguments, " {")
        text.indented { text in
            for parameter in request.parameters {
                text.line("self.\(parameter.name) = \(SwiftName.quoted(parameter.name))")
            }
        }
        text.line("}")
    }

    private func renderContent(_ request: RequestPlan, _ text: inout SourceText) {
        if request.method != "GET" {
            text.document(publicly("The HTTP method."))
            let known: Set = ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
            let method =
                known.contains(request.method)
                ? "." + request.method.lowercased() : "HTTPMethod(rawValue: \(SourceText.literal(request.method)))"
            text.line("\(access)var method: HTTPMethod { \(method) }")
        }
        if let server = request.server {
            text.document(publicly("The server of the request."))
            text.line("\(access)var environment: APIEnvironment { \"\(server)\" }")
        } else if let environment {
            text.document(publicly("The server of the request."))
            text.line("\(access)var environment: APIEnvironment { .\(SwiftName.quoted(environment)) }")
        }
        text.document(publicly("The path."))
        text.computed("\(access)var path: RequestPath", "\"\(request.path)\"", [], "")
        renderQuery(request, &text)
        renderHeaders(request, &text)
        renderBody(request, &text)
        renderEvents(request, &text)
        if let timeout = request.timeout {
            text.document(publicly("How long the call may take."))
            text.line("\(access)var timeout: Duration? { \(timeout) }")
        }
        if let paging = request.paging {
            text.document(publicly("How the next page is requested."))
            let source = paging.source
            text.computed("\(access)var paging: Paging<Self>", source.open, source.arguments, source.close)
        }
        if !request.scopes.isEmpty {
            text.document(publicly("The scopes that a token needs."))
            text.computed("\(access)var requiredScopes: Set<String>", "[", request.scopes.map(SourceText.literal), "]")
        }
    }

    private func renderEvents(_ request: RequestPlan, _ text: inout SourceText) {
        let terminator = request.terminator.map { ".data(\(SourceText.literal($0)))" }
        if let event = request.events {
            let type = "EventStreamProxy<Self, \(name(of: event))>"
            text.line("/// The same request, for a service that responds with events.")
            let arguments = ["request: self"] + (terminator.map { ["terminator: \($0)"] } ?? [])
            text.computed("\(access)var events: \(type)", "EventStreamProxy(", arguments, ")")
        } else if case .events = request.result, let terminator {
            text.document(publicly("The event that ends the stream."))
            text.line("\(access)var terminator: EventStreamTerminator? { \(terminator) }")
        }
    }

    private func renderQuery(_ request: RequestPlan, _ text: inout SourceText) {
        let items = request.parameters.filter { $0.place == .query }
        let all = request.fixedItems + items.map(queryItem)
        guard !all.isEmpty else { return }
        text.document(publicly("The query."))
        text.computed("\(access)var query: RequestQuery", "[", all, "]")
    }

    private func queryItem(_ parameter: ParameterPlan) -> String {
        item(parameter.key, parameter.name, parameter.type, parameter.form)
    }

    func item(_ key: String, _ name: String, _ type: SwiftType, _ form: ValueForm) -> String {
        "\(SourceText.literal(key)): \(form.source(type.revealed(SwiftName.quoted(name)), isOptional: type.isOptional))"
    }

    private func renderHeaders(_ request: RequestPlan, _ text: inout SourceText) {
        let fields = request.parameters.filter { $0.place == .header }
        let cookies = request.parameters.filter { $0.place == .cookie }
        let constants = request.fixedFields + (request.accepted.map { [("Accept", $0)] } ?? [])
        guard !fields.isEmpty || !cookies.isEmpty || !constants.isEmpty else { return }
        text.document(publicly("The header fields."))
        if fields.isEmpty, cookies.isEmpty {
            let pairs = constants.map { "\(SourceText.literal($0)): \(SourceText.literal($1))" }
            return text.computed("\(access)var headers: HTTPHeaders", "[", pairs, "]")
        }
        text.block("\(access)var headers: HTTPHeaders") { text in
            text.line("var headers: HTTPHeaders = [:]")
            for field in fields { text.line(headerLine(field)) }
            if !cookies.isEmpty { text.list("headers.addCookies([", cookies.map(queryItem), "])") }
            for (key, value) in constants {
                text.line("headers[\(SourceText.literal(key))] = \(SourceText.literal(value))")
            }
            text.line("return headers")
        }
    }

    private func headerLine(_ field: ParameterPlan) -> String {
        let (key, name) = (SourceText.literal(field.key), field.type.revealed(SwiftName.quoted(field.name)))
        if field.type.withoutOptional == .text || field.type.withoutOptional == .secret, field.form == ValueForm() {
            return "headers[\(key)] = \(name)"
        }
        let value = field.form.source(name, isOptional: field.type.isOptional)
        return "headers.set(\(key), to: \(value)\(field.form.isExploded ? ", exploded: true" : ""))"
    }
}
