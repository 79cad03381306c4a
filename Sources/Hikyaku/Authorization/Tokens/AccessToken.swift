#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What may be read and sent: see ``AccessToken``.
public enum Ready: TokenReadiness {}

/// What has not been looked at yet: see ``AccessToken``.
public enum NotReady: TokenReadiness {}

/// Whether a token may be read: ``Ready`` or ``NotReady``, and nothing else.
public protocol TokenReadiness {}

/// A credential, with its readiness as a type.
///
/// Anyone can make an `AccessToken<NotReady>`, of an optional text that may be missing; nobody can read it. The only
/// way to one that can be read and sent is ``ready(for:)``, which looks at the request:
/// ```swift
/// let token = AccessToken(keychain.token)  // AccessToken<NotReady>
/// let ready = try token.ready(for: Qiita.AuthenticatedUser())  // throws .missing, .empty
/// ```
/// A client does that just before it sends, with what its ``TokenProvider`` gives. No description shows a token.
public struct AccessToken<Readiness: TokenReadiness>: Sendable, Hashable {
    let value: Secret<String>?
    /// Where it goes in a request.
    public let placement: CredentialPlacement
    /// What the token is good for, as OAuth has it; `nil` where nobody knows, which no request is refused for.
    public let scopes: Set<String>?

    init(value: Secret<String>?, placement: CredentialPlacement, scopes: Set<String>?) {
        self.value = value
        self.placement = placement
        self.scopes = scopes
    }
}

extension AccessToken where Readiness == NotReady {
    /// Hides a token that isn't looked at before a request needs it.
    ///
    /// - Parameters:
    ///   - token: The token itself, without the word `Bearer`; `nil` stands for none yet.
    ///   - placement: Where it goes.
    ///   - scopes: What it is good for, where that is known.
    public init(_ token: String?, in placement: CredentialPlacement = .bearer, scopes: Set<String>? = nil) {
        self.init(value: token.map(Secret.init), placement: placement, scopes: scopes)
    }

    /// Hides a token that is hidden already.
    ///
    /// - Parameters:
    ///   - token: The token; `nil` stands for none yet.
    ///   - placement: Where it goes.
    ///   - scopes: What it is good for, where that is known.
    @_disfavoredOverload
    public init(_ token: Secret<String>?, in placement: CredentialPlacement = .bearer, scopes: Set<String>? = nil) {
        self.init(value: token, placement: placement, scopes: scopes)
    }

    /// Hides the whole value of an `Authorization` field, `Bearer t0ken` say; `nil` stands for none yet.
    public init(headerValue: String?) {
        self.init(headerValue, in: .authorizationValue)
    }

    /// Makes the token readable, if it will do for a request.
    ///
    /// - Parameter request: Where the token is to go.
    /// - Returns: The token, or an empty-handed one where the request needs no authorization. One that is
    ///   ``AuthorizedIfPossible`` gets the token if there is one that will do.
    /// - Throws: ``TokenError/missing`` or ``TokenError/empty`` where the request needs authorization and there is
    ///   nothing to send; ``TokenError/missingScopes(_:)`` where the token is known not to be good for it.
    public func ready(for request: some APIRequest) throws(TokenError) -> AccessToken<Ready> {
        try ready(AuthorizationNeed(request), scopes: request.requiredScopes)
    }

    func ready(_ need: AuthorizationNeed, scopes needed: Set<String>) throws(TokenError) -> AccessToken<Ready> {
        guard need != .none, let error = problem(needed) else {
            return need == .none
                ? .emptyHanded : AccessToken<Ready>(value: value, placement: placement, scopes: scopes)
        }
        guard need == .optional else { throw error }
        return .emptyHanded
    }

    private func problem(_ needed: Set<String>) -> TokenError? {
        guard let value else { return .missing }
        guard value.reveal().contains(where: { !$0.isWhitespace }) else { return .empty }
        let missing = missingScopes(of: needed)
        return missing.isEmpty ? nil : .missingScopes(missing)
    }
}

