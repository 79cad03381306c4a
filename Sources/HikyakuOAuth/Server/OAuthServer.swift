public import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An authorization server: where its endpoints are, and what it can do.
///
/// Most servers describe themselves: ``discover(_:by:client:)`` asks them. For those that don't, give what their
/// documentation says:
/// ```swift
/// let server = OAuthServer(
///     authorizationEndpoint: "https://auth.example/authorize",
///     tokenEndpoint: "https://auth.example/token",
/// )
/// ```
/// Endpoints are `https`, or `http` on this machine; they are looked at when they are used.
public struct OAuthServer: Sendable, Hashable {
    /// The URL by which the server calls itself; `nil` where it has none.
    ///
    /// Where it is given, a redirect that names another server is refused
    /// ([RFC 9207](https://www.rfc-editor.org/rfc/rfc9207)).
    public var issuer: String?
    /// Where a person signs in, in a browser.
    public var authorizationEndpoint: String?
    /// Where tokens are issued.
    public var tokenEndpoint: String?
    /// Where device codes are issued ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)).
    public var deviceAuthorizationEndpoint: String?
    /// Where tokens are revoked ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)).
    public var revocationEndpoint: String?
    /// What PKCE methods the server says that it knows; `nil` where it says nothing.
    public var codeChallengeMethods: [String]?
    /// Whether the server says that its redirects name it; then one that doesn't is refused.
    public var namesItself: Bool

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - issuer: The URL by which it calls itself.
    ///   - authorizationEndpoint: Where a person signs in.
    ///   - tokenEndpoint: Where tokens are issued.
    ///   - deviceAuthorizationEndpoint: Where device codes are issued.
    ///   - revocationEndpoint: Where tokens are revoked.
    ///   - codeChallengeMethods: What PKCE methods it says that it knows.
    ///   - namesItself: Whether its redirects name it.
    public init(
        issuer: String? = nil,
        authorizationEndpoint: String? = nil,
        tokenEndpoint: String? = nil,
        deviceAuthorizationEndpoint: String? = nil,
        revocationEndpoint: String? = nil,
        codeChallengeMethods: [String]? = nil,
        namesItself: Bool = false,
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.codeChallengeMethods = codeChallengeMethods
        self.namesItself = namesItself
    }
}

extension OAuthServer {
    /// Where a server's description of itself is, relative to its issuer.
    public enum WellKnownDocument: Sendable, Hashable, CaseIterable {
        /// `/.well-known/oauth-authorization-server` between the host and the issuer's path
        /// ([RFC 8414, section 3](https://www.rfc-editor.org/rfc/rfc8414#section-3)).
        case oauth
        /// `/.well-known/openid-configuration` behind the issuer's path (OpenID Connect Discovery 1.0, section 4).
        case openID
    }

    /// Asks a server for its endpoints.
    ///
    /// The description has to name the issuer exactly as it is given here, and every endpoint that is used has to be
    /// `https`, unless the issuer itself is on this machine. Keep the result: it changes once in years.
    ///
    /// - Parameters:
    ///   - issuer: The URL by which the server calls itself, letter by letter.
    ///   - documents: Where to look, one after the other as long as there is nothing.
    ///   - client: What sends the request.
    /// - Returns: The server.
    /// - Throws: ``OAuthProblem`` for a description that isn't the issuer's own, and for endpoints that aren't safe;
    ///   `APIError<OAuthError>` when there is none, with the failure of a server that is down before that of one that
    ///   has nothing there. No redirect is followed: the description has to be where the issuer's own name says.
    public static func discover(
        _ issuer: String,
        by documents: [WellKnownDocument] = WellKnownDocument.allCases,
        client: APIClient<Public> = APIClient(),
    ) async throws -> OAuthServer {
        var failure: any Error = OAuthProblem(.missingEndpoint, "no metadata document was given")
        for document in documents {
            let request = MetadataRequest(endpoint: try document.endpoint(of: issuer))
            do {
                return try OAuthServer(try await client.send(request), issuer: issuer)
            } catch let error as APIError<OAuthError> {
                // A server that has nothing there says so by a status, a page for people, or an error of its own.
                guard [.unacceptableStatus, .decoding, .service].contains(error.phase) else { throw error }
                // What may be there later says more than what isn't there.
                if !RefreshOptions.isPassing(failure) { failure = error }
            }
        }
        throw failure
    }

    private init(_ metadata: ServerMetadata, issuer: String) throws(OAuthProblem) {
        guard Array(metadata.issuer.utf8) == Array(issuer.utf8) else {
            throw OAuthProblem(
                .issuerMismatch,
                "the metadata document describes another issuer: \(metadata.issuer)",
            )
        }
        let isLocal = try OAuthEndpoint(issuer, "issuer").url.scheme?.lowercased() == "http"
        let endpoints = [
            (metadata.authorizationEndpoint, "authorization endpoint"), (metadata.tokenEndpoint, "token endpoint"),
            (metadata.deviceEndpoint, "device authorization endpoint"),
            (metadata.revocationEndpoint, "revocation endpoint"),
        ]
        for (endpoint, name) in endpoints where endpoint != nil {
            _ = try OAuthEndpoint(endpoint, name, allowsLoopback: isLocal)
        }
        self.init(
            issuer: issuer,
            authorizationEndpoint: metadata.authorizationEndpoint,
            tokenEndpoint: metadata.tokenEndpoint,
            deviceAuthorizationEndpoint: metadata.deviceEndpoint,
            revocationEndpoint: metadata.revocationEndpoint,
            codeChallengeMethods: metadata.codeChallengeMethods,
            namesItself: metadata.namesItself ?? false,
        )
    }
}

extension OAuthServer.WellKnownDocument {
    /// Where an issuer has the document.
    func endpoint(of issuer: String) throws(OAuthProblem) -> OAuthEndpoint {
        let checked = try OAuthEndpoint(issuer, "issuer")
        guard checked.query == nil else {
            throw OAuthProblem(.malformedEndpoint, "an issuer must not have a query")
        }
        let origin = checked.environment.baseURL
        let whole = checked.url.path(percentEncoded: true)
        let path = whole.hasSuffix("/") ? whole.dropLast() : whole[...]
        switch self {
        case .oauth: return try OAuthEndpoint("\(origin)/.well-known/oauth-authorization-server\(path)", "issuer")
        case .openID: return try OAuthEndpoint("\(origin)\(path)/.well-known/openid-configuration", "issuer")
        }
    }
}

/// Asks for a server's description of itself.
private struct MetadataRequest: APIRequest {
    typealias Response = ServerMetadata
    typealias Failure = OAuthError

    let endpoint: OAuthEndpoint
    var environment: APIEnvironment { endpoint.environment }
    var path: RequestPath { endpoint.path }
    var decoder: any ResponseDecoder { HikyakuJSONDecoder() }
    var redirectPolicy: RedirectPolicy? { .never }
}

/// The description, as far as it is used.
///
/// [RFC 8414, section 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)
private struct ServerMetadata: Decodable, Sendable {
    let issuer: String
    let authorizationEndpoint: String?
    let tokenEndpoint: String?
    let deviceEndpoint: String?
    let revocationEndpoint: String?
    let codeChallengeMethods: [String]?
    let namesItself: Bool?

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case deviceEndpoint = "device_authorization_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case namesItself = "authorization_response_iss_parameter_supported"
    }
}
