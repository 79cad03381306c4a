/// Writes a value that answers each request of the API in tests.
struct FakeRenderer {
    let plan: Plan
    let options: GeneratorOptions
    private var access: Code { options.access.modifier }
    /// The requests, each with the name of its closure.
    private let answers: [(name: String, request: Code)]

    init(_ plan: Plan, _ options: GeneratorOptions) {
        (self.plan, self.options) = (plan, options)
        var used: Set<String> = []
        answers = plan.groups.flatMap { group in
            group.requests.map { request in
                // Requests of two groups may have one name.
                let name = SwiftName.member(request.name)
                let whole = used.insert(name).inserted ? name : SwiftName.member(group.name + request.name)
                used.insert(whole)
                return (whole, "\(SwiftName.bare(group.name)).\(SwiftName.bare(request.name))")
            }
        }
    }

    var isNeeded: Bool { options.makesFake && !answers.isEmpty }

    func render(to text: inout SourceText) {
        text.block("nonisolated extension \(SwiftName.bare(plan.name))") { text in
            text.line("/// Answers for each request of the API, in tests and previews.")
            text.line("///")
            text.line("/// A new operation needs one, too: what makes this value doesn't compile before.")
            text.block("\(access)struct \(SwiftName.bare(typeName)): Sendable") { text in
                for answer in answers {
                    if options.access == .public { text.line("/// Answers the request.") }
                    text.line("\(access)var \(SwiftName.quoted(answer.name)): \(type(of: answer.request))")
                }
                if options.access != .internal { renderInit(&text) }
                text.gap()
                text.line("/// The client, answered by the closures: it sends nothing.")
                let result: Code = "APIClient<Level>"
                text.block("\(access)func client<Level: AccessLevel>(_ client: \(result)) -> \(result)") { text in
                    text.line("client")
                    text.indented { text in
                        for answer in answers {
                            let name = SwiftName.quoted(answer.name)
                            text.line(".stubbing(\(answer.request).self, answer: self.\(name))")
                        }
                        text.line(".stubbingOnly")
                    }
                }
            }
        }
    }

    /// The name in the API's namespace, where fields of responses and payloads have names, too.
    private var typeName: String {
        let taken = plan.headers.map(\.name) + plan.payloads.map(\.name) + plan.security.compactMap(\.endpoints?.name)
        return taken.contains("Fake") ? "FakeService" : "Fake"
    }

    private func type(of request: Code) -> Code {
        "@Sendable (\(request)) async throws -> \(request).Response"
    }

    private func renderInit(_ text: inout SourceText) {
        text.gap()
        if options.access == .public { text.line("/// Takes an answer for each request.") }
        let parameters = answers.map { answer -> Code in
            "\(SwiftName.quoted(answer.name)): @escaping \(type(of: answer.request))"
        }
        text.call("\(access)init", parameters, " {")
        text.indented { text in
            for answer in answers {
                let name = SwiftName.quoted(answer.name)
                text.line("self.\(name) = \(name)")
            }
        }
        text.line("}")
    }
}
