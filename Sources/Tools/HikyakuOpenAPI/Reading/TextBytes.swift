/// Texts of documents are compared and split by bytes: a combining mark after a slash would hide it.
extension String {
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    func has(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }

    func has(text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        let found = utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            guard bytes.count >= count else { return false }
            let pattern = UnsafeBufferPointer(start: text.utf8Start, count: count)
            return (0...bytes.count - count).contains { start in
                bytes[start] == pattern[0] && bytes[start..<start + count].elementsEqual(pattern)
            }
        }
        return found ?? contains(text.description)
    }

    /// The parts between occurrences of a scalar, with empty ones.
    func parts(by separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
