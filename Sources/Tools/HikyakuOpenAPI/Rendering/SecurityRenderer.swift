/// Writes what an app needs to authorize its calls.
struct SecurityRenderer {
    let plan: Plan
    let options: GeneratorOptions
    private var access: Code { options.access.modifier }

    init(_ plan: Plan, _ options: GeneratorOptions) {
        (self.plan, self.options) = (plan, options)
    }

    var isNeeded: Bool { plan.security.contains { $0.provider != nil || $0.endpoints != nil } }

    func render(to text: inout SourceText) {
        let providers = plan.security.compactMap(\.provider)
        if !providers.isEmpty {
            text.block("nonisolated extension CredentialPlacement") { text in
                for provider in providers {
                    text.document(provider.documentation)
                    let name = SwiftName.quoted(provider.name)
                    text.line("\(access)static let \(name): Self = \(provider.placement)")
                }
            }
            text.gap()
            text.block("nonisolated extension TokenProvider where Self == APIKey") { text in
                for provider in providers { render(provider, &text) }
            }
        }
        for endpoints in plan.security.compactMap(\.endpoints) { render(endpoints, &text) }
    }

    private func render(_ provider: SecurityPlan.Provider, _ text: inout SourceText) {
        let name = SwiftName.quoted(provider.name)
        text.document(provider.documentation)
        text.line("\(access)static func \(name)(_ key: String?) -> APIKey { APIKey(key, in: .\(name)) }")
    }

    private func render(_ endpoints: SecurityPlan.Endpoints, _ text: inout SourceText) {
        text.gap()
        text.block("nonisolated extension \(SwiftName.bare(plan.name))") { text in
            text.line("/// Where tokens are issued, and the scopes that they may have.")
            text.block("\(access)enum \(SwiftName.bare(endpoints.name))") { text in
                for (name, url) in endpoints.urls {
                    if options.access == .public { text.line("/// A URL of the authorization server.") }
                    text.constant("\(access)static let \(SwiftName.bare(name)): String", Literal(url))
                }
                guard !endpoints.scopes.isEmpty else { return }
                text.gap()
                if options.access == .public { text.line("/// The scopes of tokens.") }
                text.block("\(access)enum Scope") { text in
                    for scope in endpoints.scopes {
                        let usual = options.access == .public ? "The scope." : nil
                        text.document(scope.documentation ?? usual)
                        text.line("\(access)static let \(SwiftName.quoted(scope.name)) = \(scope.literal)")
                    }
                }
            }
        }
    }
}
