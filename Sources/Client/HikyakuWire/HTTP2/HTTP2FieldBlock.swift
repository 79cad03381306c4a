#if os(Linux)
import Glibc
import HikyakuBase
import HikyakuHTTP

/// The fields of one response, checked one by one as HPACK gives them.
///
/// nghttp2 could check them too, but what it refuses, and what it drops silently, differs between its versions.
///
/// [RFC 9113, sections 8.2 and 8.3](https://www.rfc-editor.org/rfc/rfc9113#section-8.2)
struct HTTP2FieldBlock {
    private var bytes: [UInt8] = []
    private var lines: [HeaderBlock.Line] = []
    private var seenBits: UInt8 = 0
    private var length = AnnouncedLength()
    private var hasFields = false
    private var isTrailers = false
    private var bytesLeft: Int
    private var fieldsLeft: Int
    /// The value of `:status`; `nil` if there is none yet.
    private(set) var status: Int?

    init(_ limits: HTTP2Limits) {
        bytesLeft = limits.headerBytesMax
        fieldsLeft = limits.headerFieldsMax
        // Room for a block of usual size.
        bytes.reserveCapacity(512)
        lines.reserveCapacity(16)
    }

    /// Drops the fields, and begins the next block of the same response, within the rest of the limits.
    mutating func begin(isTrailers: Bool) {
        bytes.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        (seenBits, length, hasFields, status) = (0, AnnouncedLength(), false, nil)
        self.isTrailers = isTrailers
    }

    /// Adds a field.
    ///
    /// - Returns: An error if it breaks a rule; then no further field may be added.
    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> TransportError? {
        bytesLeft -= name.count + value.count + 32
        fieldsLeft -= 1
        guard bytesLeft >= 0, fieldsLeft >= 0 else { return Self.tooLarge }
        if name.first == UInt8(ascii: ":") { return appendPseudoHeader(name: name, value: value) }
        hasFields = true
        guard !name.isEmpty, name.allSatisfy({ ASCII.isToken($0) && !ASCII.isUppercase($0) }) else {
            return .malformedHTTP2("the name of a field is not a token in lower case")
        }
        guard value.allSatisfy({ $0 != 0 && $0 != 0x0A && $0 != 0x0D }) else {
            return .malformedHTTP2("the value of a field has a line break or NUL")
        }
        guard value.first?.isBlank != true, value.last?.isBlank != true else {
            return .malformedHTTP2("the value of a field begins or ends with white space")
        }
        guard !Self.isForConnection(name, value) else {
            let field = String(decoding: name, as: UTF8.self)
            return WireCause.connectionField.error("HTTP/2 forbids the field \(field) in a response")
        }
        if name.equals("content-length") { length.note(UnsafeRawBufferPointer(value)) }
        add(name, value)
        return nil
    }

    private mutating func appendPseudoHeader(
        name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
    ) -> TransportError? {
        guard name.equals(":status"), !isTrailers else {
            return .malformedHTTP2("the response has an invalid pseudo-header field, or one in its trailers")
        }
        guard !hasFields, status == nil else { return .malformedHTTP2(":status is repeated, or follows a field") }
        guard value.count == 3, let number = ASCII.decimal(value) else {
            return .malformedHTTP2(":status is not a number of three digits")
        }
        status = number
        return nil
    }

    private mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        // All blocks together have no more than `headerBytesMax` bytes.
        let start = UInt32(truncatingIfNeeded: bytes.count)
        bytes.append(contentsOf: name)
        let middle = UInt32(truncatingIfNeeded: bytes.count)
        bytes.append(contentsOf: value)
        let end = UInt32(truncatingIfNeeded: bytes.count)
        for byte in value { seenBits |= byte }
        lines.append(HeaderBlock.Line(name: start..<middle, value: middle..<end))
    }

    /// Connection, Keep-Alive and the like, and TE with anything but `trailers` (RFC 9113, section 8.2.2).
    private static func isForConnection(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
    ) -> Bool {
        switch name.count {
        case 2: name.equals("te") && !value.equals("trailers")
        case 7: name.equals("upgrade")
        case 10: name.equals("connection") || name.equals("keep-alive")
        case 16: name.equals("proxy-connection")
        case 17: name.equals("transfer-encoding")
        default: false
        }
    }

    static let tooLarge = WireCause.headTooLarge.error("the response has more or larger fields than the limit")
}

extension HTTP2FieldBlock {
    /// The fields in order, without `:status`.
    var headers: HTTPHeaders {
        lines.isEmpty ? [:] : HTTPHeaders(HeaderBlock(bytes, lines: lines, isASCII: seenBits < 0x80))
    }

    /// The length that the fields announce; `nil` if they announce none.
    ///
    /// - Throws: An error with its own reason for an ambiguous length.
    func contentLength() throws(TransportError) -> Int? { try length.bytes() }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func equals(_ text: StaticString) -> Bool {
        guard let baseAddress else { return text.utf8CodeUnitCount == 0 }
        return count == text.utf8CodeUnitCount && memcmp(baseAddress, text.utf8Start, count) == 0
    }
}
#endif
