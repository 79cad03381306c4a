/// Writes requests.
struct RequestRenderer {
    let plan: Plan
    let options: GeneratorOptions
    /// The environment that each request names itself, if no protocol of the API has it.
    let environment: String?
    var access: Code { options.access.modifier }

    init(_ plan: Plan, _ options: GeneratorOptions, environment: String? = nil) {
        (self.plan, self.options, self.environment) = (plan, options, environment)
    }

    func render(_ group: GroupPlan, to text: inout SourceText) {
        text.gap()
        text.document(group.documentation ?? publicly("The requests of `\(group.name)`."))
        text.line("\(access)enum \(SwiftName.bare(group.name)) {}")
        text.gap()
        text.block("extension \(SwiftName.bare(group.name))") { text in
            for request in group.requests { render(request, &text) }
        }
    }

    func publicly(_ text: String) -> String? { options.access == .public ? text : nil }

    func name(of type: SwiftType) -> Code { TypeText.text(of: type, plan.typeNames) }

    func render(_ request: RequestPlan, _ text: inout SourceText) {
        text.gap()
        text.document(request.documentation ?? publicly("Sends \(request.id)."))
        if let authorization = request.authorization {
            if request.documentation != nil || options.access == .public { text.line("///") }
            text.document("Authorized by \(authorization).")
        }
        if !options.checksScopes, !request.scopes.isEmpty {
            if request.documentation != nil || options.access == .public { text.line("///") }
            text.document("A token needs the scopes \(request.scopes.joined(separator: ", ")).")
        }
        if request.isDeprecated { text.line("@available(*, deprecated)") }
        let isStream = if case .events = request.result { true } else { false }
        var conformances: [Code] = [environment == nil ? "\(SwiftName.bare(plan.name)).Request" : "APIRequest"]
        if isStream { conformances.append("EventStreamRequest") }
        if request.paging != nil { conformances.append("PagedRequest") }
        text.block("\(access)struct \(SwiftName.bare(request.name)): \(conformances.joined(separator: ", "))") { text in
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
        func alias(_ name: Code, _ value: Code, _ documentation: String) {
            text.document(publicly(documentation))
            text.line("\(access)typealias \(name) = \(value)")
        }
        switch request.result {
        case .nothing: alias("Response", "Void", "Nothing is read.")
        case .decoded(let type): alias("Response", name(of: type), "What the caller gets.")
        case .text: alias("Definition", "TextResponse", "The response is text.")
        case .stream: alias("Definition", "StreamedResponse", "The response is a stream of bytes.")
        case .events(let type): alias("Event", name(of: type), "What the stream has.")
        case .lines: alias("Definition", definition(request.result), "The response is a stream of values.")
        case .statuses(let name, _):
            alias("Definition", "StatusResponse<\(SwiftName.bare(name))>", "The response depends on the status.")
        }
        switch request.access {
        case .public: break
        case .authorized: alias("Access", "Authorized", "The client must be authorized.")
        case .authorizedIfPossible: alias("Access", "AuthorizedIfPossible", "The client must be authorized.")
        }
        if let failure = request.failure {
            alias("Failure", "\(SwiftName.bare(failure))", "The error of the service.")
        }
        if let headers = request.headers {
            let type: Code = "\(SwiftName.bare(plan.name)).\(SwiftName.bare(headers))"
            alias("ResponseHeaders", type, "The fields of the response.")
        }
        if case .statuses(let name, let cases) = request.result { renderStatuses(name, cases, &text) }
        if case .choice(let choices) = request.body?.kind { renderChoices(choices, &text) }
    }

    private func renderStatuses(_ name: String, _ cases: [RequestPlan.StatusCase], _ text: inout SourceText) {
        text.gap()
        text.document(publicly("What the caller gets."))
        text.block("\(access)enum \(SwiftName.bare(name)): StatusResult, Sendable") { text in
            for item in cases {
                text.document(publicly("The response with the status \(item.status.text)."))
                let type = resultType(item.result)
                let name = SwiftName.bare(item.name)
                text.line(type == "Void" ? "case \(name)" : "case \(name)(\(type))")
            }
            text.gap()
            text.document(publicly("The shapes of the responses."))
            text.line("\(access)static let shapes: [StatusShape<\(SwiftName.bare(name))>] = [")
            text.indented { text in
                for item in cases {
                    let (definition, isVoid) = (definition(item.result), resultType(item.result) == "Void")
                    let name = SwiftName.bare(item.name)
                    let result: Code = isVoid ? ".\(name)" : ".\(name)($0)"
                    text.line(".on(\(item.status), \(definition).self) { \(result) },")
                }
            }
            text.line("]")
        }
    }

    private func resultType(_ result: RequestPlan.Result) -> Code {
        switch result {
        case .nothing, .statuses: "Void"
        case .decoded(let type): name(of: type)
        case .events(let type): "EventStream<\(name(of: type))>"
        case .lines(let type): "JSONLines<HTTPBody, \(name(of: type))>"
        case .text: "String"
        case .stream: "HTTPBody"
        }
    }

    private func definition(_ result: RequestPlan.Result) -> Code {
        switch result {
        case .nothing, .statuses: "EmptyResponse"
        case .decoded(let type): "Decoded<\(name(of: type))>"
        case .events(let type): "EventStreamResponse<\(name(of: type))>"
        case .lines(let type): "JSONLinesResponse<\(name(of: type))>"
        case .text: "TextResponse"
        case .stream: "StreamedResponse"
        }
    }

    // MARK: Properties

    private func renderProperties(_ request: RequestPlan, _ text: inout SourceText) {
        for parameter in request.parameters {
            text.document(
                parameter.documentation ?? publicly("The parameter \(MarkdownText(code: parameter.key).text)."),
                isDeprecated: parameter.isDeprecated,
            )
            let value: Code = parameter.defaultValue.map { " = \($0)" } ?? ""
            text.line("\(access)var \(SwiftName.quoted(parameter.name)): \(name(of: parameter.type))\(value)")
        }
    }

    private func renderInit(_ request: RequestPlan, _ text: inout SourceText) {
        guard options.access != .internal else { return }
        let arguments = request.parameters.map { parameter -> Code in
            let value: Code? = parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil)
            let tail: Code = value.map { " = \($0)" } ?? ""
            return "\(SwiftName.quoted(parameter.name)): \(name(of: parameter.type))\(tail)"
        }
        text.gap()
        text.document(publicly("Creates a request."))
        if arguments.isEmpty { return text.line("\(access)init() {}") }
        text.call("\(access)init", arguments, " {")
        text.indented { text in
            for parameter in request.parameters {
                text.line("self.\(SwiftName.bare(parameter.name)) = \(SwiftName.quoted(parameter.name))")
            }
        }
        text.line("}")
    }

