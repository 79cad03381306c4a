extension AuthorizationNeed {
    init<R: APIRequest>(_ request: borrowing R) {
        if request.requiresAuthorization {
            self = .required
        } else if R.Access.self == AuthorizedIfPossible.self {
            self = (copy request as? any CredentialRefusal)?.refusesCredential == true ? .none : .optional
        } else {
            self = .none
        }
    }
}

/// A request that must be sent without a credential if it leads to another origin, also when one is optional.
protocol CredentialRefusal {
    var refusesCredential: Bool { get }
}

extension AccessToken where Readiness == NotReady {
    /// Makes the token readable, if it is sufficient for a request.
    ///
    /// - Parameter request: The request that needs the token.
    /// - Returns: The token, or an empty-handed one if the request needs no authorization. A request that is
    ///   ``AuthorizedIfPossible`` gets the token if there is a sufficient one.
    /// - Throws: ``TokenError/missing`` or ``TokenError/empty`` if the request needs authorization and there is nothing
    ///   to send; ``TokenError/missingScopes(_:)`` if the token is known to lack scopes; also where it is optional,
    ///   ``FailureReason/malformedCredential`` if no field can carry the token, or if it begins with its scheme, such
    ///   as `Bearer`.
    public func ready(for request: some APIRequest) throws(TokenError) -> AccessToken<Ready> {
        try ready(AuthorizationNeed(request), scopes: request.requiredScopes)
    }
}

extension AccessToken where Readiness == Ready {
    /// Checks again whether the token is sufficient, since it may have been made ready for another request.
    func checkFitness(for request: some APIRequest) throws(TokenError) {
        guard AuthorizationNeed(request) == .required else { return }
        guard !isEmptyHanded else { throw .missing }
        let missing = missingScopes(of: request.requiredScopes)
        guard missing.isEmpty else { throw .missingScopes(missing) }
    }
}