// The compiler takes these where a token isn't known to be ready, in generic code too.
extension AccessToken {
    /// Refuses to be read.
    @_disfavoredOverload
    @available(*, unavailable, message: "only a token that is ready can be read: use ready(for:)")
    public func reveal() -> String? { nil }

    /// Refuses to be read.
    @_disfavoredOverload
    @available(*, unavailable, message: "only a token that is ready can be read: use ready(for:)")
    public var isEmptyHanded: Bool { value == nil }
}

extension AccessToken {
    /// What the token is known to lack, by bytes, as a service compares them.
    fileprivate func missingScopes(of needed: Set<String>) -> Set<String> {
        guard let scopes, !needed.isEmpty else { return [] }
        let granted = Set(scopes.map(ByteText.init))
        return needed.filter { !granted.contains(ByteText($0)) }
    }
}

extension AccessToken where Readiness == Ready {
    static var emptyHanded: Self { Self(value: nil, placement: .bearer, scopes: nil) }

    /// Whether there is nothing to send, since the request needs no authorization.
    public var isEmptyHanded: Bool { value == nil }

    /// The token itself, without its scheme; `nil` where the token is empty-handed.
    public func reveal() -> String? { value?.reveal() }

    /// Looks once more whether the token will do, since it may have been readied for another request.
    func checkFitness(for request: some APIRequest) throws(TokenError) {
        guard AuthorizationNeed(request) == .required else { return }
        guard !isEmptyHanded else { throw .missing }
        let missing = missingScopes(of: request.requiredScopes)
        guard missing.isEmpty else { throw .missingScopes(missing) }
    }

    /// Whether another token would be sent as the same one.
    func isSame(as other: AccessToken<NotReady>) -> Bool {
        value == other.value && placement == other.placement
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Whether there is a token, and where it goes: `AccessToken(‹redacted›, bearer)`.
    public var description: String { "AccessToken(\(value == nil ? "none" : Redaction.placeholder), \(placement))" }
    /// What ``description`` shows.
    public var debugDescription: String { description }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}

/// Why a token can't be sent with a request that needs one.
public struct TokenError: Error, Sendable, Hashable {
    /// Why, as a client's error says it.
    public let reason: FailureReason
    /// The particulars in one line, without a secret.
    public let message: String

    /// There is no token.
    public static let missing = TokenError(reason: .missingToken, message: "there is no token")
    /// The token is empty, or white space.
    public static let empty = TokenError(reason: .emptyToken, message: "the token is empty")

    /// The token isn't good for all that the request needs.
    ///
    /// - Parameter scopes: What is missing.
    /// - Returns: The error.
    public static func missingScopes(_ scopes: Set<String>) -> TokenError {
        TokenError(
            reason: .missingScopes,
            message: "the token lacks \(scopes.sorted().joined(separator: ", "))",
        )
    }
}

extension TokenError: CustomStringConvertible, LocalizedError {
    /// The particulars.
    public var errorDescription: String? { Redaction.printable(message, scalarsMax: 500) }

    /// The reason and the particulars.
    public var description: String { Redaction.printable("\(reason): \(message)", scalarsMax: 500) }
}

extension FailureReason {
    /// The request needs authorization, and there is no token.
    public static let missingToken = FailureReason(.unauthorized, "missingToken")
    /// The request needs authorization, and the token is empty.
    public static let emptyToken = FailureReason(.unauthorized, "emptyToken")
    /// The token isn't good for all that the request needs: see `requiredScopes`.
    public static let missingScopes = FailureReason(.unauthorized, "missingScopes")
    /// The credential for the request's environment is of a level that doesn't include the request's.
    public static let insufficientLevel = FailureReason(.unauthorized, "insufficientLevel")
    /// What keeps the token can't be read or written: see the particulars.
    public static let tokenStore = FailureReason(.other, "tokenStore")
    /// The request goes to an origin that there is no credential for.
    public static let otherOrigin = FailureReason(.unauthorized, "otherOrigin")
    /// The credential would go over plain `http` to another machine, where all on the way can read it.
    public static let insecureOrigin = FailureReason(.unauthorized, "insecureOrigin")
}
