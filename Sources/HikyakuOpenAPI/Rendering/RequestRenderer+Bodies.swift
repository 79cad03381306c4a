extension RequestRenderer {
    func renderBody(_ request: RequestPlan, _ text: inout SourceText) {
        guard let body = request.body else { return }
        text.document(publicly("The body."))
        let head = "\(access)var body: RequestBody?"
        // A body with GET is rejected unless it is meant.
        let tail = request.method == "GET" ? ".allowedWithGet()" : ""
        let property = body.property.map(SwiftName.quoted) ?? "content"
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
        let value = whole(body, isOptional ? "$0" : property) + tail
        text.line("\(head) { \(isOptional ? "\(property).map { \(value) }" : value) }")
    }

    /// The expression of a body that is one value.
    private func whole(_ body: BodyPlan, _ value: String) -> String {
        switch body.kind {
        case .json: return ".json(\(value)\(body.mediaType.map { ", type: \(SourceText.literal($0))" } ?? ""))"
        case .text(let type): return ".text(\(value), type: \(SourceText.literal(type)))"
        case .bytes(let type):
            let known = type.contains("*") ? "application/octet-stream" : type
            return ".stream(\(value), type: \(body.typeProperty.map(SwiftName.quoted) ?? SourceText.literal(known)))"
        case .lines(let type): return ".jsonLines(\(value), type: \(SourceText.literal(type)))"
        case .sequence(let type): return ".jsonSequence(\(value), type: \(SourceText.literal(type)))"
        case .encodedForm: return ".form(RequestQuery(encoding: \(value)))"
        case .form: return ".form(\(value))"
        case .multipart, .choice: return ".multipart(\(value))"
        }
    }

    // MARK: Fields

    private func formItem(_ field: FieldPlan) -> String {
        var form = ValueForm()
        if case .item(let own) = field.kind { form = own }
        return item(field.key, field.name, field.type, form)
    }

    private func renderParts(_ fields: [FieldPlan], _ tail: String, _ text: inout SourceText) {
        text.line("var parts: [MultipartPart] = []")
        for field in fields { text.line(part(field)) }
        text.line("return .multipart(parts)\(tail)")
    }

    private func part(_ field: FieldPlan) -> String {
        let (name, key) = (SwiftName.quoted(field.name), SourceText.literal(field.key))
        let isOptional = field.type.isOptional
        let value = field.type.withoutOptional.revealed(isOptional || field.isRepeated ? "value" : name)
        var part: String
        switch field.kind {
        case .parts: part = "\(value).named(\(key))"
        case .json: part = ".json(\(key), \(value))"
        case .value(let type):
            part = ".value(\(key), \(value)\(type.map { ", type: " + SourceText.literal($0) } ?? ""))"
        case .item: part = ".value(\(key), \(value))"
        }
        if let headers = field.headers {
            part += ".adding(\(SwiftName.quoted(headers))\(field.hasOptionalHeaders ? " ?? [:]" : ""))"
        }
        let line = "parts.append(\(part))"
        if field.isRepeated { return "for value in \(name)\(isOptional ? " ?? []" : "") { \(line) }" }
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

    private func payload(_ choice: BodyChoice) -> [String] {
        if choice.body.property != nil { return choice.parameters.map { name(of: $0.type) } }
        let sorted = choice.parameters.filter(\.isRequired) + choice.parameters.filter { !$0.isRequired }
        return sorted.map { parameter in
            let value = parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil)
            let tail = value.map { " = \($0)" } ?? ""
            return "\(SwiftName.quoted(parameter.name)): \(name(of: parameter.type))\(tail)"
        }
    }

    private func renderChoice(
        _ choices: [BodyChoice],
        _ head: String,
        _ property: String,
        _ isOptional: Bool,
        _ tail: String,
        _ text: inout SourceText,
    ) {
        text.block(head) { text in
            text.line("switch \(property) {")
            for choice in choices { renderCase(choice, tail, &text) }
            if isOptional { text.line("case nil: return nil") }
            text.line("}")
        }
    }

    private func renderCase(_ choice: BodyChoice, _ tail: String, _ text: inout SourceText) {
        let pattern = ".\(SwiftName.quoted(choice.name))"
        guard choice.body.property == nil else {
            return text.switchCase(["\(pattern)(let value)"], "return \(whole(choice.body, "value"))\(tail)")
        }
        let sorted = choice.parameters.filter(\.isRequired) + choice.parameters.filter { !$0.isRequired }
        text.call("case \(pattern)", sorted.map { "let \(SwiftName.quoted($0.name))" }, ":")
        text.indented { text in
            switch choice.body.kind {
            case .form(let fields): text.list("return .form([", fields.map(formItem), "])\(tail)")
            case .multipart(let fields): renderParts(fields, tail, &text)
            default: text.line("return nil")
            }
        }
    }
}
