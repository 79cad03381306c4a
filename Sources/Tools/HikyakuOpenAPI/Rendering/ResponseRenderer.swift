/// Writes what responses have beside their values.
struct ResponseRenderer {
    let plan: Plan
    let options: GeneratorOptions
    private var access: Code { options.access.modifier }

    init(_ plan: Plan, _ options: GeneratorOptions) {
        (self.plan, self.options) = (plan, options)
    }

    // MARK: Fields

    func renderHeaders(to text: inout SourceText) {
        text.block("nonisolated extension \(SwiftName.bare(plan.name))") { text in
            for headers in plan.headers { render(headers, &text) }
        }
    }

    private func render(_ headers: HeadersPlan, _ text: inout SourceText) {
        text.gap()
        text.document("Fields of responses: \(headers.fields.map(\.key).joined(separator: ", ")).")
        text.block("\(access)struct \(SwiftName.bare(headers.name)): Sendable") { text in
            for field in headers.fields {
                let usual = options.access == .public ? "The field \(MarkdownText(code: field.key).text)." : nil
                text.document(field.documentation ?? usual, isDeprecated: field.isDeprecated)
                let type = TypeText.text(of: field.type.asOptional, plan.typeNames)
                text.line("\(access)var \(SwiftName.quoted(field.name)): \(type)")
            }
            text.gap()
            text.line("/// Reads the fields; one that is missing, or of another type, is `nil`.")
            text.block("\(access)init(_ headers: HTTPHeaders)") { text in
                for field in headers.fields {
                    let name: Code = field.name == "headers" ? "self.headers" : "\(SwiftName.quoted(field.name))"
                    text.line("\(name) = headers.read(\(Literal(field.key)))")
                }
            }
        }
    }

    // MARK: Pages

    func renderPages(to text: inout SourceText) {
        for items in plan.pages {
            guard let model = items.model, let element = items.element else { continue }
            text.gap()
            text.block("extension \(SwiftName.bare(plan.typeNames[model] ?? "JSONValue")): ItemPage") {
                text in
                if options.access == .public { text.line("/// The items of the page.") }
                let type = TypeText.text(of: element, plan.typeNames)
                let value: Code = items.isOptional ? "\(items.path) ?? []" : items.path
                text.line("\(access)var pageItems: [\(type)] { \(value) }")
            }
        }
    }

    // MARK: Payloads

    func renderPayloads(to text: inout SourceText) {
        for payloads in plan.payloads {
            text.gap()
            text.block("extension \(SwiftName.bare(plan.name))") { text in
                text.document(payloads.documentation)
                text.block("\(access)enum \(SwiftName.bare(payloads.name))") { text in
                    for payload in payloads.types {
                        let usual = options.access == .public ? "The body of a request of the service." : nil
                        text.document(payload.documentation ?? usual)
                        let type = TypeText.text(of: payload.type, plan.typeNames)
                        text.line("\(access)typealias \(SwiftName.bare(payload.name)) = \(type)")
                    }
                }
            }
        }
    }

    // MARK: Failures

    func render(_ failure: FailurePlan, _ text: inout SourceText) {
        let types = failure.types.map { TypeText.text(of: $0, plan.typeNames) }
        guard !failure.cases.isEmpty else {
            // That type is one already.
            guard types[0] != "ProblemDetails" else { return }
            text.gap()
            return text.line("extension \(types[0]): ServiceFailure {}")
        }
        text.gap()
        text.document("An error of the API\(types.count > 1 ? ", as one of several types" : "").")
        text.block("\(access)enum \(SwiftName.bare(failure.name)): ServiceFailure") { text in
            for (name, type) in zip(failure.cases, types) {
                if options.access == .public { text.document("An error of the type `\(type)`.") }
                text.line("case \(SwiftName.quoted(name))(\(type))")
            }
            text.gap()
            let rule = types.count > 1 ? "the type of its status, or else by " : ""
            if options.access == .public { text.document("Reads the error by \(rule)the first type that fits.") }
            text.block("\(access)init?(response: BufferedResponse)") { renderTrials(failure, &$0) }
        }
    }

    /// Tries the type that is declared for the status, and then all others.
    private func renderTrials(_ failure: FailurePlan, _ text: inout SourceText) {
        let names = Dictionary(zip(failure.types, failure.cases)) { first, _ in first }
        var head: Code = "if"
        func attempt(_ type: SwiftType, _ condition: Code?, _ text: inout SourceText) {
            let typeText = TypeText.text(of: type, plan.typeNames)
            let isProblem = type == .standard("ProblemDetails")
            let value: Code = isProblem ? "\(typeText)(response: response)" : "try? response.decode(\(typeText).self)"
            if let condition {
                text.condition("\(head) \(condition)", "let value = \(value)")
            } else {
                text.line("\(head) let value = \(value) {")
            }
            text.indented { $0.line("self = .\(SwiftName.quoted(names[type] ?? ""))(value)") }
            head = "} else if"
        }
        let declared = failure.types.count > 1 ? failure.declaredTypes : []
        if !declared.isEmpty { text.line("let status = response.status.code") }
        for (type, condition) in declared { attempt(type, condition, &text) }
        for type in failure.fallbackTypes { attempt(type, nil, &text) }
        text.line("} else {")
        text.indented { $0.line("return nil") }
        text.line("}")
    }
}

extension FailurePlan {
    /// The types with conditions on `status`: those of a status before those of a range.
    fileprivate var declaredTypes: [(SwiftType, Code)] {
        let ofCodes = types.flatMap { type in
            let codes = (statuses[type] ?? []).compactMap { if case .code(let code) = $0 { code } else { nil } }
                .sorted()
            // More don't fit on a line.
            return stride(from: 0, to: codes.count, by: 15).map { start -> (SwiftType, Code) in
                let some = codes[start..<min(start + 15, codes.count)].map { "\($0)" as Code }
                return (
                    type,
                    some.count == 1 ? "status == \(some[0])" : "[\(some.joined(separator: ", "))].contains(status)",
                )
            }
        }
        let ofRanges = types.flatMap { type in
            let digits = (statuses[type] ?? []).compactMap { if case .range(let digit) = $0 { digit } else { nil } }
            return digits.sorted().map { (type, "\($0 * 100)..<\($0 * 100 + 100) ~= status" as Code) }
        }
        return ofCodes + ofRanges
    }

    /// The types for all other statuses, and then those whose statuses were others.
    fileprivate var fallbackTypes: [SwiftType] {
        types.filter { statuses[$0]?.contains(.default) == true }
            + types.filter { statuses[$0]?.contains(.default) != true }
    }
}
