extension RequestRenderer {
    func renderBody(_ request: RequestPlan, _ text: inout SourceText) {
        guard let body = request.body else { return }
        text.document(publicly("The body."))
        let head: Code = "\(access)var body: RequestBody?"
        // A body with GET is rejected unless it is meant.
        let tail: Code = request.method == "GET" ? ".allowedWithGet()" : ""
        let property: Code = "\(SwiftName.quoted(body.property ?? "content"))"
        let isOptional = request.parameters.first { $0.name == body.property }?.type.isOptional ?? false
        if case .choice(let choices) = body.kind {
            return renderChoice(choices, head, property, isOptional, tail, &text)
        }
        if case .form(let fields) = body.kind, !fields.isEmpty {
            return text.computed(head, ".form([", fields.map(formItem), "])\(tail)")
        }
        if case .multipart(let fields) = body.kind, !fields.isEmpty {
            return text.block(head) { text in renderParts(fields, tail, &text) }
        }
        let value: Code = "\(whole(body, isOptional ? "$0" : property))\(tail)"
        text.line(isOptional ? "\(head) { \(property).map { \(value) } }" : "\(head) { \(value) }")
    }

    /// The expression of a body that is one value.
    private func whole(_ body: BodyPlan, _ value: Code) -> Code {
        switch body.kind {
        case .json:
            let type: Code = body.mediaType.map { ", type: \(Literal($0))" } ?? ""
            return ".json(\(value)\(type))"
        case .text(let type): return ".text(\(value), type: \(Literal(type)))"
        case .bytes(let type):
            let known = type.contains("*") ? "application/octet-stream" : type
            let source: Code = body.typeProperty.map { "\(SwiftName.quoted($0))" } ?? "\(Literal(known))"
            return ".stream(\(value), type: \(source))"
        case .lines(let type): return ".jsonLines(\(value), type: \(Literal(type)))"
        case .encodedForm: return ".form(RequestQuery(encoding: \(value)))"
        case .form: return ".form(\(value))"
        case .multipart, .choice: return ".multipart(\(value))"
        }
    }

    // MARK: Fields

    private func formItem(_ field: FieldPlan) -> Code {
        var form = ValueForm()
        if case .item(let own) = field.kind { form = own }
        return item(field.key, field.name, field.type, form)
    }

    private func renderParts(_ fields: [FieldPlan], _ tail: Code, _ text: inout SourceText) {
        text.line("var parts: [MultipartPart] = []")
        for field in fields { text.line(part(field)) }
        text.line("return .multipart(parts)\(tail)")
    }

    private func part(_ field: FieldPlan) -> Code {
        let (name, key) = (SwiftName.quoted(field.name), Literal(field.key))
        let isOptional = field.type.isOptional
        let value = field.type.withoutOptional.revealed(isOptional || field.isRepeated ? "value" : "\(name)")
        var part: Code
        switch field.kind {
        case .parts: part = "\(value).named(\(key))"
        case .json: part = ".json(\(key), \(value))"
        case .value(let type):
            let type: Code = type.map { ", type: \(Literal($0))" } ?? ""
            part = ".value(\(key), \(value)\(type))"
        case .item: part = ".value(\(key), \(value))"
        }
        if let headers = field.headers {
            let fallback: Code = field.hasOptionalHeaders ? " ?? [:]" : ""
            part = "\(part).adding(\(SwiftName.quoted(headers))\(fallback))"
        }
        let line: Code = "parts.append(\(part))"
        if field.isRepeated {
            let fallback: Code = isOptional ? " ?? []" : ""
            return "for value in \(name)\(fallback) { \(line) }"
        }
        return isOptional ? "if let value = \(name) { \(line) }" : line
    }

    // MARK: Several media types

    /// The enum of the bodies that a request may have.
    func renderChoices(_ choices: [BodyChoice], _ text: inout SourceText) {
        text.gap()
        text.line("/// The body, in one of several media types.")
        text.block("\(access)enum BodyContent: Sendable") { text in
            for choice in choices {
                text.document("As \(choice.mediaType).")
                text.call("case \(SwiftName.quoted(choice.name))", payload(choice), "")
            }
        }
    }

    private func payload(_ choice: BodyChoice) -> [Code] {
        if choice.body.property != nil { return choice.parameters.map { name(of: $0.type) } }
        let sorted = choice.parameters.filter(\.isRequired) + choice.parameters.filter { !$0.isRequired }
        return sorted.map { parameter in
            let value: Code? = parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil)
            let tail: Code = value.map { " = \($0)" } ?? ""
            return "\(SwiftName.quoted(parameter.name)): \(name(of: parameter.type))\(tail)"
        }
    }

    private func renderChoice(
        _ choices: [BodyChoice],
        _ head: Code,
        _ property: Code,
        _ isOptional: Bool,
        _ tail: Code,
        _ text: inout SourceText,
    ) {
        text.block(head) { text in
            text.line("switch \(property) {")
            for choice in choices { renderCase(choice, tail, &text) }
            if isOptional { text.line("case nil: return nil") }
            text.line("}")
        }
    }

    private func renderCase(_ choice: BodyChoice, _ tail: Code, _ text: inout SourceText) {
        let pattern: Code = ".\(SwiftName.quoted(choice.name))"
        guard choice.body.property == nil else {
            return text.switchCase(["\(pattern)(let value)"], "return \(whole(choice.body, "value"))\(tail)")
        }
        let sorted = choice.parameters.filter(\.isRequired) + choice.parameters.filter { !$0.isRequired }
        text.call("case \(pattern)", sorted.map { "let \(SwiftName.quoted($0.name))" as Code }, ":")
        text.indented { text in
            switch choice.body.kind {
            case .form(let fields): text.list("return .form([", fields.map(formItem), "])\(tail)")
            case .multipart(let fields): renderParts(fields, tail, &text)
            default: text.line("return nil")
            }
        }
    }
}
