import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An application as it is registered with an authorization server: a client in the terms of OAuth.
///
/// ```swift
/// let app = OAuthApplication(id: "reader")                                            // on a user's device
/// let backend = OAuthApplication(id: "reports", authentication: .basic(secret: password))
/// let oauth = OAuthClient(server: authorizationServer, application: backend, client: client)
/// ```
/// An installed app can't keep a secret from its users, so it has none, and PKCE replaces it.
public struct OAuthApplication: Sendable, Hashable {
    /// The client ID (`client_id`).
    public let id: String
    /// How it authenticates.
    public let authentication: Authentication

    /// Creates an application.
    ///
    /// - Parameters:
    ///   - id: The client ID.
    ///   - authentication: How it authenticates.
    public init(id: String, authentication: Authentication = .none) {
        self.id = id
        self.authentication = authentication
    }

    /// How an application authenticates, with the names of OpenID Connect for it.
    ///
    /// ```swift
    /// let application = OAuthApplication(id: "reports", authentication: .post(secret: password))
    /// ```
    public struct Authentication: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case none
            case basic(Secret<String>)
            case post(Secret<String>)
        }

        let kind: Kind

        /// Not at all (`none`): a public client, which sends its ID.
        public static let none = Authentication(kind: .none)

        /// With a secret in the field `Authorization` (`client_secret_basic`), which every server must support.
        public static func basic(secret: String) -> Authentication {
            Authentication(kind: .basic(Secret(secret)))
        }

        /// With a secret in the parameters (`client_secret_post`), for servers that need it there.
        public static func post(secret: String) -> Authentication {
            Authentication(kind: .post(Secret(secret)))
        }
    }
}

extension OAuthApplication {
    /// The field that authenticates the application, if it uses a field.
    ///
    /// ID and secret are encoded as in a form before they are joined with a colon ([RFC 6749, section
    /// 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)).
    var headers: HTTPHeaders {
        guard case .basic(let secret) = authentication.kind else { return [:] }
        let pair = "\(FormText.encoded(id)):\(FormText.encoded(secret.reveal()))"
        return .secret(.authorization, "Basic \(Data(pair.utf8).base64EncodedString())")
    }

    /// The parameters that identify, or authenticate, the application.
    var parameters: RequestQuery {
        switch authentication.kind {
        case .none: ["client_id": id]
        case .basic: [:]
        case .post(let secret): ["client_id": id, "client_secret": secret.reveal()]
        }
    }
}
