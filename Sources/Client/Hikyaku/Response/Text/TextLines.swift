#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPBody {
    /// The lines of a text in UTF-8, one by one as they arrive; they can be read once.
    ///
    /// ```swift
    /// struct Log: Shop.Request {
    ///     typealias Definition = StreamedResponse
    ///     var path: RequestPath { "/log" }
    /// }
    /// for try await line in try await client.send(Log()).lines { show(line) }
    /// ```
    /// A line ends with LF or CR LF; the last one may lack that. Empty lines are lines. A byte order mark is left out.
    /// A line has at most 1 MiB: a longer one is ``FailureReason/bodyTooLarge``, and bytes that are not UTF-8 are
    /// ``FailureReason/wrongCharset``. Either ends the sequence. The errors are those of the body: of a stream that a
    /// call has returned, they are the `APIError` of the call.
    public var lines: AsyncThrowingStream<String, any Error> {
        let lines = TextLines(self)
        return AsyncThrowingStream { try await lines.next() }
    }
}

/// Reads the lines of a body, for one reader at a time.
private actor TextLines {
    /// The largest number of bytes in a line.
    private static let lineBytesMax = 1 << 20

    private let body: HTTPBody
    private let pieces: ReadBody
    private var piece = Data()
    private var beginning = Data()
    private var number = 1
    private var isOver = false
    private var isReading = false
    /// The error of a last line that isn't text, made before a stream that has ended lets go of its call.
    private let lastProblem: any Error

    init(_ body: HTTPBody) {
        (self.body, pieces) = (body, ReadBody(body))
        lastProblem = body.converted(Self.problem("its last line"))
    }

    private static func problem(_ place: String) -> DecodingDiagnosis {
        let found = "bytes that are not valid in it, in \(place)"
        return DecodingDiagnosis(kind: .wrongCharset, expected: "text in utf-8", found: found)
    }

    /// The next line without its end; a piece of the body is read when no complete line is left.
    func next() async throws -> String? {
        while !isOver {
            if let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
                let rest = piece[piece.index(after: end)...]
                defer { piece = rest }
                return try line(beginning + piece[..<end])
            }
            guard beginning.count + piece.count <= Self.lineBytesMax else { throw tooLong() }
            beginning.append(piece)
            // The body has one reader, and another task may come while this one waits.
            guard !isReading else {
                throw body.converted(HTTPCause.bodyConsumed.error("the lines of a body were read by two tasks at once"))
            }
            isReading = true
            defer { isReading = false }
            guard let next = try await pieces.next() else {
                isOver = true
                return beginning.isEmpty ? nil : try line(beginning)
            }
            piece = next
        }
        return nil
    }

    private func line(_ bytes: Data) throws -> String {
        guard bytes.count <= Self.lineBytesMax else { throw tooLong() }
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard let line = String(bytes: bytes, encoding: .utf8) else {
            guard !isOver else { throw lastProblem }
            isOver = true
            throw body.converted(Self.problem("line \(number)"))
        }
        beginning = Data()
        number += 1
        return line
    }

    private func tooLong() -> any Error {
        isOver = true
        let text = "line \(number) has more than \(Self.lineBytesMax) bytes"
        return body.converted(ResponseCause.bodyTooLarge.error(text))
    }
}
