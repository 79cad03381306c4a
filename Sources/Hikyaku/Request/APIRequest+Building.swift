#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIRequest {
    /// The request as it would be sent by a client without settings of its own and without a credential.
    ///
    /// The client adds `Accept-Encoding` on the way, where the request has none.
    ///
    /// - Returns: The request, checked: it can be sent.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func httpRequest() throws(APIError<Failure>) -> HTTPRequest {
        try BoundRequest(request: self, core: .standard).httpRequest()
    }

    /// The request as a line for a shell, without sending it.
    ///
    /// - Parameter revealingSecrets: Whether headers, the query's values and the body are shown, so that it can be run.
    /// - Returns: The line, as ``HTTPRequest/curlCommand(revealingSecrets:)`` writes it.
    /// - Throws: ``APIError/invalidRequest(_:)`` that names what can't be sent.
    public func curlCommand(revealingSecrets: Bool = false) throws(APIError<Failure>) -> String {
        try BoundRequest(request: self, core: .standard).curlCommand(revealingSecrets: revealingSecrets)
    }

    /// Puts the parts together and refuses what can't be sent.
    func makeHTTPRequest(
        environment: APIEnvironment,
        encoder: any RequestEncoder,
        accept: String,
        userAgent: String,
    ) throws(TransportError) -> HTTPRequest {
        if let problem = Definition.definitionProblem { throw TransportError(.definition, problem) }
        let method = writtenMethod
        let parameters = writtenParameters
        let parametersAreBody = !parameters.isEmpty && !(method == .get || method == .head || method == .delete)
        let query = parameters.isEmpty || parametersAreBody ? writtenQuery : writtenQuery + parameters
        let path = path
        let url = try makeURL(environment: environment, path: path, query: query)

        var headers: HTTPHeaders = [.accept: accept, .userAgent: userAgent]
        headers.replace(with: environment.headers)
        headers.replace(with: writtenHeaders)

        var request = HTTPRequest(method: method, url: url, headers: headers)
        request.pathSecrets = path.secrets
        if let body = try contentBody(parameters: parametersAreBody ? parameters : nil) {
            let content = try body.encoded(by: encoder)
            request.body = content.body
            if !request.headers.contains(.contentType) { request.headers[.contentType] = content.type }
        }
        do {
            try prepare(&request)
        } catch {
            if let error = error as? TokenError {
                throw TransportError(error.reason, error.message, underlyingError: error)
            }
            if let error = error as? TransportError, [.invalidRequest, .unauthorized].contains(error.reason.phase) {
                throw error
            }
            throw TransportError(.prepare, "prepare(_:) threw a \(type(of: error))", underlyingError: error)
        }
        // The request may have put another in its place.
        request.pathSecrets.formUnion(path.secrets)
        try request.checkForWire()
        return request
    }

    private func makeURL(
        environment: APIEnvironment,
        path: RequestPath,
        query: RequestQuery,
    ) throws(TransportError) -> URL {
        if let problem = environment.base.problem { throw TransportError(.baseURL, problem) }
        if let problem = path.problem { throw TransportError(.path, problem) }
        let items = try QueryWriter.text(of: query, encoding: .unreserved)
        let text = environment.base.prefix + path.encoded + (items.isEmpty ? "" : "?" + items)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw TransportError(.url, "base URL and path make no URL")
        }
        return url
    }

    private func contentBody(parameters: RequestQuery?) throws(TransportError) -> RequestBody? {
        let body = writtenBody
        guard let parameters else { return body }
        guard body == nil else {
            throw TransportError(.body, "the request has both a body and parameters that would become one")
        }
        // Refuses what neither a query nor JSON can hold, by its name.
        _ = try QueryWriter.text(of: parameters, encoding: .unreserved)
        return .json(RequestParameters(query: parameters))
    }
}
