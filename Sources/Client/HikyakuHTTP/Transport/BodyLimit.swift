#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPResponse {
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

    /// Whether an error only marks the end of a body that is cut: of a coded body that can't be decoded to its end, or
    /// of an error's body that exceeds another limit.
    private func isEnd(_ error: TransportError, _ limit: inout BodyLimit) -> Bool {
        isBodyCut || (error.reason.phase == .limit && !limit.accepts(status))
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
    private let decide: @Sendable (HTTPStatus) -> Bool
    private var isAccepted: Bool?

    package init(_ options: TransportOptions) {
        acceptedBytesMax = max(options.bodyBytesMax, 0)
        bytesMax = min(acceptedBytesMax, max(options.errorBodyBytesMax, 0))
        decide = options.accepts
    }

    /// Decides how a body of that size is treated.
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
        let isAccepted = decide(status)
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
