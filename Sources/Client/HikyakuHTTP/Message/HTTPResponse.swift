#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One HTTP response as a value: what a transport returns, whatever its status.
///
/// ```swift
/// let transport = MockTransport { request in
///     guard request.method == .get else { return HTTPResponse(status: 405, headers: ["Allow": "GET"]) }
///     return .json(#"[{"id": 1, "name": "Ramen"}]"#)
/// }
/// ```
/// [RFC 9110, section 3.9](https://www.rfc-editor.org/rfc/rfc9110#section-3.9)
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The fields in the order in which they came.
    public var headers: HTTPHeaders
    /// The content.
    public var body: HTTPBody
    /// Whether the body is only the beginning of the server's body: see ``TransportOptions/errorBodyBytesMax``.
    public var isBodyCut = false
    /// The fields that came after the body (RFC 9110, section 6.5), if the transport keeps them; those of a streamed
    /// body once it was read to its end.
    ///
    /// They are separate from ``headers``, since they may have another meaning there. A trailer never changes how the
    /// response is read.
    public var trailers: HTTPHeaders {
        get { ownTrailers.isEmpty ? body.trailers : ownTrailers }
        set { ownTrailers = newValue }
    }
    private var ownTrailers: HTTPHeaders = [:]
    /// Whether the framing defines the end of the content, rather than the connection's end; `nil` if the transport
    /// doesn't know, so that the fields decide.
    package var isEndStated: Bool?
    /// Whether the body had a content coding, which was decoded.
    package var isDecoded = false
    /// The number of the call's attempt that returned it, counted from 1; 0 if it is unknown.
    package var attempt = 0
    /// The URL of the last request, without a credential.
    package var requestURLText: Secret<String>?

    /// The URL of the request that the response is for, after all redirects; `nil` unless a client has sent it.
    ///
    /// A credential that the client has put into the query is left out. The query may contain other secrets.
    public var url: URL? { requestURLText.flatMap { URL(string: $0.reveal(), encodingInvalidCharacters: false) } }

    /// Makes a response, for transports, middleware and tests.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The response with the beginning of its body in memory, as far as that comes.
    package nonisolated(nonsending) func beginning(upTo bytesMax: Int) async -> HTTPResponse {
        var response = self
        var collected = Data()
        response.isBodyCut = true
        do {
            pieces: for try await piece in body {
                collected += piece.prefix(bytesMax - collected.count)
                if collected.count == bytesMax { break pieces }
            }
            response.isBodyCut = isBodyCut || collected.count == bytesMax
        } catch {
            // What came before is kept.
        }
        response.body = HTTPBody(collected)
        return response
    }

    /// The response with what came of its body, as an error keeps it.
    ///
    /// - Parameter body: What came; by default what is in memory.
    /// - Returns: The response, with a body that is marked as cut.
    package func beginning(with body: Data? = nil) -> HTTPResponse {
        let body = body ?? self.body.bytes ?? Data()
        var kept = self
        kept.isBodyCut = true
        let bytesMax = TransportError.keptBytesMax
        // Copied, since a slice would keep all of it.
        kept.body = HTTPBody(body.count > bytesMax ? Data(Array(body.prefix(bytesMax))) : body)
        return kept
    }
}

extension HTTPResponse {
    /// Makes a response with a JSON document, for stubs, scripts and tests.
    ///
    /// - Parameters:
    ///   - document: The body.
    ///   - status: The status.
    ///   - headers: Further fields, which may replace `Content-Type: application/json`.
    /// - Returns: The response.
    public static func json(_ document: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> HTTPResponse {
        let all: HTTPHeaders = [.contentType: "application/json"]
        return HTTPResponse(status: status, headers: all.replacing(with: headers), body: HTTPBody(document))
    }
}

extension TransportError {
    /// The size of a body's beginning that an error keeps, in bytes.
    package static let keptBytesMax = 64 * 1024

    /// The same error after a response, unless it knows one already.
    package func after(_ response: HTTPResponse, body: Data? = nil) -> TransportError {
        guard self.response == nil else { return self }
        var error = self
        error.response = response.beginning(with: body)
        return error
    }
}