    private func renderContent(_ request: RequestPlan, _ text: inout SourceText) {
        if request.method != "GET" {
            text.document(publicly("The HTTP method."))
            let known: Set = ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
            let method: Code =
                known.contains(request.method)
                ? ".\(SwiftName.bare(request.method.lowercased()))"
                : "HTTPMethod(rawValue: \(Literal(request.method)))"
            text.line("\(access)var method: HTTPMethod { \(method) }")
        }
        if let server = request.server {
            text.document(publicly("The server of the request."))
            text.line("\(access)var environment: APIEnvironment { \(Literal(server)) }")
        } else if let environment {
            text.document(publicly("The server of the request."))
            text.line("\(access)var environment: APIEnvironment { .\(SwiftName.quoted(environment)) }")
        }
        text.document(publicly("The path."))
        text.computed("\(access)var path: RequestPath", request.path, [], "")
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
        if options.checksScopes, !request.scopes.isEmpty {
            text.document(publicly("The scopes that a token needs."))
            text.computed(
                "\(access)var requiredScopes: Set<String>",
                "[",
                request.scopes.map { "\(Literal($0))" as Code },
                "]",
            )
        }
    }

    private func renderEvents(_ request: RequestPlan, _ text: inout SourceText) {
        let terminator = request.terminator.map { ".data(\(Literal($0)))" as Code }
        if let event = request.events {
            let type: Code = "EventStreamProxy<Self, \(name(of: event))>"
            text.line("/// The same request, for a service that responds with events.")
            let arguments: [Code] = ["request: self"] + (terminator.map { ["terminator: \($0)"] } ?? [])
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

    private func queryItem(_ parameter: ParameterPlan) -> Code {
        item(parameter.key, parameter.name, parameter.type, parameter.form)
    }

    func item(_ key: String, _ name: String, _ type: SwiftType, _ form: ValueForm) -> Code {
        let value = type.revealed("\(SwiftName.quoted(name))")
        return "\(Literal(key)): \(form.source(value, isOptional: type.isOptional))"
    }

    private func renderHeaders(_ request: RequestPlan, _ text: inout SourceText) {
        let fields = request.parameters.filter { $0.place == .header }
        let cookies = request.parameters.filter { $0.place == .cookie }
        let constants = request.fixedFields + (request.accepted.map { [("Accept", $0)] } ?? [])
        guard !fields.isEmpty || !cookies.isEmpty || !constants.isEmpty else { return }
        text.document(publicly("The header fields."))
        if fields.isEmpty, cookies.isEmpty {
            let pairs = constants.map { "\(Literal($0)): \(Literal($1))" as Code }
            return text.computed("\(access)var headers: HTTPHeaders", "[", pairs, "]")
        }
        text.block("\(access)var headers: HTTPHeaders") { text in
            text.line("var headers: HTTPHeaders = [:]")
            for field in fields { text.line(headerLine(field)) }
            if !cookies.isEmpty { text.list("headers.addCookies([", cookies.map(queryItem), "])") }
            for (key, value) in constants {
                text.line("headers[\(Literal(key))] = \(Literal(value))")
            }
            text.line("return headers")
        }
    }

    private func headerLine(_ field: ParameterPlan) -> Code {
        let (key, name) = (Literal(field.key), field.type.revealed("\(SwiftName.quoted(field.name))"))
        if field.type.withoutOptional == .text || field.type.withoutOptional == .secret, field.form == ValueForm() {
            return "headers[\(key)] = \(name)"
        }
        let value = field.form.source(name, isOptional: field.type.isOptional)
        let tail: Code = field.form.isExploded ? ", exploded: true" : ""
        return "headers.set(\(key), to: \(value)\(tail))"
    }
}
