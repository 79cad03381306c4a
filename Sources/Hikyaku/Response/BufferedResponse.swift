#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response whose body is in memory: a model or a failure is read from it, and an error keeps it.
///
/// ```swift
/// // A test of how a failure is read:
/// let response = BufferedResponse(status: .conflict, body: Data(#"{"message": "sold out"}"#.utf8))
/// #expect(ShopError(response: response)?.message == "sold out")
/// ```
/// An error keeps at most ``bodyBytesMax`` bytes of the body. Printing it shows only the type and length of the body,
/// and the values of harmless headers.
public struct BufferedResponse: Sendable {
    /// The maximum size of a body that an error keeps, in bytes: 64 KiB.
    public static let bodyBytesMax = 64 * 1024

    /// The response's status.
    public let status: HTTPStatus
    /// The response's fields.
    public let headers: HTTPHeaders
    /// The body; in an error possibly only its beginning.
    public private(set) var body: Data
    /// Whether the body was longer than ``body``, or broke off.
    public private(set) var isBodyCut: Bool
    /// The settings of the client and the request for reading.
    private(set) var reading: ResponseContext
    private var call: CallContext?
    private var urlText: Secret<String>?

    /// The URL of the request that the response is for, after all redirects; `nil` if it is unknown.
    ///
    /// A credential that the client has put into the query is left out. The query may contain other secrets.
    public var url: URL? { urlText.flatMap { URL(string: $0.reveal(), encodingInvalidCharacters: false) } }

    /// The links in the fields `Link`, such as that to the next page: `response.links["next"]`.
    ///
    /// Relative targets are resolved against ``url``.
    public var links: WebLinks { headers.links(relativeTo: urlText?.reveal()) }

    /// The call; empty outside errors.
    public var context: CallContext { call ?? .unknown }

    /// The request's decoder, or the client's.
    public var decoder: any ResponseDecoder { reading.decoder }

    /// Creates a response, for tests of a definition, of a failure's initializer, and of error handling.
    public init(
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        body: Data = Data(),
        decoder: (any ResponseDecoder)? = nil,
        context: CallContext = CallContext(),
        url: URL? = nil,
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        isBodyCut = false
        reading = ResponseContext(decoder: decoder)
        call = context
        urlText = url.map { Secret($0.absoluteString) }
    }

    /// Creates a buffered response, and buffers the body if it is a stream.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - context: The settings for reading it.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` for a body larger than the context's limit, and
    ///   the error of the body.
    public init(collecting response: HTTPResponse, context: ResponseContext) async throws {
        var collected = response
        collected.body = HTTPBody(try await response.body.collect(upTo: context.bodyBytesMax))
        self.init(collected, context)
    }

    /// Creates a buffered response from one whose body is in memory; a stream was already consumed and gives an empty
    /// body.
    init(_ response: HTTPResponse, _ reading: ResponseContext) {
        status = response.status
        headers = response.headers
        body = response.body.bytes ?? Data()
        isBodyCut = response.isBodyCut
        self.reading = reading
        call = nil
        urlText = response.requestURLText
    }

    /// Decodes the body with the request's decoder; a body without content is the `nil` of an optional type, as for 204
    /// (RFC 9110, section 15.3.5).
    ///
    /// - Throws: The error of the decoder.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        if isWithoutContent, let none = (type as? any NilValue.Type)?.absent as? Value { return none }
        return try reading.decoder.decode(type, from: body)
    }

    /// Whether the body is empty, or white space.
    var isWithoutContent: Bool {
        guard body.isEmpty || body[body.startIndex] <= 0x20 else { return false }
        return body.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    }

    /// The body as text, if it is UTF-8 or in the charset of its `Content-Type`; it may contain secrets.
    public var text: String? {
        String(bytes: body, encoding: .utf8)
            ?? headers.mediaType?.parameter("charset").flatMap { Charset(label: $0) }?.text(of: body)
    }

    /// The same response with at most the size of body that an error keeps.
    fileprivate func kept(context: CallContext) -> BufferedResponse {
        var kept = self
        kept.call = context
        guard body.count > Self.bodyBytesMax else { return kept }
        // Copied, since a slice would keep the whole body alive.
        kept.body = Data(Array(body.prefix(Self.bodyBytesMax)))
        kept.isBodyCut = true
        return kept
    }

    /// The same response, in the error of a call.
    func with(_ context: CallContext) -> BufferedResponse {
        var response = self
        response.call = context
        return response
    }

    /// The same response with another body, such as that of one event.
    func with(body: Data) -> BufferedResponse {
        var response = self
        response.body = body
        return response
    }

    /// The same response, for reading in another context.
    func with(_ reading: ResponseContext) -> BufferedResponse {
        var response = self
        response.reading = reading
        return response
    }
}

