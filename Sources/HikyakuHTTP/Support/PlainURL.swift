import HikyakuBase

extension String {
    /// Whether the text is a URL of the usual form, in which nothing can be misread: scheme, host, perhaps a port, a
    /// path of unreserved characters in which no segment begins with a dot, perhaps a query.
    ///
    /// Taking a URL apart costs a text for each part, some ten times what it takes to look at its bytes once. What
    /// isn't plain may still be fine; it has to be looked at part by part.
    package var isPlainURL: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let start = PlainURL.endOfScheme(in: bytes),
                let path = PlainURL.endOfAuthority(in: bytes, from: start)
            else { return false }
            return PlainURL.isPlainPath(bytes, from: path)
        }
    }
}

private enum PlainURL {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    static func endOfScheme(in bytes: Bytes) -> Int? {
        if bytes.starts(with: "http://") { return 7 }
        return bytes.starts(with: "https://") ? 8 : nil
    }

    /// Where the path begins, behind a host and perhaps a port.
    static func endOfAuthority(in bytes: Bytes, from start: Int) -> Int? {
        var index = start
        while index < bytes.count, ASCII.isUnreserved(bytes[index]) { index += 1 }
        guard index > start else { return nil }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return index }
        var port = 0
        let first = index + 1
        index = first
        while index < bytes.count, ASCII.isDigit(bytes[index]), index - first < 5 {
            port = port * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        return 1...65535 ~= port ? index : nil
    }

    static func isPlainPath(_ bytes: Bytes, from start: Int) -> Bool {
        guard start < bytes.count else { return true }
        guard bytes[start] == UInt8(ascii: "/") else { return false }
        var previous: UInt8 = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "?") { return bytes[index...].allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x23 } }
            guard ASCII.isUnreserved(byte) || byte == UInt8(ascii: "/"),
                byte != UInt8(ascii: ".") || previous != UInt8(ascii: "/")
            else { return false }
            previous = byte
        }
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] { return false }
        return true
    }
}
