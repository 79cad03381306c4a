// What another origin gets is decided here and in `removeCredentials()`, for redirects and for URLs that a service has
// given.
extension RedirectPolicy.Rules {
    /// Removes all fields for one origin: those that aren't known to be safe for others, and those that are marked.
    package func leaveOrigin(of headers: inout HTTPHeaders) {
        // By name: another field with the name of a marked one is a credential too.
        let credentials = Set(headers.filter(\.isCredential).map(\.name))
        headers.removeAll { field in
            let crosses = field.name.crossesOrigins || fieldsKept.contains(field.name)
            return !crosses || credentials.contains(field.name)
        }
    }
}

extension RedirectPolicy {
    /// Removes what a request that begins at another origin must not have, whoever has added it.
    ///
    /// - Throws: ``FailureReason/url`` if it has a body that must not be sent there.
    package func leaveOrigin(with request: inout HTTPRequest) throws(TransportError) {
        guard request.body == nil || rules.sendsBodyToOtherOrigins else {
            throw RedirectCause.redirectedBody.error(
                "the URL is at another origin, and the redirect policy sends no body there"
            )
        }
        rules.leaveOrigin(of: &request.headers)
    }
}
