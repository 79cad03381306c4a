import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuedToken {
    /// What a token endpoint has issued.
    ///
    /// - Parameters:
    ///   - response: Its answer.
    ///   - asked: The scopes that were asked for, which the token has where the server says nothing else.
    ///   - sent: When it was asked: the token's time is counted from there.
    ///   - received: When it answered.
    /// - Throws: ``OAuthProblem`` for a token that can't be sent.
    init(
        _ response: APIResponse<TokenResponse>,
        asked: Set<String>,
        sent: Date,
        received: Date,
    ) throws(OAuthProblem) {
        let value = response.value
        // A few servers leave the type out, and all of those mean this one.
        let type = value.type ?? "Bearer"
        guard type.asciiLowercased == "bearer" else {
            throw OAuthProblem(.unsupportedTokenType, "the server issued a token of the type \(type)")
        }
        let asked = Set(asked.flatMap(Scopes.split))
        self.init(
            token: value.accessToken,
            refreshToken: value.refreshToken,
            // Services go by what the token says, and authorization servers err about that.
            expiresAt: [
                value.secondsLeft.map(sent.addingTimeInterval),
                Self.expiration(of: value.accessToken, response.headers, received),
            ].compactMap(\.self).min(),
            scopes: value.scopes ?? (asked.isEmpty ? nil : asked),
            idToken: value.idToken,
        )
    }

    /// When a token ends that says so itself, by this machine's clock.
    ///
    /// The issuer's clock is told by the answer's `Date`. What would have ended already says that clocks differ and
    /// nothing else: the token was issued just now.
    private static func expiration(of token: Secret<String>, _ headers: HTTPHeaders, _ received: Date) -> Date? {
        guard let end = JSONWebToken.expiration(of: token.reveal()) else { return nil }
        let issuersNow = headers[.date].flatMap(WebDate.date) ?? received
        let left = end.timeIntervalSince(issuersNow)
        return left > 0 ? received.addingTimeInterval(min(left, LenientSeconds.secondsMax)) : nil
    }

    /// The token with what a refresh left out: the refresh token, when it may be used again, and who signed in.
    func keeping(_ old: IssuedToken) -> IssuedToken {
        var token = self
        token.refreshToken = refreshToken ?? old.refreshToken
        token.idToken = idToken ?? old.idToken
        token.scopes = scopes ?? old.scopes
        return token
    }
}
