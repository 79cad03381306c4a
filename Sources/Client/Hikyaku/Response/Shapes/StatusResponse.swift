/// A result that depends on the status: your own enum, with a definition for each case.
///
/// ```swift
/// enum Upload: StatusResult {
///     case stored(Photo), queued(Order), unchanged
///
///     static let shapes: [StatusShape<Upload>] = [
///         .on(201, SingleResponse<Photo>.self) { .stored($0) },
///         .on(202, SingleResponse<Order>.self) { .queued($0) },
///         .on(304, EmptyResponse.self) { .unchanged },
///     ]
/// }
///
/// struct PutPhoto: Shop.Request {
///     typealias Definition = StatusResponse<Upload>
///     var method: HTTPMethod { .put }
///     var path: RequestPath { "/photos/1" }
/// }
/// ```
public protocol StatusResult: SendableMetatype {
    /// The meaning of each status; the first match is used.
    static var shapes: [StatusShape<Self>] { get }
}

/// How the responses with some statuses are read.
///
/// ```swift
/// enum Reservation: StatusResult {
///     case confirmed(Order), full
///
///     static let shapes: [StatusShape<Reservation>] = [
///         .on(200...299, SingleResponse<Order>.self) { .confirmed($0) },
///         .on(409, EmptyResponse.self) { .full },
///     ]
/// }
/// ```
public struct StatusShape<Result>: Sendable {
    fileprivate let statuses: ClosedRange<HTTPStatus>
    fileprivate let acceptedMediaTypes: String?
    fileprivate let streamsBody: Bool
    fileprivate let problemInside: String?
    fileprivate let read: @Sendable (BufferedResponse) throws -> Result
    fileprivate let readStreaming: @Sendable (HTTPResponse, ResponseContext) async throws -> Result

    /// Reads the responses with one status by a definition.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - shape: The definition.
    ///   - makeResult: Creates the result from that of the definition.
    /// - Returns: The entry for ``StatusResult/shapes``.
    public static func on<Shape: ResponseDefinition & SendableMetatype>(
        _ status: HTTPStatus,
        _ shape: Shape.Type,
        _ makeResult: @escaping @Sendable (Shape.Result) -> Result,
    ) -> StatusShape {
        .on(status...status, shape, makeResult)
    }

    /// Reads the responses with several statuses by a definition: `.on(200...299, …)`.
    ///
    /// - Parameters:
    ///   - statuses: The statuses.
    ///   - shape: The definition.
    ///   - makeResult: Creates the result from that of the definition.
    /// - Returns: The entry for ``StatusResult/shapes``.
    public static func on<Shape: ResponseDefinition & SendableMetatype>(
        _ statuses: ClosedRange<HTTPStatus>,
        _ shape: Shape.Type,
        _ makeResult: @escaping @Sendable (Shape.Result) -> Result,
    ) -> StatusShape {
        StatusShape(
            statuses: statuses,
            acceptedMediaTypes: shape.acceptedMediaTypes,
            streamsBody: shape.streamsBody,
            problemInside: shape.problemInside,
            read: { makeResult(try Shape.read($0)) },
            readStreaming: { makeResult(try await Shape.read(streaming: $0, context: $1)) },
        )
    }
}

/// A definition for each status.
///
/// ```swift
/// enum Reservation: StatusResult {
///     case confirmed(Order), full
///
///     static let shapes: [StatusShape<Reservation>] = [
///         .on(201, SingleResponse<Order>.self) { .confirmed($0) },
///         .on(409, EmptyResponse.self) { .full },
///     ]
/// }
/// struct Reserve: Shop.Request {
///     typealias Definition = StatusResponse<Reservation>
///     var method: HTTPMethod { .post }
///     var path: RequestPath { "/reservations" }
/// }
/// if case .full = try await client.send(Reserve()) { show("There is no free table.") }
/// ```
/// The statuses in ``StatusResult/shapes`` mean success, but a request's own `accepts(_:)` overrides that. If one of
/// the definitions streams the body, it isn't buffered for the others either.
public enum StatusResponse<Result: StatusResult>: ResponseDefinition {
    /// The media types of all definitions; `nil` if one of them requests what the decoder reads.
    public static var acceptedMediaTypes: String? {
        var types: [String] = []
        for shape in Result.shapes {
            guard let type = shape.acceptedMediaTypes else { return nil }
            if !types.contains(type) { types.append(type) }
        }
        // A definition that accepts any type doesn't say which one it needs.
        let specific = types.filter { $0 != "*/*" }
        return specific.isEmpty ? "*/*" : specific.joined(separator: ", ")
    }

    /// Whether one of the definitions streams.
    public static var streamsBody: Bool { Result.shapes.contains { $0.streamsBody } }

    /// Whether there is a definition for the status.
    public static func accepts(_ status: HTTPStatus) -> Bool { shape(for: status) != nil }

    /// The problem of the first definition that has one.
    public static var _definitionProblem: String? {
        Result.shapes.lazy.compactMap(\.problemInside).first
    }

    /// Reads the response by the definition for its status.
    ///
    /// - Throws: The error of the definition, and a ``DecodingDiagnosis`` for a status without one.
    public static func read(_ response: BufferedResponse) throws -> Result {
        try knownShape(for: response.status).read(response)
    }

    /// Reads the response by the definition for its status.
    ///
    /// - Throws: The error of the definition, and a ``DecodingDiagnosis`` for a status without one.
    public static func read(streaming response: HTTPResponse, context: ResponseContext) async throws -> Result {
        try await knownShape(for: response.status).readStreaming(response, context)
    }

    private static func shape(for status: HTTPStatus) -> StatusShape<Result>? {
        Result.shapes.first { $0.statuses.contains(status) }
    }

    private static func knownShape(for status: HTTPStatus) throws -> StatusShape<Result> {
        guard let shape = shape(for: status) else {
            throw DecodingDiagnosis(
                kind: .invalidValue,
                expected: "a status that \(Result.self) has a shape for",
                found: "\(status)",
            )
        }
        return shape
    }
}