extension BufferedResponse {
    /// The status and the fields.
    fileprivate var head: HTTPResponse { HTTPResponse(status: status, headers: headers) }

    /// What ends a stream whose part is this response's body and can't be read: the service's failure, if it is one.
    func settled<Failure: ServiceFailure>(_ error: any Error, as type: Failure.Type) -> any Error {
        guard !(error is any ServiceFailure), !(error is TransportError) else { return error }
        if let failure = Failure(response: with(silent)) { return failure }
        guard let error = error as? DecodingError else { return error }
        return DecodingDiagnosis(
            error,
            body: body,
            isJSON: decoder.readsJSON,
            convertingKeys: decoder.convertingKeys,
            revealingValues: reading.diagnosisDetail.contains(.values),
        )
    }

    private var silent: ResponseContext {
        var context = reading
        context.decoder = silentDecoder
        return context
    }
}

/// An `Optional` of any type.
private protocol NilValue {
    static var absent: Any { get }
}

extension Optional: NilValue {
    static var absent: Any { Self.none as Any }
}

extension BufferedResponse: CustomStringConvertible, CustomReflectable {
    /// `404 Not Found, application/json, 54 bytes`.
    public var description: String {
        let cut = body.count < Self.bodyBytesMax ? ", and what followed wasn't received" : " of a longer body"
        return "\(status), \(Redaction.text(of: HTTPBody(body), headers: headers))\(isBodyCut ? cut : "")"
    }

    /// The same as ``description`` and the redacted headers, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["response": description, "headers": headers, "context": context])
    }
}

/// The settings that a definition may need in addition to a streamed response.
///
/// ```swift
/// // A test of a definition that reads the body as a stream:
/// let received = HTTPResponse(status: .ok, body: HTTPBody("a\nb\n"))
/// var lines = 0
/// for try await piece in try await StreamedResponse.read(streaming: received, context: ResponseContext()) {
///     lines += piece.count { $0 == UInt8(ascii: "\n") }
/// }
/// #expect(lines == 2)
/// ```
public struct ResponseContext: Sendable {
    /// The request's decoder, or the client's.
    public fileprivate(set) var decoder: any ResponseDecoder
    /// The maximum size of a buffered body, in bytes.
    public let bodyBytesMax: Int
    /// The type of the request that reads the response: the call's own, or the request inside a proxy; `nil` outside a
    /// call.
    private(set) var requestType: (any Any.Type)?
    /// The traits of the type of the call's request.
    private(set) var traits: CallTraits?
    /// Counts the response's drift, if the call has an observer.
    private let driftTally: DriftTally?
    /// The details that a decoding failure includes.
    private(set) var diagnosisDetail: DiagnosisDetail
    /// The client's clock.
    let clock: any HTTPClock
    /// Makes an error of a stream that of its call; `nil` outside a call, and where the stream's reader does that.
    var converting: ErrorConversion?

    /// Creates a context, for tests of a definition; without a decoder, with the default client's.
    public init(
        decoder: (any ResponseDecoder)? = nil,
        bodyBytesMax: Int = TransportOptions.bodyBytesMaxDefault,
    ) {
        self.init(decoder: decoder ?? WebJSON.decoder, bodyBytesMax: bodyBytesMax, requestType: nil)
    }

