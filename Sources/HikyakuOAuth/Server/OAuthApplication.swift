import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An application as it is registered with an authorization server.
///
/// An app that people install can't keep a secret from them: it has none, and PKCE stands in its place.
public struct OAuthApplication: Sendable, Hashable {
    /// The name that the server has given it (`client_id`).
    public let id: String
    /// How it proves who it is.
    public let authentication: Authentication

    /// Makes an application.
    ///
    /// - Parameters:
    ///   - id: The name that the server has given it.
    ///   - authentication: How it proves who it is.
    public init(id: String, authentication: Authentication = .none) {
        self.id = id
        self.authentication = authentication
    }

    /// How an application proves who it is, by the names of OpenID Connect for it.
    public struct Authentication: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case none
            case basic(Secret<String>)
            case post(Secret<String>)
        }

        let kind: Kind

        /// Not at all (`none`): a public client, which sends its id.
        public static let none = Authentication(kind: .none)

        /// By a secret in the field `Authorization` (`client_secret_basic`), which every server has to know.
        public static func basic(secret: String) -> Authentication {
            Authentication(kind: .basic(Secret(secret)))
        }

        /// By a secret among the parameters (`client_secret_post`), for servers that want it there.
        public static func post(secret: String) -> Authentication {
            Authentication(kind: .post(Secret(secret)))
        }
    }
}

extension OAuthApplication {
    /// The field that proves who it is, where it is a field.
    ///
    /// Id and secret are encoded as in a form before they are joined by the colon
    /// ([RFC 6749, section 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)).
    var headers: HTTPHeaders {
        guard case .basic(let secret) = authentication.kind else { return [:] }
        let pair = "\(FormText.encoded(id)):\(FormText.encoded(secret.reveal()))"
        return .secret(.authorization, "Basic \(Data(pair.utf8).base64EncodedString())")
    }

    /// The parameters that say, or prove, who it is.
    var parameters: RequestQuery {
        switch authentication.kind {
        case .none: ["client_id": id]
        case .basic: [:]
        case .post(let secret): ["client_id": id, "client_secret": secret.reveal()]
        }
    }
}
