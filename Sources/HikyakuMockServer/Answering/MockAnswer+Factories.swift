import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MockAnswer {
    /// Answers without a body.
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> MockAnswer {
        MockAnswer(status: status, headers: headers)
    }

    /// Answers with JSON text; whether it is well formed is the test's business.
    public static func json(_ text: String, status: HTTPStatus = .ok) -> MockAnswer {
        json(Data(text.utf8), status: status)
    }

    /// Answers with bytes that are called `application/json`.
    public static func json(_ bytes: Data, status: HTTPStatus = .ok) -> MockAnswer {
        .bytes(bytes, type: "application/json", status: status)
    }

    /// Answers with a value as `JSONEncoder` writes it, its keys sorted.
    ///
    /// - Parameters:
    ///   - value: What is written.
    ///   - status: What becomes of the request.
    /// - Returns: The answer.
    /// - Throws: `EncodingError` of `JSONEncoder`.
    public static func json(_ value: some Encodable, status: HTTPStatus = .ok) throws -> MockAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return json(try encoder.encode(value), status: status)
    }

    /// Answers with plain text in UTF-8.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> MockAnswer {
        .bytes(text.utf8, type: "text/plain; charset=utf-8", status: status)
    }

    /// Answers with any bytes.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - type: The value of `Content-Type`; `nil` leaves the field out.
    ///   - status: What becomes of the request.
    /// - Returns: The answer.
    public static func bytes(
        _ bytes: some Sequence<UInt8>,
        type: String? = "application/octet-stream",
        status: HTTPStatus = .ok,
    ) -> MockAnswer {
        var answer = MockAnswer(status: status, body: Data(bytes))
        answer.headers[.contentType] = type
        return answer
    }
}
