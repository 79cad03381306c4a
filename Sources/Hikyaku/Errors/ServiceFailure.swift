#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type for the errors in a service's responses.
///
/// A `Decodable` one is read from the body and needs no code. A `LocalizedError` speaks for itself: its texts are the
/// ``APIError/localizedDescription``, the `recoverySuggestion` and the `failureReason` of the call's error.
/// ```swift
/// nonisolated struct QiitaError: ServiceFailure, Decodable, LocalizedError {
///     let message: String
///     let type: String
///     var errorDescription: String? { message }
/// }
/// ```
/// These texts are for people: they have no control characters and at most 1,000 characters, but they may contain
/// anything that the service knows of its user. So descriptions and logs don't show them.
public protocol ServiceFailure: Error, Sendable {
    /// Reads the failure from a response; `nil` if the response is not one.
    ///
    /// Called for responses whose status isn't accepted, unless the request implements `failure(in:)` itself.
    init?(response: BufferedResponse)
}

extension ServiceFailure where Self: Decodable {
    /// Decodes the body with the request's decoder; a body that doesn't match gives `nil`.
    public init?(response: BufferedResponse) {
        guard let failure = try? response.decode(Self.self) else { return nil }
        self = failure
    }
}

/// A failure in the standard format `application/problem+json`; the default of every request.
///
/// People see its title and its detail, as the ``APIError/localizedDescription``. Descriptions and logs show the title
/// alone, which is the same for all problems of a kind: the detail may contain what only the user may see.
///
/// ```swift
/// nonisolated struct Menu: APIRequest {       // without a Failure, it is ProblemDetails
///     typealias Response = [Dish]
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/dishes" }
/// }
/// do {
///     show(try await client.send(Menu()))
/// } catch .service(let problem, _) {
///     show(problem.title, problem.detail)
/// }
/// ```
/// [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
public struct ProblemDetails: ServiceFailure, Decodable, Hashable {
    /// A URI reference that identifies the kind of problem; `about:blank` if none is given (section 3.1.1).
    public let type: String
    /// The status as repeated in the body (section 3.1.2).
    public let status: Int?
    /// The kind of problem, for people (section 3.1.3).
    public let title: String?
    /// This occurrence of the problem, for people (section 3.1.4).
    public let detail: String?
    /// A URI reference that identifies this occurrence (section 3.1.5).
    public let instance: String?

    /// Reads a body whose `Content-Type` is `application/problem+json`; anything else gives `nil`.
    public init?(response: BufferedResponse) {
        guard response.headers.mediaType?.essence == "application/problem+json" else { return nil }
        // In JSON whatever else the request's decoder reads.
        guard let problem = try? WebJSON.decoder.decode(Self.self, from: response.body) else { return nil }
        self = problem
    }

    /// Reads the members; a member of another type than the standard's is ignored (section 3.1).
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = (try? container.decode(String.self, forKey: .type)) ?? "about:blank"
        status = try? container.decode(Int.self, forKey: .status)
        title = try? container.decode(String.self, forKey: .title)
        detail = try? container.decode(String.self, forKey: .detail)
        instance = try? container.decode(String.self, forKey: .instance)
    }

    private enum CodingKeys: String, CodingKey {
        case type, status, title, detail, instance
    }
}

extension ProblemDetails: LocalizedError {
    /// The title and the detail, in one line; `nil` if there is neither.
    public var errorDescription: String? {
        let parts = [title, detail].compactMap { $0.map { Redaction.readable($0) } }.filter { !$0.isEmpty }
        guard parts.count == 2, parts[0] != parts[1] else { return parts.first }
        let isSentence = parts[0].unicodeScalars.last.map { ".!?。！？".unicodeScalars.contains($0) } ?? false
        return parts[0] + (isSentence ? " " : ": ") + parts[1]
    }

    /// The title as logs show it; `nil` if there is none.
    var shownTitle: String? {
        guard let title, !title.isEmpty else { return nil }
        return Redaction.printable(title, scalarsMax: 200)
    }
}
