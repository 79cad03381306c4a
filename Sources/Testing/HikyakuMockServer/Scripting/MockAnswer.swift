public import HikyakuHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The answer of a ``MockServer`` to one request.
///
/// An answer is made by a factory and changed by modifiers:
/// ```swift
/// server.route(.post, "/orders") { _ in
///     .json(#"{"id": 1}"#, status: .created).header("ETag", "\"a\"").delayed(by: .milliseconds(200))
/// }
/// ```
/// The server adds `Content-Length`, or `Transfer-Encoding` for a chunked answer, unless the answer has its own
/// `Content-Length`. If that differs from the body's length, it is sent unchanged, and the connection is closed after
/// the body: this makes a truncated response. Answers to HEAD, and those with status 1xx, 204 and 304, are sent without
/// the body.
///
/// For anything else, use ``raw(_:)``.
public struct MockAnswer: Sendable, Hashable {
    /// The status of the response.
    public var status: HTTPStatus
    /// The header fields, in this order; the fields for the body's framing are added.
    public var headers: HTTPHeaders

    /// The pieces in which the body is sent.
    private(set) var pieces: [Data]
    private(set) var isChunked = false
    /// The time before each piece.
    private(set) var pause = Duration.zero
    private(set) var delay = Duration.zero
    private(set) var closesConnection = false
    private(set) var script: [MockStep]?

    /// Makes an answer of its parts.
    public init(status: HTTPStatus = .ok, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        pieces = [body]
    }

    /// The body; after it is set, it is sent in one piece.
    public var body: Data {
        get { Data(pieces.joined()) }
        set { pieces = [newValue] }
    }

    /// Runs the script, without any check of HTTP's rules.
    ///
    /// A script that ends without ``MockStep/close``, ``MockStep/reset`` or ``MockStep/stall`` leaves the connection
    /// open for the next request.
    public static func raw(_ steps: [MockStep]) -> MockAnswer {
        MockAnswer().with { $0.script = steps }
    }
}

// MARK: - Modifiers

extension MockAnswer {
    /// Appends a header field.
    public func header(_ name: HTTPHeaderName, _ value: String) -> MockAnswer {
        with { $0.headers.append(name, value) }
    }

    /// Waits before the first byte; the wait ends early when the client closes the connection.
    public func delayed(by duration: Duration) -> MockAnswer {
        with { $0.delay = duration }
    }

    /// Sends the body with chunked coding, with one chunk for each piece.
    public func chunked() -> MockAnswer {
        with { $0.isChunked = true }
    }

    /// Sends these pieces as the body with chunked coding, one chunk for each; empty pieces are omitted, since an empty
    /// chunk is the end.
    ///
    /// - Parameters:
    ///   - pieces: The content of the chunks.
    ///   - pause: The time before each chunk.
    /// - Returns: The answer.
    public func chunked(_ pieces: [Data], every pause: Duration = .zero) -> MockAnswer {
        dripping(pieces, every: pause).chunked()
    }

    /// Sends texts as the body with chunked coding, as ``chunked(_:every:)-(Array<Data>,_)`` does.
    public func chunked(_ pieces: [String], every pause: Duration = .zero) -> MockAnswer {
        chunked(pieces.map { Data($0.utf8) }, every: pause)
    }

    /// Sends these pieces as the body, one after the other.
    ///
    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - pause: The time before each piece; the header block is sent at once.
    /// - Returns: The answer.
    public func dripping(_ pieces: [Data], every pause: Duration) -> MockAnswer {
        with {
            $0.pieces = pieces
            $0.pause = pause
        }
    }

    /// Sends texts as the body, one after the other, as ``dripping(_:every:)-(Array<Data>,_)`` does.
    public func dripping(_ pieces: [String], every pause: Duration) -> MockAnswer {
        dripping(pieces.map { Data($0.utf8) }, every: pause)
    }

    /// Sends the body in small pieces, spread evenly over a time.
    ///
    /// - Parameters:
    ///   - pieceBytes: The size of a piece; the last may be smaller.
    ///   - duration: The time from the header block, which is sent at once, to the last piece.
    /// - Returns: The answer.
    public func dripping(pieceBytes: Int = 1, over duration: Duration) -> MockAnswer {
        let size = max(1, pieceBytes)
        let whole = body
        let pieces = stride(from: 0, to: whole.count, by: size).map { start in
            Data(whole.dropFirst(start).prefix(size))
        }
        return dripping(pieces, every: pieces.isEmpty ? .zero : duration / pieces.count)
    }

    /// Sends `Connection: close`, and closes the connection after the answer.
    public func closingConnection() -> MockAnswer {
        with { $0.closesConnection = true }
    }

    private func with(_ change: (inout MockAnswer) -> Void) -> MockAnswer {
        var copy = self
        change(&copy)
        return copy
    }
}

extension MockAnswer {
    /// Answers without a body.
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> MockAnswer {
        MockAnswer(status: status, headers: headers)
    }

    /// Answers with JSON text, which isn't checked.
    public static func json(_ text: String, status: HTTPStatus = .ok) -> MockAnswer {
        json(Data(text.utf8), status: status)
    }

    /// Answers with bytes of the type `application/json`.
    public static func json(_ bytes: Data, status: HTTPStatus = .ok) -> MockAnswer {
        .bytes(bytes, type: "application/json", status: status)
    }

    /// Answers with a value that `JSONEncoder` encodes with sorted keys.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status of the response.
    /// - Returns: The answer.
    /// - Throws: `EncodingError` of `JSONEncoder`.
    public static func json(_ value: some Encodable, status: HTTPStatus = .ok) throws -> MockAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return json(try encoder.encode(value), status: status)
    }

    /// Answers with text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - type: The value of `Content-Type`.
    ///   - status: The status of the response.
    /// - Returns: The answer.
    public static func text(
        _ text: String,
        type: String = "text/plain; charset=utf-8",
        status: HTTPStatus = .ok,
    ) -> MockAnswer {
        .bytes(text.utf8, type: type, status: status)
    }

    /// Answers with any bytes.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - type: The value of `Content-Type`; `nil` leaves the field out.
    ///   - status: The status of the response.
    /// - Returns: The answer.
    public static func bytes(
        _ bytes: some Sequence<UInt8>,
        type: String? = "application/octet-stream",
        status: HTTPStatus = .ok,
    ) -> MockAnswer {
        MockAnswer(status: status, body: Data(bytes)).with { $0.headers[.contentType] = type }
    }
}
