#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts encoded parts behind each other with the boundary between them.
struct MultipartWriter {
    /// A body in memory up to this size is joined, since that is cheapest to send.
    private static let joinedBytesMax = 1024 * 1024

    let boundary: String

    /// The whole body.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/body`` when the length can't be counted.
    func body(of parts: [EncodedPart]) throws(TransportError) -> HTTPBody {
        let segments = segments(of: parts)
        let isInMemory = segments.allSatisfy { $0.bytes != nil }
        let count = try Self.count(of: segments)
        if isInMemory, let count, count <= Self.joinedBytesMax {
            return HTTPBody(segments.reduce(into: Data(capacity: count)) { $0.append($1.bytes ?? Data()) })
        }
        return HTTPBody(
            JoinedBodies(bodies: segments),
            count: count,
            isReplayable: segments.allSatisfy(\.isReplayable),
        )
    }

    private func segments(of parts: [EncodedPart]) -> [HTTPBody] {
        var segments: [HTTPBody] = []
        var lineEnd = ""
        for part in parts {
            segments.append(HTTPBody("\(lineEnd)--\(boundary)\r\n\(part.head)\r\n\r\n"))
            segments.append(part.body)
            lineEnd = "\r\n"
        }
        segments.append(HTTPBody("\(lineEnd)--\(boundary)--\r\n"))
        return segments
    }

    /// The sum of the lengths; `nil` where one isn't known.
    private static func count(of segments: [HTTPBody]) throws(TransportError) -> Int? {
        var sum = 0
        for segment in segments {
            guard let count = segment.count else { return nil }
            let (next, isOverflow) = sum.addingReportingOverflow(count)
            guard !isOverflow, count >= 0 else { throw TransportError(.body, "a part's length is out of all bounds") }
            sum = next
        }
        return sum
    }
}

/// Bodies that are read one after the other, each only when its turn comes.
private struct JoinedBodies: AsyncSequence, Sendable {
    let bodies: [HTTPBody]

    struct AsyncIterator: AsyncIteratorProtocol {
        private var rest: ArraySlice<HTTPBody>
        private var current: HTTPBody.AsyncIterator?

        init(_ bodies: [HTTPBody]) {
            rest = bodies[...]
        }

        mutating func next() async throws -> Data? {
            while true {
                if let piece = try await current?.next() { return piece }
                guard let body = rest.popFirst() else {
                    current = nil
                    return nil
                }
                current = body.makeAsyncIterator()
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bodies) }
}