    init(
        decoder: any ResponseDecoder,
        bodyBytesMax: Int,
        requestType: (any Any.Type)?,
        traits: CallTraits? = nil,
        driftTally: DriftTally? = nil,
        diagnosisDetail: DiagnosisDetail = [],
        clock: any HTTPClock = SystemClock(),
    ) {
        if diagnosisDetail.isEmpty, driftTally == nil {
            self.decoder = decoder
        } else {
            let decoder = diagnosisDetail.applied(to: decoder)
            self.decoder = driftTally?.counting(decoder) ?? decoder
        }
        self.bodyBytesMax = bodyBytesMax
        self.requestType = requestType
        self.traits = traits
        self.driftTally = driftTally
        self.diagnosisDetail = diagnosisDetail
        self.clock = clock
    }

    /// The context of a call.
    init(of type: any Any.Type, _ context: RequestContext, by core: ClientCore, driftTally: DriftTally? = nil) {
        self.init(
            decoder: context.call.choices.decoder ?? core.parts.options.decoder,
            bodyBytesMax: core.parts.options.bodyBytesMax,
            requestType: type,
            traits: context.call.traits,
            driftTally: driftTally,
            diagnosisDetail: core.parts.diagnosisDetail.union(context.call.choices.diagnosisDetail),
            clock: context.clock,
        )
    }

    /// The same for another request that is used while the call's own response is read: its own decoder overrides the
    /// call's.
    func reading<R: APIRequest>(by request: R) -> ResponseContext {
        var context = self
        (context.requestType, context.traits) = (nil, nil)
        context.diagnosisDetail.formUnion(request.diagnosisDetail)
        let own = request.writtenDecoder
        let isInherited = own is InheritedCoder
        let decoder = context.diagnosisDetail.applied(to: isInherited ? decoder : own)
        context.decoder = isInherited ? decoder : driftTally?.counting(decoder) ?? decoder
        return context
    }

    /// The same for the request inside a proxy, which reads instead of the proxy.
    func reading(byInner type: any Any.Type) -> ResponseContext {
        var context = self
        context.requestType = type
        return context
    }

    /// Whether a request of the type is the call's own, or replaces it.
    func isOf(_ type: any Any.Type) -> Bool {
        if let requestType { requestType == type } else { false }
    }
}

/// Makes an error that of a call.
typealias ErrorConversion = @Sendable (any Error) -> any Error

// MARK: - Read

extension APIRequest {
    /// Reads the response of a call: checks the status and for a failure before anything is decoded as a success.
    nonisolated(nonsending) func read(
        _ response: HTTPResponse,
        to sent: HTTPRequest,
        _ context: RequestContext,
        by core: ClientCore,
    ) async throws -> Response {
        let tally = core.isObserved ? DriftTally() : nil
        defer { tally.map { context.call.report($0, to: core.observer) } }
        let reading = ResponseContext(of: Self.self, context, by: core, driftTally: tally)
        let isAccepted = accepts(response.status)
        guard !isAccepted || !response.isBodyCut else {
            throw ResponseCause.changedStatus.error(
                "a middleware changed the status after the body was cut to the limit for errors"
            )
        }
        if context.streamsBody, isAccepted { return try await readStream(response, to: sent, context, reading, core) }
        let whole =
            core.isCollected(response)
            ? BufferedResponse(response, reading)
            : BufferedResponse(try await core.collected(response, context), reading)
        if let failure = failure(in: whole, isAccepted: isAccepted, sent, context, core) { throw failure }
        do {
            return try await self.response(from: whole)
        } catch {
            throw settled(error, whole, sent, context)
        }
    }

    /// The service's failure, or the error for a status that isn't accepted; `nil` if the response is read as a
    /// success.
    @inline(never)
    private func failure(
        in whole: BufferedResponse,
        isAccepted: Bool,
        _ sent: HTTPRequest,
        _ context: RequestContext,
        _ core: ClientCore,
    ) -> (any Error)? {
        let failure =
            if isAccepted { whole.isBodyCut ? nil : failure(in: whole) } else { refusal(in: whole) }
        guard failure != nil || !isAccepted else { return nil }
        return settled(failure, in: whole, sent, context, core)
    }

