/// What a response is read into, as far as types go: the result alone.
///
/// It stands apart from ``ResponseDefinition`` so that the compiler names a `Response` that isn't `Decodable`.
public protocol ResponseShape<Result>: Sendable {
    /// What reading gives.
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
    /// Adds the models in a result that a ``ModelHub`` is to hear of. Default: those of a result that is ``HubContent``.
    ///
    /// A shape whose result is a tuple, which can't be, adds those of its parts. Asked for by clients that publish to a hub,
    /// once for each call.
    static func addModels(of result: Result, to batch: HubBatch)
}

extension ResponseShape {
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
}

/// A way to read a response: decoded as a whole, as text, not at all.
///
/// A shape of one's own is a type without values:
/// ```swift
/// enum LineCount: ResponseDefinition {
///     static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Int {
///         try await response.body.collect(upTo: context.bodyBytesMax).count { $0 == UInt8(ascii: "\n") }
///     }
/// }
/// ```
/// A request names it: `typealias Definition = LineCount`.
public protocol ResponseDefinition<Result>: ResponseShape {
    /// What reading gives; follows from ``read(_:context:)``.
    associatedtype Result

    /// Reads a response whose status was accepted and that holds no failure.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - context: What the client and the request have to say about reading.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; `DecodingError` and ``DecodingDiagnosis`` say where.
    static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Result
}

/// What a definition may need beside the response.
public struct ResponseContext: Sendable {
    /// The request's decoder, or the client's.
    public private(set) var decoder: any ResponseDecoder
    /// The most that may be collected of a body, in bytes.
    public let bodyBytesMax: Int
    /// Whose response is being read; `nil` outside of a call.
    let requestType: (any Any.Type)?
    /// What is known of that request's type; `nil` for one in a proxy.
    var traits: RequestTraits?
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
        driftTally: DriftTally? = nil,
        diagnosisDetail: DiagnosisDetail = [],
    ) {
        let decoder = diagnosisDetail.asked(of: decoder)
        self.decoder = driftTally?.counting(decoder) ?? decoder
        self.bodyBytesMax = bodyBytesMax
        self.requestType = requestType
        self.driftTally = driftTally
        self.diagnosisDetail = diagnosisDetail
    }

    /// The context for reading the same response as another request does, which a proxy has inside.
    ///
    /// The decoder of the one outside stands.
    func reading<Inner: APIRequest>(_ inner: Inner.Type) -> ResponseContext {
        ResponseContext(
            decoder: decoder,
            bodyBytesMax: bodyBytesMax,
            requestType: inner,
            diagnosisDetail: diagnosisDetail,
        )
    }

    /// The same context, whose decoder tells more of what it can't decode.
    func telling(_ detail: DiagnosisDetail) -> ResponseContext {
        guard !diagnosisDetail.isSuperset(of: detail) else { return self }
        var context = self
        context.diagnosisDetail.formUnion(detail)
        context.decoder = detail.asked(of: decoder)
        return context
    }

    /// The context of the call whose response is being read, for a `response(from:)` that reads in part by a
    /// definition; outside of a call that of a client without settings.
    public static var current: ResponseContext { bound ?? standard }

    @TaskLocal static var bound: ResponseContext?
    private static let standard = ResponseContext()
}
