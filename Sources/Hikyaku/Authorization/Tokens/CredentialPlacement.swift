/// Where in a request a credential goes.
///
/// A field is marked as a secret, so that it is shown nowhere and isn't sent on to another origin. Prefer a field to
/// the query: servers and proxies write URLs into their logs.
public struct CredentialPlacement: Sendable, Hashable {
    let place: PlacedCredential.Place

    /// `Authorization: Bearer …` ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
    public static let bearer = authorization(scheme: "Bearer")
    /// `Authorization: …`, where the credential is the field's whole value.
    public static let authorizationValue = CredentialPlacement(place: .field(.authorization, scheme: nil))

    /// `Authorization: <scheme> …`: `Basic`, `Token`.
    public static func authorization(scheme: String) -> CredentialPlacement {
        CredentialPlacement(place: .field(.authorization, scheme: scheme))
    }

    /// A field of its own: `X-Api-Key: …`.
    public static func header(_ name: HTTPHeaderName) -> CredentialPlacement {
        CredentialPlacement(place: .field(name, scheme: nil))
    }

    /// An item of the query: `?api_key=…`.
    public static func query(_ name: String) -> CredentialPlacement {
        CredentialPlacement(place: .query(name))
    }

    /// A cookie: `Cookie: session=…`.
    public static func cookie(_ name: String) -> CredentialPlacement {
        CredentialPlacement(place: .cookie(name))
    }
}

extension CredentialPlacement: CustomStringConvertible {
    /// The place by its name, without a credential.
    public var description: String { place.kind.description }
}
