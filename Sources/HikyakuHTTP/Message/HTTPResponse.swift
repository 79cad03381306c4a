#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One HTTP response as a value: what a transport brings back, whatever its status.
///
/// [RFC 9110, section 3.9](https://www.rfc-editor.org/rfc/rfc9110#section-3.9)
public struct HTTPResponse: Sendable {
    /// What became of the request.
    public var status: HTTPStatus
    /// The fields in the order in which they came.
    public var headers: HTTPHeaders
    /// The content.
    public var body: HTTPBody
    /// Whether the body is only the beginning of what the server has: see ``TransportOptions/errorBodyBytesMax``.
    public var isBodyCut = false
    /// The fields that came after the body (RFC 9110, section 6.5), where the transport keeps them; those of a streamed
    /// body once it was read to its end.
    ///
    /// They are apart from ``headers``, since a sender may mean something else by them. Nothing in a trailer changes
    /// how the response was read.
    public var trailers: HTTPHeaders {
        get { ownTrailers.isEmpty ? body.trailers : ownTrailers }
        set { ownTrailers = newValue }
    }
    private var ownTrailers: HTTPHeaders = [:]
    /// Whether the framing said where the content ends, rather than the connection's end; `nil` where the transport
    /// doesn't know, so that the fields have to say it.
    package var isEndStated: Bool?
    /// Which attempt of its call has brought it, counted from 1; 0 where that isn't known.
    package var attempt = 0

    /// Makes a response, for transports, middleware and tests.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The response with its body in memory, cut or refused as the options say: what a transport that streams returns
    /// where the body is to be collected.
    ///
    /// - Parameter options: What holds for the attempt.
    /// - Returns: The response; what isn't read of a body that is cut is dropped, which closes what it comes from.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` for a body beyond
    ///   ``TransportOptions/bodyBytesMax`` whose status is accepted; what the body throws.
    public func collectingBody(within options: TransportOptions) async throws -> HTTPResponse {
        var limit = BodyLimit(options)
        if let count = body.count {
            let verdict = limit.verdict(on: count, status)
            if verdict == .tooLarge { throw limit.tooLarge(count) }
            if verdict == .fits, body.bytes != nil { return self }
        }
        var collected = Data()
        var response = self
        do {
            pieces: for try await piece in body {
                switch limit.verdict(on: collected.count + piece.count, status) {
                case .fits: collected.append(piece)
                case .tooLarge: throw limit.tooLarge()
                case .cut:
                    collected.append(piece.prefix(limit.bytesMax - collected.count))
                    response.isBodyCut = true
                    break pieces
                }
            }
        } catch let error as TransportError where isEnd(error, &limit) {
            response.isBodyCut = true
        }
        response.trailers = trailers
        response.body = HTTPBody(collected)
        return response
    }

    /// Whether an error is no more than the end of a body that is cut: of a coded one that can't be undone to its end,
    /// or of an error's that reached another bound.
    private func isEnd(_ error: TransportError, _ limit: inout BodyLimit) -> Bool {
        isBodyCut || (error.reason.phase == .limit && !limit.accepts(status))
    }
}

extension HTTPResponse {
    /// Makes a response with a JSON document, for stubs, scripts and tests.
    ///
    /// - Parameters:
    ///   - document: The body.
    ///   - status: What became of the request.
    ///   - headers: Fields beside `Content-Type: application/json`, and above it.
    /// - Returns: The response.
    public static func json(_ document: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> HTTPResponse {
        let all: HTTPHeaders = [.contentType: "application/json"]
        return HTTPResponse(status: status, headers: all.replacing(with: headers), body: HTTPBody(document))
    }
}

/// How much of a body is collected, which hangs on the status once there is more than an error's body may have.
///
/// ``TransportOptions/accepts`` is called once at most, and for no small body.
package struct BodyLimit: Sendable {
    /// What becomes of a body.
    package enum Verdict: Equatable {
        /// There is room for all of it.
        case fits
        /// It is cut at ``BodyLimit/bytesMax``.
        case cut
        /// Its status is accepted, and it is larger than ``BodyLimit/bytesMax``.
        case tooLarge
    }

    /// The most that is collected, as far as is known yet.
    package private(set) var bytesMax: Int
    private let acceptedBytesMax: Int
    private let ask: @Sendable (HTTPStatus) -> Bool
    private var isAccepted: Bool?

    package init(_ options: TransportOptions) {
        acceptedBytesMax = max(options.bodyBytesMax, 0)
        bytesMax = min(acceptedBytesMax, max(options.errorBodyBytesMax, 0))
        ask = options.accepts
    }

    /// Says what becomes of a body of so many bytes.
    package mutating func verdict(on count: Int, _ status: HTTPStatus) -> Verdict {
        guard count > bytesMax else { return .fits }
        guard accepts(status) else { return .cut }
        bytesMax = acceptedBytesMax
        return count > bytesMax ? .tooLarge : .fits
    }

    package mutating func accepts(_ status: HTTPStatus) -> Bool {
        if let isAccepted { return isAccepted }
        let isAccepted = ask(status)
        self.isAccepted = isAccepted
        return isAccepted
    }

    /// The error of a body that is too large.
    ///
    /// - Parameter count: The body's size in bytes, where it is known.
    /// - Returns: The error.
    package func tooLarge(_ count: Int? = nil) -> TransportError {
        let text = count.map { "the body has \($0) bytes, the limit is \(bytesMax)" }
        return TransportError(.bodyTooLarge, text ?? "the body has more than \(bytesMax) bytes")
    }
}
