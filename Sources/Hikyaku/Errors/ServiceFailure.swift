/// The error that a service answers with, as a type of its own.
///
/// A `Decodable` one is read from the body and has nothing to write:
/// ```swift
/// struct QiitaError: ServiceFailure, Decodable {
///     let message: String
///     let type: String
/// }
/// ```
public protocol ServiceFailure: Error, Sendable {
    /// Reads the failure from a response; `nil` where it is none.
    ///
    /// Called for responses whose status isn't accepted, unless the request writes its own `failure(in:)`.
    init?(response: BufferedResponse)
}

extension ServiceFailure where Self: Decodable {
    /// Decodes the body by the request's decoder; a body that doesn't fit gives `nil`.
    public init?(response: BufferedResponse) {
        guard let failure = try? response.decode(Self.self) else { return nil }
        self = failure
    }
}

/// A failure in the form that the standard has for it, `application/problem+json`; the default of every request.
///
/// [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
public struct ProblemDetails: ServiceFailure, Decodable, Hashable {
    /// A URI reference that names the kind of problem; `about:blank` where none is given (section 3.1.1).
    public let type: String
    /// The status as the service repeats it (section 3.1.2).
    public let status: Int?
    /// What kind of problem it is, for people (section 3.1.3).
    public let title: String?
    /// What is the matter this time, for people (section 3.1.4).
    public let detail: String?
    /// A URI reference that names this occurrence (section 3.1.5).
    public let instance: String?

    /// Reads a body whose `Content-Type` is `application/problem+json`; anything else gives `nil`.
    public init?(response: BufferedResponse) {
        guard response.headers.mediaType?.essence == "application/problem+json" else { return nil }
        // In JSON whatever else the request's decoder reads.
        guard let problem = try? WebJSON.decoder.decode(Self.self, from: response.body) else { return nil }
        self = problem
    }

    /// Reads the members; one of another type than the standard's is passed over (section 3.1).
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
