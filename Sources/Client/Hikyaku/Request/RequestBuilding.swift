import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIRequest {
    /// Builds the request for a call, and checks that it can be sent.
    ///
    /// - Throws: ``Settled`` with the error.
    @inline(never)
    func built(for context: RequestContext, by core: ClientCore) throws -> HTTPRequest {
        do throws(TransportError) {
            return try prepared(parts(for: context, by: core), for: context.call, by: core)
        } catch {
            throw refusal(in: context, error)
        }
    }

    /// Combines the parts of the request, its environment and the client.
    private func parts(for context: RequestContext, by core: ClientCore) throws(TransportError) -> HTTPRequest {
        let (call, traits) = (context.call, context.call.traits)
        if call.choices.hasOwnCoders { try call.choices.checkCoders() }
        if let problem = traits.definitionProblem { throw ResponseCause.definition.error(problem) }
        let method = writtenMethod
        let parameters = writtenParameters
        let parametersAreBody = !parameters.isEmpty && !method.sendsParametersInQuery
        let path = path
        let items = parameters.isEmpty || parametersAreBody ? writtenQuery : writtenQuery + parameters
        let query = try QueryWriter.text(of: items, encoding: .unreserved)
        let written = environment
        try core.checkSubstitution(of: written, in: self)
        let url = try call.urlText(of: path, query, from: written)

        var headers = traits.headers
        if call.choices.hasOwnCoders, let decoder = call.choices.decoder {
            headers[.accept] = Definition.acceptedMediaTypes ?? decoder.mediaType
        }
        let (common, own) = (call.environment.headers, writtenHeaders)
        headers.replace(with: common)
        headers.replace(with: own)
        let key = call.choices.idempotencyKey.value(core.parts.options.random)
        if let key {
            guard !key.isEmpty else { throw RequestCause.idempotencyKey.error("the idempotency key is empty") }
            headers["Idempotency-Key"] = key
        }

        let built = HTTPRequest(
            method: method,
            urlText: url,
            headers: headers,
            pathSecrets: path.secrets,
            // Everything that changes the request after this checks it.
            isChecked: traits.headersAreChecked && method == .get && own.isEmpty && common.isEmpty && key == nil
                && !call.choices.hasOwnCoders,
        )
        let body = writtenBody
        guard body != nil || parametersAreBody else { return built }
        return try call.filled(built, body, parametersAreBody ? parameters : nil, by: core)
    }

    /// Calls the request's `prepare(_:)`, and checks the result.
    private func prepared(
        _ built: consuming HTTPRequest,
        for call: CallInformation,
        by core: ClientCore,
    ) throws(TransportError) -> HTTPRequest {
        let pathSecrets = built.pathSecrets
        do {
            try prepare(&built)
        } catch let error as TokenError {
            throw CredentialCause(error).error(error.message, underlyingError: error)
        } catch let error as TransportError where [.invalidRequest, .unauthorized].contains(error.reason.phase) {
            throw error
        } catch {
            let text = ForeignWords.thrown(error, by: "prepare(_:)")
            throw RequestCause.prepare.error(text, underlyingError: error, hint: ForeignWords.hint(of: error))
        }
        // The request may have been replaced.
        if !pathSecrets.isEmpty { built.pathSecrets.formUnion(pathSecrets) }
        try built.method.checkCase()
        if call.leavesOrigin { built = try core.leavingOrigin(built, call) }
        return try built.checkedForWire()
    }

    @inline(never)
    private func refusal(in context: RequestContext, _ error: TransportError) -> any Error {
        var callContext = CallContext(
            requestType: String(reflecting: context.requestType).withoutModule,
            method: writtenMethod,
            url: context.call.shownURL(of: self),
            elapsed: context.start.duration(to: context.clock.now),
            underlyingError: error.underlyingError,
        )
        callContext.hint = error.hint
        callContext.texts = context.call.errorTexts
        return Settled(error: APIError<Failure>(error.reason, error.message, callContext))
    }
}

extension HTTPMethod {
    /// Rejects `post` for `POST`, which no service reads.
    fileprivate func checkCase() throws(TransportError) {
        guard let word = knownWord else { return }
        throw RequestCause.method.error(
            "the method \(rawValue) is not \(word): case matters",
            hint: "Write .\(word.asciiLowercased).",
        )
    }
}
