#if os(Linux)
import Glibc
import HikyakuBase
import HikyakuHTTP

/// The fields that define where a message ends and whether its connection is kept, noted line by line.
///
/// Ambiguous fields are rejected, since two readers could see different ends: two lengths, `5, 6`, `5x`, a blank before
/// the colon.
///
/// [RFC 9112, section 6](https://www.rfc-editor.org/rfc/rfc9112#section-6)
struct LengthFields: Sendable {
    private enum Name {
        case contentLength, transferEncoding, connection
    }

    // A head is copied several times, so that nothing here is reference-counted.
    private enum CodingFault {
        case unreadable, unknown, repeated
    }

    private var length = AnnouncedLength()
    private var codingCount = 0
    private var codingFault: CodingFault?
    /// Whether `Connection` contains `close` (RFC 9112, section 9.6).
    private(set) var saysClose = false
    /// Whether `Connection` contains `keep-alive`, by which a server of HTTP/1.0 keeps the connection.
    private(set) var saysKeepAlive = false
    /// The field that the next line would continue if it were folded.
    private var open: Name?

    /// Takes a line of the block, with its line break; for most lines, only the first byte is checked.
    mutating func note(_ line: UnsafeRawBufferPointer) {
        guard let first = line.first else { return }
        switch first | 0x20 {
        case UInt8(ascii: "c"):
            guard !noteField(.contentLength, "content-length", line) else { return }
            noteField(.connection, "connection", line)
        case UInt8(ascii: "t"): noteField(.transferEncoding, "transfer-encoding", line)
        default:
            if first.isBlank, let open { refuse(open) }
            if !first.isBlank { open = nil }
        }
    }

    /// Notes a line if it is that field; returns whether it is.
    @discardableResult
    private mutating func noteField(_ name: Name, _ text: StaticString, _ line: UnsafeRawBufferPointer) -> Bool {
        open = nil
        let count = text.utf8CodeUnitCount
        guard line.count > count, line.hasPrefix(text) else { return false }
        var colon = count
        while colon < line.count, line[colon].isBlank { colon += 1 }
        guard colon < line.count, line[colon] == UInt8(ascii: ":") else { return false }
        open = name
        guard colon == count else {
            refuse(name)
            return true
        }
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).withoutLineBreak
        switch name {
        case .contentLength: length.note(value)
        case .transferEncoding: noteCodings(value)
        case .connection: noteConnection(value)
        }
        return true
    }

    /// Notes a field that readers understand differently: it has a blank before the colon, or a second line.
    private mutating func refuse(_ name: Name) {
        switch name {
        case .contentLength:
            length.noteUnreadable()
        case .transferEncoding:
            codingCount += 1
            codingFault = codingFault ?? .unreadable
        case .connection:
            saysClose = true
        }
    }

    private mutating func noteConnection(_ value: UnsafeRawBufferPointer) {
        value.forEachElement { element in
            if element.count == 5, element.hasPrefix("close") { saysClose = true }
            if element.count == 10, element.hasPrefix("keep-alive") { saysKeepAlive = true }
        }
    }

    private mutating func noteCodings(_ value: UnsafeRawBufferPointer) {
        value.forEachElement { element in
            codingCount += 1
            let isChunked = element.count == 7 && element.hasPrefix("chunked")
            if !isChunked { codingFault = codingFault ?? .unknown }
            if isChunked, codingCount > 1 { codingFault = codingFault ?? .repeated }
        }
    }
}

extension LengthFields {
    /// Whether they say that there is content, or can't be read.
    var announceContent: Bool { codingCount > 0 || !length.isAbsentOrZero }

    /// How the body ends of a message that may have one.
    ///
    /// - Parameter isHTTP11: Whether the message is of HTTP/1.1, the only version with transfer codings.
    /// - Returns: The end on which all readers agree.
    /// - Throws: An error with its own reason for each rule that is broken.
    func bodyLength(isHTTP11: Bool) throws(TransportError) -> BodyLength {
        if codingCount > 0 {
            try checkCoding(isHTTP11: isHTTP11)
            return .chunked
        }
        return try length.bytes().map { .bytes($0) } ?? .untilClose
    }

    private func checkCoding(isHTTP11: Bool) throws(TransportError) {
        guard length.isAbsent else {
            throw WireCause.lengthAmbiguous.error("there are both Content-Length and Transfer-Encoding")
        }
        guard isHTTP11 else { throw WireCause.coding.error("only HTTP/1.1 has Transfer-Encoding") }
        switch codingFault {
        case nil: return
        case .unreadable: throw WireCause.coding.error("Transfer-Encoding is ambiguous")
        case .repeated: throw WireCause.coding.error("Transfer-Encoding names chunked more than once")
        case .unknown:
            throw WireCause.coding.error("unsupported Transfer-Encoding: only chunked is supported")
        }
    }
}

/// The length in the Content-Length fields of one message, in HTTP/1.1 and HTTP/2.
///
/// [RFC 9110, section 8.6](https://www.rfc-editor.org/rfc/rfc9110#section-8.6)
struct AnnouncedLength: Sendable {
    private enum Fault {
        case unreadable, tooLarge, differing
    }

    private var length: Int?
    private var fault: Fault?

    /// Whether the message has no such field.
    var isAbsent: Bool { length == nil && fault == nil }
    var isAbsentOrZero: Bool { (length ?? 0) == 0 && fault == nil }

    /// Adds the value of a field, a length or a list of equal lengths.
    mutating func note(_ value: UnsafeRawBufferPointer) {
        value.forEachElement { element in
            guard let number = ASCII.decimal(element) else {
                let isTooLarge = !element.isEmpty && element.allSatisfy(ASCII.isDigit)
                fault = fault ?? (isTooLarge ? .tooLarge : .unreadable)
                return
            }
            if let length, length != number { fault = fault ?? .differing }
            length = number
        }
    }

    /// Adds a field that can't be read.
    mutating func noteUnreadable() {
        fault = fault ?? .unreadable
    }

    /// The length in bytes; `nil` without a field.
    ///
    /// - Throws: An error with its own reason for a length that readers could understand differently.
    func bytes() throws(TransportError) -> Int? {
        switch fault {
        case nil: return length
        case .unreadable: throw WireCause.lengthMalformed.error("Content-Length is not a number")
        case .tooLarge: throw WireCause.lengthMalformed.error("Content-Length is too large a number")
        case .differing:
            throw WireCause.lengthConflict.error("there are conflicting Content-Length values")
        }
    }
}

/// Where the body of a message ends.
enum BodyLength: Equatable {
    /// The message has none, whatever its fields state.
    case none
    case bytes(Int)
    case chunked
    /// It ends with the connection.
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
            body(UnsafeRawBufferPointer(rebasing: self[trimmed(start, end)]))
            guard end < count else { return }
            start = end + 1
        }
    }
}
#endif
