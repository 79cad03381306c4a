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
/// An error keeps at most 64 KiB of the body. Printing it shows only the type and length of the body,
/// and the values of harmless headers.
public struct BufferedResponse: Sendable {
    /// The maximum size of a body that an error keeps, in bytes: 64 KiB.
    package static let bodyBytesMax = 64 * 1024

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
        context: CallContext? = nil,
        url: URL? = nil,
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        isBodyCut = false
        reading = ResponseContext(decoder: decoder)
        call = context ?? .unknown
        urlText = url.map { Secret($0.absoluteString) }
    }

    /// Creates a buffered response, and buffers the body if it is a stream.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - context: The settings for reading it.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` for a body larger than the context's limit, and
    ///   the error of the body.
    package init(collecting response: HTTPResponse, context: ResponseContext) async throws {
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
    func kept(context: CallContext) -> BufferedResponse {
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
    public internal(set) var decoder: any ResponseDecoder
    /// The maximum size of a buffered body, in bytes.
    public let bodyBytesMax: Int
    /// The type of the request that reads the response: the call's own, or the request inside a proxy; `nil` outside a
    /// call.
    var requestType: (any Any.Type)?
    /// The traits of the type of the call's request.
    var traits: CallTraits?
    /// Counts the response's drift, if the call has an observer.
    let driftTally: DriftTally?
    /// The details that a decoding failure includes.
    var diagnosisDetail: DiagnosisDetail
    /// The client's clock.
    let clock: any HTTPClock
    /// Makes an error of a stream that of its call; `nil` outside a call, and where the stream's reader does that.
    var converting: ErrorConversion?

    /// Creates a context, for tests of a definition; without a decoder, with the default client's.
    public init(
        decoder: (any ResponseDecoder)? = nil,
        bodyBytesMax: Int = 64 << 20,
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
