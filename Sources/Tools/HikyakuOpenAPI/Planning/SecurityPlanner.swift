/// Plans what an app needs to authorize its calls.
struct SecurityPlanner {
    private let document: APIDocument
    private let findings: Findings
    private let apiName: String
    private let others: OtherNames

    init(_ document: APIDocument, _ findings: Findings, _ apiName: String, _ others: OtherNames) {
        (self.document, self.findings, self.apiName, self.others) = (document, findings, apiName, others)
    }

    /// The plans of all schemes, whose types hide none of the models in the namespace.
    func plans(besides models: Set<String>) -> [SecurityPlan] {
        var providers = others.members(of: "providers", reserved: Self.libraryNames)
        var types = others.members(of: "schemes")
        for scheme in document.securitySchemes {
            _ = providers.take(scheme.name, spelled: "\(apiName) \(scheme.name)")
            _ = types.take(scheme.name)
        }
        others.keep(providers, of: "providers")
        others.keep(types, of: "schemes")
        return zip(document.securitySchemes, zip(providers.names(), types.names())).map { scheme, names in
            let type = SwiftName.type(names.1)
            let isTaken = models.contains(type) || Self.taken.contains(type) || SwiftName.reservedTypes.contains(type)
            return plan(scheme, names.0, isTaken ? type + "Scheme" : type)
        }
    }

    /// The static members of `CredentialPlacement` and of the providers: one of the same name in the module would hide
    /// them, and send a credential to another place.
    private static let libraryNames: Set = [
        "all", "apiKey", "authorization", "authorizationValue", "basic", "bearer", "cookie", "environmentVariable",
        "header", "query", "stored",
    ]

    private static let taken: Set = ["Webhooks", "Callbacks"]

    private func plan(_ scheme: SecurityScheme, _ name: String, _ type: String) -> SecurityPlan {
        func provided(_ text: String, _ placement: Code) -> SecurityPlan {
            var plan = SecurityPlan(documentation: "\(scheme.name): `.\(name)(key)`, \(text)")
            plan.provider = SecurityPlan.Provider(
                name: name,
                placement: placement,
                documentation: Documentation.line(text.prefix(1).uppercased() + text.dropFirst()),
            )
            return plan
        }
        func described(_ text: String) -> SecurityPlan { SecurityPlan(documentation: "\(scheme.name): \(text)") }
        switch scheme.kind {
        case .apiKey(.header, let field):
            return provided("a key in the field \(field)", ".header(\(Literal(field)))")
        case .apiKey(.query, let item):
            return provided("a key in the query item \(item)", ".query(\(Literal(item)))")
        case .apiKey(_, let cookie):
            return provided("a key in the cookie \(cookie)", ".cookie(\(Literal(cookie)))")
        case .http("basic", _): return described("`.basic(user: name, password: password)`")
        case .http("bearer", _): return described("`.bearer(token)`")
        case .http(let kind, _):
            guard kind != "digest", kind != "negotiate", kind != "hoba", kind != "mutual" else {
                let message = "the security scheme \(scheme.name.quoted) computes each credential by \(kind.quoted)"
                findings.add(.note, .notGenerated, at: scheme.position, message, action: "the app has a RequestSigner")
                return described("the scheme \(kind), by a `RequestSigner` of the app")
            }
            let literal = Literal(kind.prefix(1).uppercased() + kind.dropFirst())
            return provided("a token of the scheme \(kind)", ".authorization(scheme: \(literal))")
        case .oauth2(let flows): return oauth(scheme, flows, type)
        case .openIDConnect(let url):
            var plan = described("`.bearer(token)`, a token of OpenID Connect; see `\(apiName).\(type)`")
            plan.endpoints = SecurityPlan.Endpoints(name: type, urls: [("configurationURL", url)], scopes: [])
            return plan
        case .mutualTLS: return described("a certificate of the client")
        case .unknown(let kind): return described("the unknown scheme \(kind)")
        }
    }

    // MARK: OAuth

    private func oauth(_ scheme: SecurityScheme, _ flows: [OAuthFlow], _ type: String) -> SecurityPlan {
        let kinds = flows.map(\.kind.rawValue).joined(separator: ", ")
        let text = "\(scheme.name): `.bearer(token)`, a token of OAuth 2.0 (\(kinds)); see `\(apiName).\(type)`"
        var plan = SecurityPlan(documentation: text)
        plan.endpoints = SecurityPlan.Endpoints(name: type, urls: urls(flows), scopes: scopes(flows, of: scheme.name))
        return plan
    }

    /// The URLs, each once: those of a later flow only if they differ.
    private func urls(_ flows: [OAuthFlow]) -> [(name: String, url: String)] {
        var found: [(name: String, url: String)] = []
        for flow in flows {
            let urls = [
                ("authorizationURL", flow.authorizationURL), ("tokenURL", flow.tokenURL),
                ("refreshURL", flow.refreshURL), ("deviceAuthorizationURL", flow.deviceAuthorizationURL),
            ]
            for (name, url) in urls {
                guard let url, !url.isEmpty else { continue }
                guard let known = found.first(where: { $0.name == name }) else {
                    found.append((name, url))
                    continue
                }
                let own = flow.kind.rawValue + SwiftName.part(name)
                if known.url != url, !found.contains(where: { $0.name == own }) { found.append((own, url)) }
            }
        }
        return found
    }

    private func scopes(_ flows: [OAuthFlow], of scheme: String) -> [ValuePlan] {
        var (names, seen): (MemberNames, Set<String>) = (others.members(of: "scopes of \(scheme)"), [])
        var plans: [ValuePlan] = []
        for scope in flows.flatMap(\.scopes) where seen.insert(scope.name).inserted {
            plans.append(
                ValuePlan(
                    name: names.take(scope.name),
                    literal: "\(Literal(scope.name))",
                    documentation: Documentation.line(scope.description),
                )
            )
        }
        names.resolve(&plans)
        others.keep(names, of: "scopes of \(scheme)")
        return plans
    }
}
