/// A result that differs with the response's status: an enum of one's own, with the shape of each case.
///
/// ```swift
/// enum Upload: StatusResult {
///     case stored(File), queued(Job), unchanged
///
///     static let shapes: [StatusShape<Upload>] = [
///         .on(201, SingleResponse<File>.self) { .stored($0) },
///         .on(202, SingleResponse<Job>.self) { .queued($0) },
///         .on(304, EmptyResponse.self) { .unchanged },
///     ]
/// }
/// typealias Definition = StatusResponse<Upload>
/// ```
public protocol StatusResult {
    /// What each status means; the first one that fits is taken.
    static var shapes: [StatusShape<Self>] { get }
}

/// How the responses of some statuses are read.
public struct StatusShape<Result>: Sendable {
    fileprivate let statuses: ClosedRange<HTTPStatus>
    fileprivate let acceptedMediaTypes: String?
    fileprivate let streamsBody: Bool
    fileprivate let definitionProblem: String?
    fileprivate let read: @Sendable (BufferedResponse) throws -> Result
    fileprivate let readStreaming: @Sendable (HTTPResponse, ResponseContext) async throws -> Result

    /// Reads the responses of one status by a shape.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - shape: How the response is read.
    ///   - makeResult: Makes the result of what the shape gives.
    /// - Returns: The row of the table.
    public static func on<Shape: ResponseDefinition & SendableMetatype>(
        _ status: HTTPStatus,
        _ shape: Shape.Type,
        _ makeResult: @escaping @Sendable (Shape.Result) -> Result,
    ) -> StatusShape {
        .on(status...status, shape, makeResult)
    }

    /// Reads the responses of several statuses by a shape: `.on(200...299, …)`.
    ///
    /// - Parameters:
    ///   - statuses: The statuses.
    ///   - shape: How the response is read.
    ///   - makeResult: Makes the result of what the shape gives.
    /// - Returns: The row of the table.
    public static func on<Shape: ResponseDefinition & SendableMetatype>(
        _ statuses: ClosedRange<HTTPStatus>,
        _ shape: Shape.Type,
        _ makeResult: @escaping @Sendable (Shape.Result) -> Result,
    ) -> StatusShape {
        StatusShape(
            statuses: statuses,
            acceptedMediaTypes: shape.acceptedMediaTypes,
            streamsBody: shape.streamsBody,
            definitionProblem: shape.problemInside,
            read: { makeResult(try Shape.read($0)) },
            readStreaming: { makeResult(try await Shape.read(streaming: $0, context: $1)) },
        )
    }
}

/// A shape for each status.
///
/// The statuses that ``StatusResult/shapes`` names are those that mean success; a request's own `accepts(_:)` has the
/// last word on it. Where one of the shapes streams the body, it isn't collected for the others beforehand either.
public enum StatusResponse<Result: StatusResult>: ResponseDefinition {
    /// What the shapes ask for; `nil` where one of them asks for what the decoder reads.
    public static var acceptedMediaTypes: String? {
        var types: [String] = []
        for shape in Result.shapes {
            guard let type = shape.acceptedMediaTypes else { return nil }
            if !types.contains(type) { types.append(type) }
        }
        // What takes anything doesn't say what is wanted.
        let wanted = types.filter { $0 != "*/*" }
        return wanted.isEmpty ? "*/*" : wanted.joined(separator: ", ")
    }

    /// Whether one of the shapes streams.
    public static var streamsBody: Bool { Result.shapes.contains { $0.streamsBody } }

    /// Whether there is a shape for the status.
    public static func accepts(_ status: HTTPStatus) -> Bool { shape(for: status) != nil }

    /// That of the first shape that has one.
    public static var definitionProblem: String? {
        Result.shapes.lazy.compactMap(\.definitionProblem).first
    }

    /// Reads the response by the shape of its status.
    ///
    /// - Throws: What the shape throws, and a ``DecodingDiagnosis`` for a status without one.
    public static func read(_ response: BufferedResponse) throws -> Result {
        try knownShape(for: response.status).read(response)
    }

    /// Reads the response by the shape of its status.
    ///
    /// - Throws: What the shape throws, and a ``DecodingDiagnosis`` for a status without one.
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
