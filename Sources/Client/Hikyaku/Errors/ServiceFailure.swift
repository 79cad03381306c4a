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
/// struct QiitaError: ServiceFailure, Decodable, LocalizedError {
///     let message: String
///     let type: String
///     var errorDescription: String? { message }
/// }
/// ```
/// These texts are for people: they have no control characters and at most 1,000 characters, but they may contain
/// anything that the service knows of its user. So descriptions and logs don't show them, but only its ``logCode``.
public protocol ServiceFailure: Error, _LogCodeSpelling where WrittenLogCode: _FailureLogCode {
    /// Reads the failure from a response; `nil` if the response is not one.
    ///
    /// Called for responses whose status isn't accepted, unless the request implements `failure(in:)` itself.
    init?(response: BufferedResponse)

    /// The service's code of the failure, for descriptions and logs: `insufficient_funds`. Default: `nil`, none.
    ///
    /// Choose a member that names a kind of failure and nothing of a person. It is shown if it has at most 64 bytes of
    /// letters, digits and `._:-/`, and left out otherwise.
    /// ```swift
    /// struct PaymentError: ServiceFailure, Decodable {
    ///     let code: String
    ///     let message: String
    ///     var logCode: String? { code }
    /// }
    /// ```
    var logCode: String? { get }
}

/// The names of ``ServiceFailure``'s own requirements, whatever their types, as in `_RequestSpelling`.
public protocol _LogCodeSpelling: Sendable {
    /// The type of the ``logCode`` that was written.
    associatedtype WrittenLogCode = String?

    /// The code as it was written.
    var logCode: WrittenLogCode { get }
}

/// The type of a failure's ``ServiceFailure/logCode``: a text, Optional or not.
///
/// "Type 'Int' does not conform to protocol '_FailureLogCode'" means: write `var logCode: String? { String(code) }`.
public protocol _FailureLogCode {
    /// The code itself.
    var _failureLogCode: String? { get }
}

extension String: _FailureLogCode {
    /// The text itself.
    public var _failureLogCode: String? { self }
}

extension Optional: _FailureLogCode where Wrapped == String {
    /// The text itself.
    public var _failureLogCode: String? { self }
}

extension _LogCodeSpelling {
    fileprivate var spelledLogCode: WrittenLogCode { logCode }
}

extension ServiceFailure {
    /// None.
    public var logCode: String? {
        WrittenLogCode.self == String?.self ? nil : spelledLogCode._failureLogCode
    }

    /// The code as descriptions and logs show it; `nil` if there is none, or it isn't one.
    var shownCode: String? {
        let code = WrittenLogCode.self == String?.self ? logCode : spelledLogCode._failureLogCode
        guard let code, 1...64 ~= code.utf8.count, code.utf8.allSatisfy(Self.isOfCode) else { return nil }
        return code
    }

    private static func isOfCode(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "._:-/".utf8.contains(byte)
        }
    }
}

extension ServiceFailure where Self: Decodable {
    /// Decodes the body with the request's decoder; `nil` for a body that doesn't match, or has none of the members.
    public init?(response: BufferedResponse) {
        guard let failure = try? response.decode(Self.self), response.hasMember(of: failure) else { return nil }
        self = failure
    }
}

extension BufferedResponse {
    /// Whether something of the body is in a failure that was decoded from it.
    ///
    /// A type whose members are all optional can be decoded from any object: what is the same as of an empty one, was
    /// not found in this one. A type without members says by itself that any object is the failure.
    fileprivate func hasMember(of failure: some ServiceFailure & Decodable) -> Bool {
        guard let empty = try? silentDecoder.decode(type(of: failure), from: Data("{}".utf8)) else { return true }
        guard !(failure is any CustomReflectable), !Mirror(reflecting: failure).children.isEmpty else { return true }
        return String(reflecting: Members(of: failure)) != String(reflecting: Members(of: empty))
    }
}

/// The members of a value, whatever its own description shows.
private struct Members {
    let texts: [String]

    init(of value: Any) {
        texts = Mirror(reflecting: value).children.map { String(reflecting: $0.value) }
    }
}

/// A failure in the standard format `application/problem+json`; the default of every request.
///
/// People see its title and its detail, as the ``APIError/localizedDescription``. Descriptions and logs show the title
/// and the ``type`` alone, which are the same for all problems of a kind: the detail may contain what only the user may
/// see.
///
/// ```swift
/// struct Menu: APIRequest {       // without a Failure, it is ProblemDetails
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

    /// The ``type``, unless it says nothing.
    public var logCode: String? { type == "about:blank" ? nil : type }
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
