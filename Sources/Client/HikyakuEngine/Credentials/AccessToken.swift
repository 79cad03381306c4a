public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token that can be read and sent: see ``AccessToken``.
public enum Ready: TokenReadiness {}

/// A token that was not checked yet: see ``AccessToken``.
public enum NotReady: TokenReadiness {}

/// Whether a token can be read: ``Ready`` or ``NotReady``, and nothing else.
public protocol TokenReadiness {}

/// A credential, with its readiness as a type.
///
/// Anyone can create an `AccessToken<NotReady>`, from an optional string that may be missing, but it can't be read.
/// Only ``ready(for:)``, which checks the request, returns a token that can be read and sent:
/// ```swift
/// let token = AccessToken(try await keychain.load())  // AccessToken<NotReady>
/// let ready = try token.ready(for: Qiita.AuthenticatedUser())  // throws .missing, .empty
/// ```
/// A client does that just before it sends a request, with the token of its ``TokenProvider``. No description shows a
/// token.
public struct AccessToken<Readiness: TokenReadiness>: Sendable, Hashable {
    let value: Secret<String>?
    /// The placement in a request.
    package let placement: CredentialPlacement
    /// The token's OAuth scopes; `nil` if they are unknown, and then no request is rejected for them.
    public let scopes: Set<String>?
    /// Those that are sent beside it: see ``CombinedTokens``.
    private(set) var others: [Self] = []
}

extension AccessToken {
    /// The token with others that are sent beside it.
    func combined(with others: [Self]) -> Self {
        var token = self
        token.others = others
        return token
    }
}

extension AccessToken where Readiness == NotReady {
    /// Creates a token that is only checked when a request needs it.
    ///
    /// - Parameters:
    ///   - token: The token itself, without the word `Bearer`; `nil` if there is none yet.
    ///   - placement: The placement in a request.
    ///   - scopes: The scopes, if they are known.
    public init(_ token: String?, in placement: CredentialPlacement = .bearer, scopes: Set<String>? = nil) {
        self.init(value: token.map(Secret.init), placement: placement, scopes: scopes)
    }

    /// Creates a token from a `Secret`.
    ///
    /// - Parameters:
    ///   - token: The token; `nil` if there is none yet.
    ///   - placement: The placement in a request.
    ///   - scopes: The scopes, if they are known.
    @_disfavoredOverload
    public init(_ token: Secret<String>?, in placement: CredentialPlacement = .bearer, scopes: Set<String>? = nil) {
        self.init(value: token, placement: placement, scopes: scopes)
    }

    /// Creates a token from the whole value of an `Authorization` field, such as `Bearer t0ken`; `nil` if there is none
    /// yet.
    public init(headerValue: String?) {
        self.init(headerValue, in: .authorizationValue)
    }

    package func ready(_ need: AuthorizationNeed, scopes needed: Set<String>) throws(TokenError) -> AccessToken<Ready> {
        guard need != .none, let error = problem(needed) else {
            guard need != .none else { return .emptyHanded }
            let token = AccessToken<Ready>(value: value, placement: placement, scopes: scopes)
            guard !others.isEmpty else { return token }
            let ready = try others.map { (other) throws(TokenError) in try other.ready(need, scopes: needed) }
            // Where a credential is optional, an incomplete one is none.
            return ready.contains(where: \.isEmptyHanded) ? .emptyHanded : token.combined(with: ready)
        }
        guard need == .optional, error.reason != .malformedCredential else { throw error }
        return .emptyHanded
    }

    /// Why the token can't be sent with a request that needs the scopes; `nil` if it can.
    func problem(_ needed: Set<String>) -> TokenError? {
        guard let value else { return .missing }
        guard value.reveal().contains(where: { !$0.isWhitespace }) else { return .empty }
        if placement.isField, !value.reveal().utf8.allSatisfy(ASCII.isFieldContent) { return .unsendable }
        if let scheme = placement.scheme, value.reveal().hasScheme(scheme) { return .repeatedScheme(scheme) }
        let missing = missingScopes(of: needed)
        return missing.isEmpty ? nil : .missingScopes(missing)
    }
}

// The compiler chooses these if a token isn't known to be ready, also in generic code.
@available(*, unavailable, message: "only a token that is ready can be read: use ready(for:)")
extension AccessToken {
    /// Can't be read.
    public func reveal() -> String? { nil }

    /// Can't be read.
    public var isEmptyHanded: Bool { value == nil }
}

extension AccessToken {
    /// The scopes that the token is known to lack, compared by bytes like in a service.
    package func missingScopes(of needed: Set<String>) -> Set<String> {
        guard let scopes, !needed.isEmpty else { return [] }
        let granted = Set(scopes.map(ByteText.init))
        return needed.filter { !granted.contains(ByteText($0)) }
    }
}

extension AccessToken where Readiness == Ready {
    static var emptyHanded: Self { Self(value: nil, placement: .bearer, scopes: nil) }

