/// Requirements that together authorize a call; none of them means that no authorization is needed.
package struct SecurityAlternative: Sendable {
    package var requirements: [SecurityRequirement]
}

/// A scheme and the scopes (or roles) that a call needs.
package struct SecurityRequirement: Sendable, Hashable {
    /// The name of a scheme in ``APIDocument/securitySchemes``.
    package var scheme: String
    package var scopes: [String]
}

/// A way to authorize calls.
package struct SecurityScheme: Sendable {
    /// The kinds of schemes.
    package enum Kind: Sendable {
        /// A key in the query, a header or a cookie.
        case apiKey(location: Parameter.Location, name: String)
        /// A scheme of the `Authorization` field in lower case: `basic`, `bearer`, `digest`.
        case http(scheme: String, bearerFormat: String?)
        case oauth2([OAuthFlow])
        case openIDConnect(url: String)
        case mutualTLS
        /// One that was not understood.
        case unknown(String)
    }

    package var name: String
    package var kind: Kind
    package var description: String?
    package var isDeprecated: Bool
    package var extensions: [DocumentMember]
    package var position: SourcePosition
}

/// A flow of OAuth 2.0.
package struct OAuthFlow: Sendable {
    /// The kinds of flows.
    package enum Kind: String, Sendable, Hashable {
        case implicit, password, clientCredentials, authorizationCode
        /// That of [RFC 8628](https://www.rfc-editor.org/rfc/rfc8628) (3.2).
        case deviceAuthorization
    }

    package var kind: Kind
    package var authorizationURL: String?
    package var tokenURL: String?
    package var refreshURL: String?
    package var deviceAuthorizationURL: String?
    /// Scopes and their descriptions.
    package var scopes: [(name: String, description: String)]
}
