/// A way to read a response: decoded as a whole, as text, not at all.
///
/// A shape of one's own is a type without values:
/// ```swift
/// enum LineCount: ResponseDefinition {
///     static func read(_ response: BufferedResponse) throws -> Int {
///         response.body.count { $0 == UInt8(ascii: "\n") }
///     }
/// }
/// ```
/// A request names it: `typealias Definition = LineCount`. One that is read from a single value of a document is a
/// ``DecodedPart``, which can stand inside of others.
public protocol ResponseDefinition<Result>: Sendable {
    /// What reading gives; follows from ``read(_:)``.
    associatedtype Result
    /// The media types to ask for by `Accept`; `nil`, the default, asks for what the decoder reads.
    static var acceptedMediaTypes: String? { get }
    /// Whether the body is handed on as a stream instead of being collected first. Default: `false`.
    ///
    /// The request's `failure(in:)` is then asked only about responses whose status isn't accepted, which are
    /// collected.
    static var streamsBody: Bool { get }
    /// Whether a status means success, where the request doesn't say otherwise. Default: 200 to 299.
    static func accepts(_ status: HTTPStatus) -> Bool
    /// Why nothing can be read so, in words; asked for before anything is sent. Default: `nil`, nothing is wrong.
    ///
    /// A request with a problem ends as ``APIError/invalidRequest(_:)`` with ``FailureReason/definition``.
    static var definitionProblem: String? { get }
    /// Adds the models in a result that a ``ModelHub`` is to hear of. Default: those of a result that is
    /// ``HubContent``.
    ///
    /// A shape whose result is a tuple, which can't be, adds those of its parts. Asked for by clients that publish to a
    /// hub, once for each call.
    static func addModels(of result: Result, to batch: HubBatch)

    /// Reads a response whose status was accepted and that holds no failure, from memory.
    ///
    /// - Parameter response: The response, with the decoder to read it by.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; `DecodingError` and ``DecodingDiagnosis`` say where.
    static func read(_ response: BufferedResponse) throws -> Result

    /// Reads a response whose status was accepted from its body's stream: called where ``streamsBody`` says so.
    ///
    /// Gives the same as ``read(_:)`` with the body in memory. Default: collects the body, and reads that.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - context: What the client and the request have to say about reading.
    /// - Returns: What the caller gets.
    /// - Throws: As ``read(_:)``, and what the body throws.
    static func read(streaming response: HTTPResponse, context: ResponseContext) async throws -> Result
}

extension ResponseDefinition {
    /// What the decoder reads.
    public static var acceptedMediaTypes: String? { nil }
    /// The body is collected first.
    public static var streamsBody: Bool { false }
    /// 200 to 299.
    public static func accepts(_ status: HTTPStatus) -> Bool { status.isSuccess }
    /// Nothing is wrong.
    public static var definitionProblem: String? { nil }
    /// Those of a result that is ``HubContent``.
    public static func addModels(of result: Result, to batch: HubBatch) {
        (result as? any HubContent)?.addModels(to: batch)
    }
    /// Collects the body, and reads that.
    public static func read(streaming response: HTTPResponse, context: ResponseContext) async throws -> Result {
        try read(await BufferedResponse(collecting: response, context: context))
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

    /// The same for another request that is used inside of the call's own reading: its own decoder overrides the call's.
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
