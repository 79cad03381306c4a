#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response whose body is in memory: what a model or a failure is read from, and what an error keeps.
///
/// An error keeps at most ``bodyBytesMax`` bytes of the body. Printing shows type and length of the body and the values
/// of harmless headers alone.
public struct BufferedResponse: Sendable {
    /// The most of a body that an error keeps, in bytes: 64 KiB.
    public static let bodyBytesMax = 64 * 1024

    /// The response's status.
    public let status: HTTPStatus
    /// The response's fields.
    public let headers: HTTPHeaders
    /// The body; in an error perhaps only its beginning.
    public let body: Data
    /// Whether the body was longer than what is here.
    public let isBodyCut: Bool
    /// What the client and the request have to say about reading.
    let reading: ResponseContext
    private let call: CallContext?

    /// Which call it was; empty outside of errors.
    public var context: CallContext { call ?? .unknown }

    /// The request's decoder, or the client's.
    public var decoder: any ResponseDecoder { reading.decoder }

    /// Makes a response, for tests: of a definition, of a failure's initializer, and of what handles errors.
    public init(
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        body: Data = Data(),
        decoder: (any ResponseDecoder)? = nil,
        context: CallContext = CallContext(),
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        isBodyCut = false
        reading = ResponseContext(decoder: decoder)
        call = context
    }

    /// Takes over a response, whose body is collected where it is a stream.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - context: With what it is to be read.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` for a body beyond the context's limit; what the
    ///   body throws.
    public init(collecting response: HTTPResponse, context: ResponseContext) async throws {
        var collected = response
        collected.body = HTTPBody(try await response.body.collect(upTo: context.bodyBytesMax))
        self.init(collected, context)
    }

    /// Takes over a response whose body is in memory; a stream, whose bytes are gone, leaves an empty one.
    init(_ response: HTTPResponse, _ reading: ResponseContext) {
        status = response.status
        headers = response.headers
        body = response.body.bytes ?? Data()
        isBodyCut = response.isBodyCut
        self.reading = reading
        call = nil
    }

    private init(
        _ other: BufferedResponse,
        _ body: Data,
        isBodyCut: Bool,
        _ reading: ResponseContext,
        _ call: CallContext?,
    ) {
        status = other.status
        headers = other.headers
        self.body = body
        self.isBodyCut = isBodyCut
        self.reading = reading
        self.call = call
    }

    /// Decodes the body by the request's decoder.
    ///
    /// - Throws: What the decoder throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try reading.decoder.decode(type, from: body)
    }

    /// The body as text, if it is UTF-8; it may hold secrets.
    public var text: String? { String(bytes: body, encoding: .utf8) }

    /// The same with no more of the body than an error keeps.
    func kept(context: CallContext) -> BufferedResponse {
        let isLonger = body.count > Self.bodyBytesMax
        // Copied when cut, since a slice would keep the whole.
        let beginning = isLonger ? Data(Array(body.prefix(Self.bodyBytesMax))) : body
        return BufferedResponse(self, beginning, isBodyCut: isBodyCut || isLonger, reading, context)
    }

    /// The same, to be read in another context.
    func with(_ reading: ResponseContext) -> BufferedResponse {
        BufferedResponse(self, body, isBodyCut: isBodyCut, reading, call)
    }
}

extension BufferedResponse: CustomStringConvertible, CustomReflectable {
    /// `404 Not Found, application/json, 54 bytes`.
    public var description: String {
        "\(status), \(Redaction.text(of: HTTPBody(body), headers: headers))\(isBodyCut ? " of a longer body" : "")"
    }

    /// What ``description`` shows, with the headers as they are shown, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["response": description, "headers": headers, "context": context])
    }
}

/// What a definition may need beside a response that is a stream.
public struct ResponseContext: Sendable {
    /// The request's decoder, or the client's.
    public private(set) var decoder: any ResponseDecoder
    /// The most that may be collected of a body, in bytes.
    public let bodyBytesMax: Int
    /// The type of the request that reads the response: the call's own, or the one in it where that is a proxy; `nil`
    /// outside of a call.
    private(set) var requestType: (any Any.Type)?
    /// What is known of the type of the call's request.
    private(set) var traits: RequestTraits?
    /// What counts the response's drift, if anybody observes the call.
    let driftTally: DriftTally?
    /// What is told of a response that can't be decoded.
    private(set) var diagnosisDetail: DiagnosisDetail

    /// Makes a context, for tests of a definition; without a decoder, with that of a client without settings.
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
        traits: RequestTraits? = nil,
        driftTally: DriftTally? = nil,
        diagnosisDetail: DiagnosisDetail = [],
    ) {
        if diagnosisDetail.isEmpty, driftTally == nil {
            self.decoder = decoder
        } else {
            let decoder = diagnosisDetail.asked(of: decoder)
            self.decoder = driftTally?.counting(decoder) ?? decoder
        }
        self.bodyBytesMax = bodyBytesMax
        self.requestType = requestType
        self.traits = traits
        self.driftTally = driftTally
        self.diagnosisDetail = diagnosisDetail
    }

    /// The same for another request that is used inside of the call's own reading: its own decoder overrides the
    /// call's.
    func reading<R: APIRequest>(by request: R) -> ResponseContext {
        var context = self
        (context.requestType, context.traits) = (nil, nil)
        context.diagnosisDetail.formUnion(request.diagnosisDetail)
        let own = request.writtenDecoder
        let isInherited = own is InheritedDecoder
        let decoder = context.diagnosisDetail.asked(of: isInherited ? decoder : own)
        context.decoder = isInherited ? decoder : driftTally?.counting(decoder) ?? decoder
        return context
    }

    /// The same for the request that a proxy has inside, which reads in the proxy's place.
    func reading(byInner type: any Any.Type) -> ResponseContext {
        var context = self
        context.requestType = type
        return context
    }

    /// Whether a request of the type is the call's own, or stands in its place.
    func isOf(_ type: any Any.Type) -> Bool {
        if let requestType { requestType == type } else { false }
    }
}