    /// The service's failure in a response whose status isn't accepted.
    @inline(never)
    private func refusal(in whole: BufferedResponse) -> Failure? {
        whole.isBodyCut && !whole.endsLikeJSON ? nil : failure(in: whole.withoutMark)
    }

    @inline(never)
    private func settled(
        _ failure: Failure?,
        in whole: BufferedResponse,
        _ sent: HTTPRequest,
        _ context: RequestContext,
        _ core: ClientCore? = nil,
    ) -> any Error {
        var callContext = CallContext(context, sent, nil)
        if let policy = core?.parts.options.retryPolicy, policy.transientStatuses != nil {
            callContext.transience = .some(policy.transience(of: whole.status))
        }
        if let isPassing = (failure as? any PassingFailure)?.isPassing {
            callContext.transience = .some(isPassing ? .notDone : nil)
        }
        var hints = [UnacceptedStatus.hint(for: whole, to: context.sent ?? sent, context)]
        if failure == nil { hints.append(UnacceptedStatus.hint(for: whole, to: context.sent ?? sent, of: self)) }
        if let own = (failure as? any HintedError)?.hint { hints = [own] }
        let known = hints.compactMap(\.self)
        callContext.hint = known.isEmpty ? nil : known.joined(separator: " ")
        if failure == nil {
            callContext.bodyShape = BodyShape.text(of: whole.body)
        }
        let kept = whole.kept(context: callContext)
        return Settled(error: failure.map { APIError.service($0, kept) } ?? APIError<Failure>.unacceptableStatus(kept))
    }

    nonisolated(nonsending) private func readStream(
        _ response: HTTPResponse,
        to sent: HTTPRequest,
        _ context: RequestContext,
        _ reading: ResponseContext,
        _ core: ClientCore,
    ) async throws -> Response {
        var response = response
        var head = response
        head.body = .empty
        context.call.received(head.beginning())
        let whole = BufferedResponse(head, reading)
        var reading = reading
        reading.converting = { error in
            Call(continuing: context, by: core).error(settled(error, whole, sent, context), of: self, sent)
        }
        if let deadline = context.call.bodyDeadline {
            response.body = response.body.ending(at: deadline, of: context)
        }
        do {
            return try await self.response(streaming: response, context: reading)
        } catch {
            guard let refusal = error as? TransportError else { throw settled(error, whole, sent, context) }
            throw await refused(refusal, response, sent, context, reading)
        }
    }

    /// The error for a response that is another one than the stream that was asked for: the service's failure, if it
    /// is one.
    nonisolated(nonsending) private func refused(
        _ refusal: TransportError,
        _ response: HTTPResponse,
        _ sent: HTTPRequest,
        _ context: RequestContext,
        _ reading: ResponseContext,
    ) async -> any Error {
        let refusal = await refusal.about(response, context)
        guard refusal.reason == .notAnEventStream, let beginning = refusal.response else { return refusal }
        let whole = BufferedResponse(beginning, reading)
        guard !whole.isBodyCut, let failure = failure(in: whole) ?? Failure(response: whole) else { return refusal }
        return settled(failure, in: whole, sent, context)
    }

