import Hikyaku

/// Parameters that a server has of its own, beside those that a grant sets.
enum OAuthParameters {
    private static let reserved: Set<String> = [
        "assertion", "client_assertion", "client_assertion_type", "client_id", "client_secret", "code",
        "code_challenge", "code_challenge_method", "code_verifier", "device_code", "grant_type", "redirect_uri",
        "refresh_token", "response_mode", "response_type", "scope", "state",
    ]

    /// The parameters in the order of their names.
    ///
    /// - Throws: ``OAuthProblem`` for a name that is a grant's own: whatever came first or last would win.
    static func checked(_ parameters: [String: String]) throws(OAuthProblem) -> [(String, String)] {
        for name in parameters.keys.sorted() where reserved.contains(name) {
            throw OAuthProblem(.reservedParameter, "the parameter \(name) is set by the grant itself")
        }
        return parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension RequestQuery {
    /// The items of a list.
    init(_ items: [(String, String)]) {
        self.init()
        for (name, value) in items { append(name, value) }
    }
}
