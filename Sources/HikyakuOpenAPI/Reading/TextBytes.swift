/// Texts of documents are compared and split by bytes: a combining mark after a slash would hide it.
extension String {
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    func has(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }

    /// The parts between occurrences of a scalar, with empty ones.
    func parts(by separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
