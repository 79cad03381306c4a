import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body with faults at positions, pulled by its reader.
///
/// `@unchecked`: the compiler can't see that only `next` uses the mutable state, and is not called twice at
/// once.
final class FaultBodySource: BodySource, @unchecked Sendable {
    private let exchange: FaultExchange
    private let response: HTTPResponse
    private let faults: [Fault]
    private var iterator: HTTPBody.AsyncIterator
    /// The faults that are still to come, by position; `nil` before the first piece.
    private var marks: [(position: Int, fault: Fault)]?
    /// The bytes that were read and not returned.
    private var rest = Data()
    /// The bytes that were returned.
    private var position = 0

    init(_ response: HTTPResponse, _ faults: [Fault], of exchange: FaultExchange) {
        self.exchange = exchange
        self.response = response
        self.faults = faults
        iterator = response.body.makeAsyncIterator()
    }

    var trailers: HTTPHeaders { response.trailers }

    func next() async throws -> Data? {
        do {
            let piece = try await nextPiece()
            try exchange.check()
            guard let piece else {
                exchange.finish()
                return nil
            }
            exchange.emitReceived(position, expected: response.body.count)
            return piece
        } catch {
            exchange.finish(because: error)
            throw error
        }
    }

    func cancel() { exchange.end(CancellationError()) }

    private func nextPiece() async throws -> Data? {
        while true {
            try exchange.check()
            if rest.isEmpty {
                guard let piece = try await iterator.next() else { return nil }
                rest = piece
                if marks == nil { marks = makeMarks(response.body.count ?? piece.count) }
            }
            guard let mark = marks?.first, mark.position < position + rest.count else { return take(rest.count) }
            if mark.position > position { return take(mark.position - position) }
            marks?.removeFirst()
            try await apply(mark.fault)
        }
    }

    private func take(_ count: Int) -> Data {
        defer {
            rest = Data(rest.dropFirst(count))
            position += count
        }
        return rest.prefix(count)
    }

    /// Applies a fault at the first byte of the rest.
    private func apply(_ fault: Fault) async throws {
        exchange.note(fault)
        switch fault {
        case .truncatedBody:
            throw TransportError(.truncatedResponse, "injected fault: the body ended after \(position) bytes")
        case .corruptBody(_, let bits):
            rest[rest.startIndex] ^= bits
        case .pausedBody(let duration, _):
            try await exchange.pauseBody(for: duration)
        default:
            return
        }
    }

    private func makeMarks(_ count: Int) -> [(position: Int, fault: Fault)] {
        faults.map { fault in
            let fraction = fault.bodyFraction ?? 0
            // A fraction that isn't a number counts as 0.
            let position = fraction > 0 ? Int(Double(count) * min(fraction, 1)) : 0
            return (min(position, count - 1), fault)
        }
        .enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element)
    }
}
