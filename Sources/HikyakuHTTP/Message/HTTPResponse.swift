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

    /// The response with its body in memory, cut or rejected by the limits of the options.
    ///
    /// A transport that streams can return it if the body has to be collected.
    ///
    /// - Parameter options: The options of the exchange.
    /// - Returns: The response; the rest of a body that is cut is dropped, which closes its source.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` for a body beyond
    ///   ``TransportOptions/bodyBytesMax`` whose status is accepted; errors of the body.
    public func collectingBody(within options: TransportOptions) async throws -> HTTPResponse {
        var limit = BodyLimit(options)
        if let count = body.count {
            let verdict = limit.verdict(on: count, status)
            if verdict == .tooLarge { throw limit.tooLarge(count).after(self, body: body.bytes ?? Data()) }
            if verdict == .fits, body.bytes != nil { return self }
        }
        let listener = body.bytes == nil ? options.listener : nil
        if body.bytes == nil { limit.noteHead(status) }
        listener?.received(beginning())
        var collected = Data()
        var response = self
        do {
            pieces: for try await piece in body {
                if collected.count < TransportError.keptBytesMax {
                    listener?.received(more: piece.prefix(TransportError.keptBytesMax - collected.count))
                }
                switch limit.verdict(on: collected.count + piece.count, status) {
                case .fits: collected.append(piece)
                case .tooLarge: throw limit.tooLarge()
                case .cut:
                    collected.append(piece.prefix(limit.bytesMax - collected.count))
                    response.isBodyCut = true
                    break pieces
                }
            }
        } catch let error as TransportError {
            guard isEnd(error, &limit) else { throw error.after(self, body: collected) }
            response.isBodyCut = true
        }
        response.trailers = trailers
        response.body = HTTPBody(collected)
        return response
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

    /// Whether an error only marks the end of a body that is cut: of a coded body that can't be decoded to its end, or
    /// of an error's body that exceeds another limit.
    private func isEnd(_ error: TransportError, _ limit: inout BodyLimit) -> Bool {
        isBodyCut || (error.reason.phase == .limit && !limit.accepts(status))
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

/// How much of a body is collected; for bodies beyond the limit of an error's body, that depends on the status.
///
/// ``TransportOptions/accepts`` is called once at most, and for no small body that arrives with its header block.
package struct BodyLimit: Sendable {
    /// How a body is treated.
    package enum Verdict: Equatable {
        /// There is room for all of it.
        case fits
        /// It is cut at ``BodyLimit/bytesMax``.
        case cut
        /// Its status is accepted, and it is larger than ``BodyLimit/bytesMax``.
        case tooLarge
    }

    /// The limit in bytes, as far as it is known.
    package private(set) var bytesMax: Int
    private let acceptedBytesMax: Int
    private let ask: @Sendable (HTTPStatus) -> Bool
    private var isAccepted: Bool?

    package init(_ options: TransportOptions) {
        acceptedBytesMax = max(options.bodyBytesMax, 0)
        bytesMax = min(acceptedBytesMax, max(options.errorBodyBytesMax, 0))
        ask = options.accepts
    }

    /// Decides how a body of so many bytes is treated.
    package mutating func verdict(on count: Int, _ status: HTTPStatus) -> Verdict {
        guard count > bytesMax else { return .fits }
        guard accepts(status) else { return .cut }
        bytesMax = acceptedBytesMax
        return count > bytesMax ? .tooLarge : .fits
    }

    /// Notes that the header block has arrived and that the body is waited for, by calling
    /// ``TransportOptions/accepts``.
    package mutating func noteHead(_ status: HTTPStatus) {
        _ = accepts(status)
    }

    package mutating func accepts(_ status: HTTPStatus) -> Bool {
        if let isAccepted { return isAccepted }
        let isAccepted = ask(status)
        self.isAccepted = isAccepted
        return isAccepted
    }

    /// The error of a body that is too large.
    ///
    /// - Parameter count: The body's size in bytes, if it is known.
    /// - Returns: The error.
    package func tooLarge(_ count: Int? = nil) -> TransportError {
        let text = count.map { "the body has \($0) bytes, the limit is \(bytesMax)" }
        return HTTPCause.bodyTooLarge.error(text ?? "the body has more than \(bytesMax) bytes")
    }
}
