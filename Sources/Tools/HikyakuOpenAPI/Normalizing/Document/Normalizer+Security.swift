extension Normalizer {
    func readSecuritySchemes() -> [SecurityScheme] {
        let declared =
            map(root["securityDefinitions"], "'securityDefinitions'")
            + map(resolved(root["components"])?["securitySchemes"], "'securitySchemes'")
        return declared.compactMap { name, _, value in
            if name.hasPrefix("x-"), version == .v2_0 { return nil }
            guard let cursor = object(value, "a security scheme") else { return nil }
            return SecurityScheme(
                name: name,
                kind: kind(of: cursor),
                description: text(cursor["description"], "'description'"),
                isDeprecated: flag(cursor["deprecated"], "'deprecated'") ?? false,
                extensions: extensions(of: cursor),
                position: cursor.position,
            )
        }
    }

    private func kind(of cursor: Cursor) -> SecurityScheme.Kind {
        let type = text(cursor["type"], "'type'") ?? ""
        switch type.lowercased() {
        case "apikey": return apiKey(cursor)
        case "basic": return .http(scheme: "basic", bearerFormat: nil)
        case "http":
            let scheme = text(cursor["scheme"], "'scheme'")
            if scheme == nil {
                reportInvalid(cursor, "a scheme of the type 'http' has no 'scheme'", "it is read as bearer")
            }
            let format = text(cursor["bearerFormat"], "'bearerFormat'")
            return .http(scheme: scheme?.lowercased() ?? "bearer", bearerFormat: format)
        case "oauth2":
            return .oauth2(version == .v2_0 || cursor["flow"] != nil ? [flowOfSwagger(cursor)] : flows(cursor))
        case "openidconnect":
            return .openIDConnect(url: text(cursor["openIdConnectUrl"], "'openIdConnectUrl'") ?? "")
        case "mutualtls": return .mutualTLS
        default:
            reportInvalid(cursor, "the type \(type.quoted) of a security scheme is unknown", "it is left to the app")
            return .unknown(type)
        }
    }

    private func apiKey(_ cursor: Cursor) -> SecurityScheme.Kind {
        let place = text(cursor["in"], "'in'") ?? ""
        let location = Parameter.Location(rawValue: place.lowercased())
        guard let name = text(cursor["name"], "'name'") else {
            reportInvalid(cursor, "an API key has no name", "it is left to the app")
            return .unknown("apiKey")
        }
        guard let location, location == .query || location == .header || location == .cookie else {
            reportInvalid(cursor, "an API key can't be in \(place.quoted)", "it is sent in a header")
            return .apiKey(location: .header, name: name)
        }
        return .apiKey(location: location, name: name)
    }

    private func flows(_ cursor: Cursor) -> [OAuthFlow] {
        map(cursor["flows"], "'flows'").compactMap { name, _, value in
            if name.hasPrefix("x-") { return nil }
            guard let kind = OAuthFlow.Kind(rawValue: name), let flow = object(value, "a flow") else {
                reportInvalid(value, "the flow \(name.quoted) is unknown", "it is left out")
                return nil
            }
            return self.flow(kind, flow)
        }
    }

    private func flowOfSwagger(_ cursor: Cursor) -> OAuthFlow {
        let name = text(cursor["flow"], "'flow'") ?? ""
        let kinds: [String: OAuthFlow.Kind] = [
            "accessCode": .authorizationCode, "application": .clientCredentials, "implicit": .implicit,
            "password": .password,
        ]
        let kind = kinds[name] ?? OAuthFlow.Kind(rawValue: name)
        if kind == nil {
            reportInvalid(cursor, "the flow \(name.quoted) is unknown", "it is read as an authorization code")
        }
        return flow(kind ?? .authorizationCode, cursor)
    }

    private func flow(_ kind: OAuthFlow.Kind, _ cursor: Cursor) -> OAuthFlow {
        OAuthFlow(
            kind: kind,
            authorizationURL: text(cursor["authorizationUrl"], "'authorizationUrl'"),
            tokenURL: text(cursor["tokenUrl"], "'tokenUrl'"),
            refreshURL: text(cursor["refreshUrl"], "'refreshUrl'"),
            deviceAuthorizationURL: text(cursor["deviceAuthorizationUrl"], "'deviceAuthorizationUrl'"),
            scopes: map(cursor["scopes"], "'scopes'").filter { !$0.key.hasPrefix("x-") }.map {
                ($0.key, text($0.value, "a scope") ?? "")
            },
        )
    }

    // MARK: Requirements

    /// The alternatives of a `security` member.
    func alternatives(_ cursor: Cursor) -> [SecurityAlternative] {
        let elements = list(cursor, "'security'")
        let known = elements.compactMap { alternative($0) }
        guard known.isEmpty, !elements.isEmpty else { return known }
        // That a call is authorized is known, if not by what.
        return [SecurityAlternative(requirements: [SecurityRequirement(scheme: "unknown", scopes: [])])]
    }

    /// `nil` if a scheme isn't declared: an alternative that can't be met.
    private func alternative(_ cursor: Cursor) -> SecurityAlternative? {
        var requirements: [SecurityRequirement] = []
        for (key, keyPosition, value) in map(cursor, "a security requirement") {
            let name = schemeName(key)
            guard securitySchemes.contains(where: { $0.name == name }) else {
                findings.warn(
                    .invalidSecurity,
                    at: keyPosition,
                    "the security scheme \(key.quoted) is not declared",
                    action: "this alternative is left out",
                )
                return nil
            }
            requirements.append(SecurityRequirement(scheme: name, scopes: texts(value, "the scopes")))
        }
        return SecurityAlternative(requirements: requirements)
    }

    /// The name of a scheme, which may be a reference in 3.2.
    private func schemeName(_ key: String) -> String {
        guard key.hasPrefix("#/") else { return key }
        return Pointer.tokens(String(key.dropFirst())).last ?? key
    }

    private func reportInvalid(_ cursor: Cursor, _ message: String, _ action: String) {
        report(.invalidSecurity, cursor, message, action: action)
    }
}
