#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestBody {
    /// Parts as HTML forms with files send them: `multipart/form-data`, one part after another.
    ///
    /// ```swift
    /// let photo = RequestBody.multipart([.text("title", "飛脚"), .file("photo", path: "/photos/1.jpg")])
    /// ```
    /// Nothing is written to a temporary file: files and streams are pulled while the body is sent. The request has a
    /// length if the length of each part is known. The body can be sent again if each part can be read again.
    ///
    /// [RFC 7578](https://www.rfc-editor.org/rfc/rfc7578), with names escaped as in browsers.
    ///
    /// - Parameters:
    ///   - parts: The parts, in this order; names may repeat.
    ///   - generator: The random generator for the boundary; a test can pass one with fixed values.
    /// - Returns: The body; a part that can't be sent is rejected as ``FailureReason/body`` when the call begins.
    public static func multipart(
        _ parts: [MultipartPart],
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    ) -> RequestBody {
        RequestBody { encoder in
            var generator = generator
            let encoded = try parts.map { try $0.encoded(by: encoder) }
            let boundary = try MultipartBoundary.make(notIn: encoded, using: &generator)
            let body = try MultipartWriter(boundary: boundary).body(of: encoded)
            return (body, "multipart/form-data; boundary=\(boundary)")
        }
    }
}

/// Joins encoded parts with the boundary between them.
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
        return HTTPBody(joining: segments, count: count)
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
            guard !isOverflow, count >= 0 else {
                throw RequestCause.bodyTooLong.error("a part's length is out of range")
            }
            sum = next
        }
        return sum
    }
}

/// The line between parts, which must not occur in any of them.
///
/// [RFC 2046, section 5.1.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1)
private enum MultipartBoundary {
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    /// 190 bits: a part that isn't searched will not contain it by chance.
    private static let randomCount = 32
    private static let attemptsMax = 8
    /// Larger parts, files and streams aren't searched.
    private static let searchedBytesMax = 64 * 1024

    /// A boundary that does not occur in any short part in memory.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/body`` if the generator produces only boundaries that occur in
    ///   the parts.
    static func make(
        notIn parts: [EncodedPart],
        using generator: inout some RandomNumberGenerator,
    ) throws(TransportError) -> String {
        let searched = parts.compactMap(\.body.bytes).filter { $0.count <= searchedBytesMax }
        for _ in 0..<attemptsMax {
            // Only letters, digits and hyphens, so that it needs no quotes, which some servers can't parse. The
            // remainder is used because `randomElement` never returns with a generator that always gives the same
            // value.
            let random = (0..<randomCount).map { _ in characters[Int(generator.next() % UInt64(characters.count))] }
            let boundary = "hikyaku-" + String(random)
            let bytes = Data(boundary.utf8)
            if !searched.contains(where: { $0.holds(bytes) }) { return boundary }
        }
        throw RequestCause.bodyNotEncoded.error(
            "the random generator produced no boundary that is absent from all parts"
        )
    }
}

extension Data {
    /// Whether the bytes occur in this data.
    fileprivate func holds(_ bytes: Data) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return false }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first), endIndex - found >= bytes.count {
            if self[found..<(found + bytes.count)] == bytes { return true }
            start = found + 1
        }
        return false
    }
}
