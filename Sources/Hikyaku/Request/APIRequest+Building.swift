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
        for call: CallInformation,
        _ options: borrowing ClientOptions,
    ) throws(TransportError) -> HTTPRequest {
        let (environment, traits, ownDecoder) = (call.environment, call.traits, call.choices.decoder)
        if let problem = traits.definitionProblem { throw TransportError(.definition, problem) }
        let method = writtenMethod
        let parameters = writtenParameters
        let parametersAreBody = !parameters.isEmpty && !(method == .get || method == .head || method == .delete)
        let query = parameters.isEmpty || parametersAreBody ? writtenQuery : writtenQuery + parameters
        let path = path
        let url = try urlText(environment, path, query)

        var headers = traits.headers
        if let ownDecoder { headers[.accept] = Definition.acceptedMediaTypes ?? ownDecoder.mediaType }
        let own = writtenHeaders
        headers.replace(with: environment.headers)
        headers.replace(with: own)

        var request = HTTPRequest(method: method, urlText: url, headers: headers)
        request.pathSecrets = path.secrets
        if let body = try contentBody(parameters: parametersAreBody ? parameters : nil) {
            let encoder: any RequestEncoder = if let own = call.choices.encoder { own } else { options.encoder }
            let content = try body.encoded(by: encoder)
            request.body = content.body
            if !request.headers.contains(.contentType) { request.headers[.contentType] = content.type }
        }
        // What changes the request from here on has it checked.
        request.isChecked =
            traits.headersAreChecked && method == .get && own.isEmpty && environment.headers.isEmpty
            && request.body == nil && ownDecoder == nil
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
        if !path.secrets.isEmpty { request.pathSecrets.formUnion(path.secrets) }
        try request.checkForWire()
        request.isChecked = true
        return request
    }

    /// The URL's text: a base URL that was parsed, and behind it nothing that no path and no query may hold.
    private func urlText(
        _ environment: APIEnvironment,
        _ path: RequestPath,
        _ query: RequestQuery,
    ) throws(TransportError) -> String {
        if let problem = environment.base.problem { throw TransportError(.baseURL, problem) }
        if let problem = path.problem { throw TransportError(.path, problem) }
        let items = try QueryWriter.text(of: query, encoding: .unreserved)
        let text = environment.base.prefix + path.encoded
        return items.isEmpty ? text : "\(text)?\(items)"
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

// What is sent. The package reads these and never the requirements of the same names, which don't see a property of
// another type where an extension of the service's protocol has one of the right type. What was written by the
// requirement's own type, mostly nothing, is read as it is, which takes half the time.
extension APIRequest {
    var writtenMethod: HTTPMethod { WrittenMethod.self == HTTPMethod.self ? method : spelledMethod.requestMethod }
    var writtenQuery: RequestQuery { WrittenQuery.self == RequestQuery.self ? query : spelledQuery.requestQuery }
    var writtenParameters: RequestQuery {
        WrittenParameters.self == RequestQuery.self ? parameters : spelledParameters.requestQuery
    }
    var writtenHeaders: HTTPHeaders {
        WrittenHeaders.self == HTTPHeaders.self ? headers : spelledHeaders.requestHeaders
    }
    var writtenBody: RequestBody? { WrittenBody.self == RequestBody?.self ? body : spelledBody.requestBody }
    var writtenTimeout: Duration? { WrittenTimeout.self == Duration?.self ? timeout : spelledTimeout.requestTimeout }
    var writtenRedirectPolicy: RedirectPolicy? {
        WrittenRedirectPolicy.self == RedirectPolicy?.self ? redirectPolicy : spelledRedirectPolicy.requestRedirectPolicy
    }

    /// The decoder; one that decodes nothing where something else was written, since no constraint on the type could
    /// allow `any ResponseDecoder`.
    var writtenDecoder: any ResponseDecoder {
        if WrittenDecoder.self == (any ResponseDecoder).self { return decoder }
        let decoder = spelledDecoder
        return decoder as? any ResponseDecoder ?? UnfitDecoder(type: String(describing: WrittenDecoder.self))
    }

    /// The encoder; one that encodes nothing where something else was written, as with the decoder.
    var writtenEncoder: any RequestEncoder {
        if WrittenEncoder.self == (any RequestEncoder).self { return encoder }
        let encoder = spelledEncoder
        return encoder as? any RequestEncoder ?? UnfitEncoder(type: String(describing: WrittenEncoder.self))
    }
}

// In an extension of APIRequest the same names mean APIRequest's own requirements.
extension RequestSpelling {
    fileprivate var spelledMethod: WrittenMethod { method }
    fileprivate var spelledQuery: WrittenQuery { query }
    fileprivate var spelledParameters: WrittenParameters { parameters }
    fileprivate var spelledHeaders: WrittenHeaders { headers }
    fileprivate var spelledBody: WrittenBody { body }
    fileprivate var spelledDecoder: WrittenDecoder { decoder }
    fileprivate var spelledEncoder: WrittenEncoder { encoder }
    fileprivate var spelledTimeout: WrittenTimeout { timeout }
    fileprivate var spelledRedirectPolicy: WrittenRedirectPolicy { redirectPolicy }
}

/// Takes the place of a `decoder` of a wrong type, until the request is built and rejected.
struct UnfitDecoder: ResponseDecoder {
    /// The name of the type that was written.
    let type: String

    var refusal: TransportError {
        TransportError(.decoder, "the request's decoder is a \(type), which is no ResponseDecoder")
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        throw refusal
    }
}

/// Takes the place of an `encoder` of a wrong type, likewise.
struct UnfitEncoder: RequestEncoder {
    /// The name of the type that was written.
    let type: String

    var refusal: TransportError {
        TransportError(.encoder, "the request's encoder is a \(type), which is no RequestEncoder")
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        throw refusal
    }
}
