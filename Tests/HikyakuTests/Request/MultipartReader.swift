import Foundation
import Testing

/// Reads a multipart body by the rules of RFC 2046, written apart from what it tests.
struct MultipartReader {
    struct Part: Equatable {
        var headers: [String]
        var content: Data

        var text: String { String(decoding: content, as: UTF8.self) }
    }

    let parts: [Part]

    init(_ body: Data, contentType: String) throws {
        let boundary = try #require(contentType.split(separator: "boundary=").last)
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The first delimiter has no line before it.
        var rest = Data("\r\n".utf8) + body
        var parts: [Part] = []
        let first = try #require(rest.range(of: delimiter))
        try #require(first.lowerBound == rest.startIndex)
        rest = Data(rest[first.upperBound...])
        while rest.starts(with: Data("\r\n".utf8)) {
            let end = try #require(rest.range(of: delimiter))
            let part = Data(rest[..<end.lowerBound].dropFirst(2))
            let headEnd = try #require(part.range(of: Data("\r\n\r\n".utf8)))
            let head = String(decoding: part[..<headEnd.lowerBound], as: UTF8.self)
            parts.append(
                Part(headers: head.components(separatedBy: "\r\n"), content: Data(part[headEnd.upperBound...]))
            )
            rest = Data(rest[end.upperBound...])
        }
        try #require(rest == Data("--\r\n".utf8))
        self.parts = parts
    }
}

/// Gives the same numbers each time.
struct FixedGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64 = 0
    private let step: UInt64

    init(step: UInt64 = 0x9E37_79B9_7F4A_7C15) {
        self.step = step
    }

    mutating func next() -> UInt64 {
        state &+= step
        return state
    }
}