    /// Whether there is nothing to send, since the request needs no authorization.
    public var isEmptyHanded: Bool { value == nil }

    /// The token itself, without its scheme; `nil` if the token is empty-handed.
    public func reveal() -> String? { value?.reveal() }

    /// Whether another token would be sent as the same value.
    func isSame(as other: AccessToken<NotReady>) -> Bool {
        TokenKey(self) == TokenKey(other) && others.count == other.others.count
            && zip(others, other.others).allSatisfy { $0.isSame(as: $1) }
    }
}

extension AccessToken: Redacted {
    /// Whether there is a token, and its placement: `AccessToken(‹redacted›, bearer)`.
    public var description: String { "AccessToken(\(value == nil ? "none" : Redaction.placeholder), \(placement))" }
}

/// Why a token can't be sent with a request that needs one.
public struct TokenError: Error, Sendable, Hashable {
    /// The reason in a client's error.
    public let reason: FailureReason
    /// The details in one line, without a secret.
    public let message: String

    /// There is no token.
    public static let missing = TokenError(reason: .missingToken, message: "there is no token")
    /// The token is empty or whitespace.
    public static let empty = TokenError(reason: .emptyToken, message: "the token is empty")

    /// The token has a character that no header field can have.
    static let unsendable = TokenError(
        reason: .malformedCredential,
        message: "the token contains a line break or another control character: remove it where the token is read",
    )

    /// The token begins with the scheme that its placement adds.
    static func repeatedScheme(_ scheme: String) -> TokenError {
        TokenError(
            reason: .malformedCredential,
            message: "the token begins with the word \(scheme), which is added to it: leave the word out",
        )
    }

    /// The token lacks scopes that the request needs.
    ///
    /// - Parameter scopes: The missing scopes.
    /// - Returns: The error.
    public static func missingScopes(_ scopes: Set<String>) -> TokenError {
        TokenError(
            reason: .missingScopes,
            message: "the token lacks \(scopes.sorted().joined(separator: ", "))",
        )
    }
}

extension TokenError: CustomStringConvertible, LocalizedError {
    /// The details.
    public var errorDescription: String? { Redaction.printable(message, scalarsMax: 500) }

    /// The reason and the details.
    public var description: String { Redaction.printable("\(reason): \(message)", scalarsMax: 500) }
}

extension String {
    /// Whether the text begins with a scheme in any case, which a space or a tab ends; blanks before it don't matter.
    fileprivate func hasScheme(_ scheme: String) -> Bool {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = utf8.drop(while: isBlank)
        for byte in scheme.utf8 {
            guard let next = rest.popFirst(), ASCII.lowercased(next) == ASCII.lowercased(byte) else { return false }
        }
        return rest.first.map(isBlank) ?? false
    }
}

extension FailureReason {
    /// The request needs authorization, and there is no token.
    public static let missingToken = FailureReason(
        .unauthorized,
        "missingToken",
        "You are not signed in.",
        .signIn,
        hint: "Give the provider a token before the call, or the client a credential, as the reason says.",
    )
    /// The request needs authorization, and the token is empty.
    public static let emptyToken = FailureReason(
        .unauthorized,
        "emptyToken",
        "Your sign-in is incomplete.",
        .signInAgain,
        hint: "Check where the token comes from: it is empty or consists of white space.",
    )
    /// The token lacks scopes that the request needs: see `requiredScopes`.
    public static let missingScopes = FailureReason(
        .unauthorized,
        "missingScopes",
        "Your sign-in lacks permissions that this needs.",
        "Sign in again, and grant the permissions.",
        hint: "Request the scopes in the reason when the token is made.",
    )
    /// The level of the credential for the request's environment doesn't include the level that the request needs.
    public static let insufficientLevel = FailureReason(
        .unauthorized,
        "insufficientLevel",
        "Your sign-in lacks a permission that this needs.",
        "Sign in with an account that has the permission.",
        hint: "Authorize the client with a higher level: client.authorized(by:for:as:).",
    )
    /// The token store can't be read or written: see the details.
    public static let tokenStore = FailureReason(
        .other,
        "tokenStore",
        "Your sign-in could not be read or stored.",
        .signInAgain,
        hint: "The token store failed, as the reason says.",
    )
    /// There is no credential for the request's origin.
    public static let otherOrigin = FailureReason(
        .unauthorized,
        "otherOrigin",
        "Your sign-in is not for this address.",
        .report,
        hint: "Authorize the client for the environment of the request: client.authorized(by:for:). For a test "
            + "server: client.substituting(_:for:sendingCredentials: true).",
    )
}

/// Identifies a token that a service has rejected.
struct TokenKey: Hashable, Sendable {
    let value: Secret<String>?
    let placement: CredentialPlacement

    init<Readiness>(_ token: AccessToken<Readiness>) {
        value = token.value
        placement = token.placement
    }
}
