public import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An authorization server: its endpoints and its capabilities.
///
/// Most servers publish metadata: ``discover(_:by:client:)`` reads them. For others, use the values of their
/// documentation:
/// ```swift
/// let server = OAuthServer(
///     authorizationEndpoint: "https://auth.example/authorize",
///     tokenEndpoint: "https://auth.example/token",
/// )
/// ```
/// Endpoints use `https`, or `http` on this machine; they are validated when they are used.
public struct OAuthServer: Sendable, Hashable {
    /// The issuer identifier of the server, a URL; `nil` if it has none.
    ///
    /// If it is set, a redirect with another issuer is rejected ([RFC 9207](https://www.rfc-editor.org/rfc/rfc9207)).
    public var issuer: String?
    /// The endpoint where a user signs in, in a browser.
    public var authorizationEndpoint: String?
    /// The endpoint that issues tokens.
    public var tokenEndpoint: String?
    /// The endpoint that issues device codes ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)).
    public var deviceAuthorizationEndpoint: String?
    /// The endpoint that revokes tokens ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)).
    public var revocationEndpoint: String?
    /// The PKCE methods in the server's metadata; `nil` if they are missing there.
    public var codeChallengeMethods: [String]?
    /// Whether the metadata declares that redirects name the issuer; a redirect without one is then rejected.
    public var namesIssuerInRedirects: Bool

    /// Creates a description of a server.
    ///
    /// - Parameters:
    ///   - issuer: The issuer identifier.
    ///   - authorizationEndpoint: The endpoint where a user signs in.
    ///   - tokenEndpoint: The endpoint that issues tokens.
    ///   - deviceAuthorizationEndpoint: The endpoint that issues device codes.
    ///   - revocationEndpoint: The endpoint that revokes tokens.
    ///   - codeChallengeMethods: The PKCE methods in its metadata.
    ///   - namesIssuerInRedirects: Whether its redirects name the issuer.
    public init(
        issuer: String? = nil,
        authorizationEndpoint: String? = nil,
        tokenEndpoint: String? = nil,
        deviceAuthorizationEndpoint: String? = nil,
        revocationEndpoint: String? = nil,
        codeChallengeMethods: [String]? = nil,
        namesIssuerInRedirects: Bool = false,
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.codeChallengeMethods = codeChallengeMethods
        self.namesIssuerInRedirects = namesIssuerInRedirects
    }
}

extension OAuthServer {
    /// The location of a server's metadata document, relative to its issuer.
    ///
    /// ```swift
    /// let server = try await OAuthServer.discover("https://auth.example", by: [.openID])
    /// ```
    public enum WellKnownDocument: Sendable, Hashable, CaseIterable {
        /// `/.well-known/oauth-authorization-server` between the host and the issuer's path
        /// ([RFC 8414, section 3](https://www.rfc-editor.org/rfc/rfc8414#section-3)).
        case oauth
        /// `/.well-known/openid-configuration` after the issuer's path (OpenID Connect Discovery 1.0, section 4).
        case openID
    }

    /// Reads a server's metadata.
    ///
    /// The metadata must name the issuer exactly as it is given here, and every endpoint that is used must be `https`,
    /// unless the issuer itself is on this machine. Store the result: it rarely changes.
    ///
    /// - Parameters:
    ///   - issuer: The issuer identifier, character by character.
    ///   - documents: The locations to try, one after another until there is a document.
    ///   - client: The client that sends the request.
    /// - Returns: The server.
    /// - Throws: ``OAuthProblem`` for metadata of another issuer, and for insecure endpoints; `APIError<OAuthError>` if
    ///   there is no document. The failure of a server that is down has priority over that of a missing document.
    ///   Redirects are not followed: the document must be at the issuer's own location.
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
                // A server without the document responds with a status, an HTML page, or an error of its own.
                guard [.unacceptableStatus, .decoding, .service].contains(error.phase) else { throw error }
                // A transient failure says more than a missing document.
                if !RefreshOptions.isTransient(failure) { failure = error }
            }
        }
        throw failure
    }

    init(_ metadata: ServerMetadata, issuer: String) throws(OAuthProblem) {
        guard metadata.issuer.hasSameBytes(as: issuer) else {
            let message = "the metadata document describes another issuer: \(metadata.issuer)"
            throw OAuthProblem(.issuerMismatch, message, isOfMetadata: true)
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
            namesIssuerInRedirects: metadata.namesIssuerInRedirects ?? false,
        )
    }
}

extension OAuthServer.WellKnownDocument {
    /// The URL of the document of an issuer.
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

/// Requests a server's metadata.
private struct MetadataRequest: APIRequest {
    typealias Response = ServerMetadata
    typealias Failure = OAuthError

    let endpoint: OAuthEndpoint
    var environment: APIEnvironment { endpoint.environment }
    var path: RequestPath { endpoint.path }
    var decoder: any ResponseDecoder { HikyakuJSONDecoder() }
    var redirectPolicy: RedirectPolicy? { .never }
}

/// The members of the metadata that are used.
///
/// [RFC 8414, section 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)
struct ServerMetadata: Decodable, Sendable {
    let issuer: String
    let authorizationEndpoint: String?
    let tokenEndpoint: String?
    let deviceEndpoint: String?
    let revocationEndpoint: String?
    let codeChallengeMethods: [String]?
    let namesIssuerInRedirects: Bool?

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case deviceEndpoint = "device_authorization_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case namesIssuerInRedirects = "authorization_response_iss_parameter_supported"
    }
}