    /// Converts an error of reading a response to the error of the call, unless it already is one.
    ///
    /// The response has no body if it was a stream, which was already consumed.
    func settled(
        _ error: any Error,
        _ whole: BufferedResponse,
        _ sent: HTTPRequest,
        _ context: RequestContext,
    ) -> any Error {
        if let error = error as? TransportError {
            guard error.reason == .notAnEventStream, let beginning = error.response?.body.bytes else {
                return error.after(whole.head, body: whole.body)
            }
            let document = whole.with(body: beginning)
            let isWhole = error.response?.isBodyCut == false
            let read = document.withoutMark
            if isWhole, let failure = failure(in: read) ?? Failure(response: read) {
                return settled(failure, in: document, sent, context)
            }
            var refusal = error
            refusal.response?.status = whole.status
            refusal.response?.headers = whole.headers
            return refusal
        }
        if error is CancellationError || error is any APIFailure { return error }
        // Of a stream, the event that can't be read is what is known of the body.
        if let error = error as? EventError {
            let part = whole.with(body: Data(error.event.data.utf8))
            let inner = settled(error.error, part, sent, context)
            guard let hint = error.hint, let settled = inner as? Settled<Failure>, settled.error.phase == .decoding
            else {
                return inner
            }
            var callContext = settled.error.context
            callContext.hint = hint
            return Settled(error: settled.error.with(callContext))
        }
        if let error = error as? AdvisedDiagnosis {
            guard let settled = settled(error.diagnosis, whole, sent, context) as? Settled<Failure> else {
                return error
            }
            var callContext = settled.error.context
            // A page is another server's, such as that of a network that wants a sign-in.
            if settled.error.reason != .htmlBody { callContext.hint = error.hint }
            return Settled(error: settled.error.with(callContext))
        }
        // The decoder's own error is inside its diagnosis.
        let cause: any Error = (error as? DecodingDiagnosis)?.error ?? error
        var callContext = CallContext(context, sent, cause)
        // Of a stream, the line that can't be read is what is known of the body.
        let line = (error as? JSONLineError)?.text.map { whole.with(body: $0) }
        let failed = line.map { $0.settled(error, as: Failure.self) } ?? error
        if let failure = failed as? Failure {
            if Definition.streamsBody {
                callContext.hint = "The service reports a failure in its stream, which had begun: see what it says."
            }
            return Settled(error: APIError.service(failure, (line ?? whole).kept(context: callContext)))
        }
        let reading = whole.reading
        let diagnosis =
            switch error {
            case let error as DecodingError:
                DecodingDiagnosis(
                    error,
                    body: Definition.streamsBody ? nil : whole.body,
                    isJSON: reading.decoder.readsJSON,
                    convertingKeys: reading.decoder.convertingKeys,
                    revealingValues: (reading.decoder as? HikyakuJSONDecoder)?.revealsValues
                        ?? reading.diagnosisDetail.contains(.values),
                )
            case let diagnosis as DecodingDiagnosis: diagnosis
            case let error as JSONLineError: error.diagnosis
            default: DecodingDiagnosis(kind: .invalidValue, expected: "a response that \(Self.self) can read")
            }
        guard diagnosis.kind != .outOfMemory else {
            return ResponseCause.memory.error("a body of \(whole.body.count) bytes", underlyingError: cause)
        }
        callContext.hint =
            ValueAdvice.hint(for: diagnosis, whole, of: Self.self)
            ?? RootAdvice.hint(for: diagnosis, whole, of: Self.self)
        let kept = (line ?? whole).kept(context: callContext)
        return Settled(error: APIError<Failure>.decoding(DecodingFailure(diagnosis: diagnosis, response: kept)))
    }
}

extension ClientCore {
    /// Whether a response has its body in memory, and within all limits.
    fileprivate func isCollected(_ response: HTTPResponse) -> Bool {
        guard let count = response.body.bytes?.count else { return false }
        return count <= min(parts.options.bodyBytesMax, parts.options.errorBodyBytesMax)
    }

    /// Buffers a body that is a stream although none was requested, for example one that a middleware created.
    @inline(never)
    nonisolated(nonsending) fileprivate func collected(
        _ response: HTTPResponse,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        let options = parts.options.transportOptions(for: context)
        guard response.body.bytes == nil else { return try await response.collectingBody(within: options) }
        // Its source may ignore the end of the call.
        let race = Race<HTTPResponse>()
        let id = context.call.stop.ends(race)
        defer { context.call.stop.remove(id) }
        return try await context.spending(.body) {
            try await race.run { try await response.collectingBody(within: options) }
        }
    }
}
