import HikyakuHTTP

/// The status line and header lines of a response, recorded as libcurl delivers them and read later.
///
/// Informational responses (1xx) are dropped when the next one begins, and trailers are dropped as they come.
///
/// [RFC 9112, sections 4 and 5](https://www.rfc-editor.org/rfc/rfc9112#section-4)
struct ResponseHead: Sendable {
    /// The limit for all lines together, those of informational responses and trailers included.
    static let bytesMax = 256 * 1024
    static let fieldCountMax = 500

    static let tooLargeText = "the header block has more than \(fieldCountMax) fields or \(bytesMax) bytes"

    enum Problem: Error, Equatable {
        case tooLarge
        case malformed(String)
    }

    private var lines: [UInt8] = []
    private var bytesSeen = 0
    private var fieldCount = 0
    /// The status of the response that is being received; 0 before the first status line.
    private(set) var status = 0
    /// Whether the empty line after the header block of the final response came.
    private(set) var isComplete = false

    /// Takes the next line, with its line break.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Problem? {
        bytesSeen += line.count
        guard bytesSeen <= Self.bytesMax else { return .tooLarge }
        if isComplete { return nil }
        if status == 0 { return begin(with: line) }
        if line.first == 0x0A || (line.first == 0x0D && line.count == 2 && line[1] == 0x0A) { return end() }
        fieldCount += 1
        guard fieldCount <= Self.fieldCountMax else { return .tooLarge }
        lines.append(contentsOf: line)
        return nil
    }

    private mutating func begin(with line: UnsafeRawBufferPointer) -> Problem? {
        guard let status = Self.status(in: line) else { return .malformed("the status line can't be read") }
        guard status != 101 else { return .malformed("the server switched protocols unasked") }
        self.status = status
        fieldCount = 0
        lines.removeAll(keepingCapacity: true)
        if lines.capacity == 0 { lines.reserveCapacity(512) }
        return nil
    }

    private mutating func end() -> Problem? {
        if status < 200 {
            status = 0
        } else {
            isComplete = true
        }
        return nil
    }

    /// Reads `HTTP/1.1 200 OK`, where the phrase may be missing, and `HTTP/2 200`.
    static func status(in line: UnsafeRawBufferPointer) -> Int? {
        guard line.count >= 10, line.starts(with: "HTTP/".utf8), isDigit(line[5]) else { return nil }
        var index = 6
        if line[index] == UInt8(ascii: ".") {
            guard isDigit(line[7]) else { return nil }
            index = 8
        }
        guard line.count >= index + 4, line[index] == 0x20 else { return nil }
        let digits = line[(index + 1)..<(index + 4)]
        guard digits.allSatisfy(isDigit) else { return nil }
        // Behind the digits comes a space, or the end of the line.
        if line.count > index + 4, ![0x20, 0x0D, 0x0A].contains(line[index + 4]) { return nil }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return 100..<600 ~= status ? status : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }
}

// MARK: - Reading

extension ResponseHead {
    /// The fields in order, with folded lines joined.
    ///
    /// - Returns: All fields of the final response.
    /// - Throws: ``Problem/malformed(_:)`` for a line that is no field.
    func headers() throws(Problem) -> HTTPHeaders {
        let outcome: Result<HTTPHeaders, Problem> = lines.withUnsafeBytes { bytes in
            do throws(Problem) { return .success(try Self.headers(in: bytes)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    private static func headers(in bytes: UnsafeRawBufferPointer) throws(Problem) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers.reserveCapacity(16)
        var pending: (name: String, value: String)?
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            let line = trimmed(rest[rest.startIndex..<end], leading: false)
            let isFolded = rest.first == 0x20 || rest.first == 0x09
            rest = rest[min(end + 1, rest.endIndex)...]
            guard !line.contains(where: { $0 == 0 || $0 == 0x0D }) else {
                throw .malformed("a header line has a control character")
            }
            if isFolded {
                guard let (name, value) = pending else { throw .malformed("the first header line is folded") }
                pending = (name, joined(value, text(of: trimmed(line, leading: true))))
            } else {
                if let pending { headers.append(HTTPHeaderName(pending.name), pending.value) }
                pending = try field(in: line)
            }
        }
        if let pending { headers.append(HTTPHeaderName(pending.name), pending.value) }
        return headers
    }

    private static func field(in line: Slice<UnsafeRawBufferPointer>) throws(Problem) -> (String, String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("a header line has no colon") }
        let name = trimmed(line[line.startIndex..<colon], leading: false)
        guard !name.isEmpty else { throw .malformed("a header line has no name") }
        return (text(of: name), text(of: trimmed(line[(colon + 1)...], leading: true)))
    }

    private static func joined(_ first: String, _ second: String) -> String {
        first.isEmpty || second.isEmpty ? first + second : first + " " + second
    }

    /// Cuts white space and the line's carriage return off the end, and white space off the beginning.
    private static func trimmed(
        _ slice: Slice<UnsafeRawBufferPointer>,
        leading: Bool,
    ) -> Slice<UnsafeRawBufferPointer> {
        var slice = slice
        if slice.last == 0x0D { slice = slice.dropLast() }
        while let byte = slice.last, byte == 0x20 || byte == 0x09 { slice = slice.dropLast() }
        guard leading else { return slice }
        while let byte = slice.first, byte == 0x20 || byte == 0x09 { slice = slice.dropFirst() }
        return slice
    }

    /// The bytes as UTF-8, or, where they aren't, as Latin-1, which any bytes are.
    private static func text(of bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Bytes that are no UTF-8 were replaced, so that the text has other bytes than it was made of.
        guard !text.utf8.elementsEqual(bytes) else { return text }
        return String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}
