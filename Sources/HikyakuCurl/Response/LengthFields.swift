#if os(Linux)
import Glibc
import HikyakuHTTP

/// What the header block says of where its message ends, noted line by line.
///
/// libcurl reads the same fields more leniently: of two lengths it takes the last, `5, 6` and `5x` are 5 to it, and a
/// blank before the colon hides a field from it. All that it and others could read differently is refused.
///
/// [RFC 9112, section 6](https://www.rfc-editor.org/rfc/rfc9112#section-6)
struct LengthFields: Sendable {
    private enum Name {
        case contentLength, transferEncoding
    }

    private var length: Int?
    private var lengthProblem: ResponseProblem?
    private var codingCount = 0
    private var codingProblem: ResponseProblem?
    /// The field that the next line would continue if it were folded.
    private var open: Name?

    /// Takes a line of the block, with its line break; most aren't looked at beyond their first byte.
    mutating func note(_ line: UnsafeRawBufferPointer) {
        switch line.first.map({ $0 | 0x20 }) {
        case UInt8(ascii: "c"): noteField(.contentLength, "content-length", line)
        case UInt8(ascii: "t"): noteField(.transferEncoding, "transfer-encoding", line)
        case 0x20, 0x29: noteFold(line)
        default: open = nil
        }
    }

    private mutating func noteField(_ name: Name, _ text: StaticString, _ line: UnsafeRawBufferPointer) {
        open = nil
        let count = text.utf8CodeUnitCount
        guard line.count > count, line.hasPrefix(text) else { return }
        var colon = count
        while colon < line.count, line[colon].isBlank { colon += 1 }
        guard colon < line.count, line[colon] == UInt8(ascii: ":") else { return }
        open = name
        guard colon == count else { return refuse(name, "has a blank before its colon") }
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).withoutLineBreak
        switch name {
        case .contentLength: noteLengths(value)
        case .transferEncoding: noteCodings(value)
        }
    }

    /// A folded line whose first byte is a blank; 0x29 is also what `)` becomes, which begins no field.
    private mutating func noteFold(_ line: UnsafeRawBufferPointer) {
        guard let name = open, let first = line.first, first.isBlank else { return }
        refuse(name, "is folded")
    }

    private mutating func refuse(_ name: Name, _ what: String) {
        switch name {
        case .contentLength:
            lengthProblem = lengthProblem ?? ResponseProblem(.malformedContentLength, "Content-Length \(what)")
        case .transferEncoding:
            codingCount += 1
            codingProblem =
                codingProblem ?? ResponseProblem(.unknownTransferCoding, "Transfer-Encoding \(what)")
        }
    }

    /// A list of the same length again and again stands for that length (RFC 9110, section 8.6).
    private mutating func noteLengths(_ value: UnsafeRawBufferPointer) {
        value.forEachElement { element in
            guard let number = element.decimal else { return refuse(.contentLength, "is no number of bytes") }
            guard let length else { return length = number }
            guard length != number else { return }
            lengthProblem =
                lengthProblem
                ?? ResponseProblem(.conflictingContentLength, "Content-Length says both \(length) and \(number)")
        }
    }

    private mutating func noteCodings(_ value: UnsafeRawBufferPointer) {
        value.forEachElement { element in
            guard element.count == 7, element.hasPrefix("chunked") else {
                return refuse(.transferEncoding, "names a coding that wasn't asked for")
            }
            codingCount += 1
        }
        guard codingCount > 1 else { return }
        refuse(.transferEncoding, "names more than one coding")
    }
}

extension LengthFields {
    /// How the message's body ends, where the message may have one.
    ///
    /// - Throws: A problem with a reason of its own for each rule that is broken.
    func bodyLength(isHTTP11: Bool) throws(ResponseProblem) -> BodyLength {
        if codingCount > 0 {
            guard length == nil, lengthProblem == nil else {
                throw ResponseProblem(.ambiguousLength, "there are both Content-Length and Transfer-Encoding")
            }
            if let codingProblem { throw codingProblem }
            guard isHTTP11 else {
                throw ResponseProblem(.unknownTransferCoding, "only HTTP/1.1 has Transfer-Encoding")
            }
            return .chunked
        }
        if let lengthProblem { throw lengthProblem }
        return length.map { .bytes($0) } ?? .untilClose
    }
}

/// Where the body of a message ends.
enum BodyLength: Equatable {
    /// The message has none, whatever its fields say.
    case none
    case bytes(Int)
    case chunked
    /// It ends with the connection, or, in HTTP/2, with the stream.
    case untilClose
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes begin with a text, without regard to case.
    fileprivate func hasPrefix(_ text: StaticString) -> Bool {
        guard let baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return strncasecmp(
            baseAddress.assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self),
            text.utf8CodeUnitCount,
        ) == 0
    }

    fileprivate var withoutLineBreak: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == 0x0A { end -= 1 }
        if end > 0, self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    /// The parts between commas, without blanks around them; there is one at least.
    fileprivate func forEachElement(_ body: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while true {
            let end = firstPosition(of: UInt8(ascii: ","), from: start, to: count) ?? count
            body(trimmed(start, end))
            guard end < count else { return }
            start = end + 1
        }
    }

    /// The number that the bytes are in decimal digits; `nil` for anything else, and for one beyond 64 bits.
    fileprivate var decimal: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for byte in self {
            guard 48...57 ~= byte else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOverflowing) = tens.addingReportingOverflow(Int(byte - 48))
            guard !isTooLarge, !isOverflowing else { return nil }
            number = sum
        }
        return number
    }
}
#endif
