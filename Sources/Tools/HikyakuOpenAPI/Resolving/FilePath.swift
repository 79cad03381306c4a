import HikyakuBase

/// Paths and URLs of the files that references name.
enum FilePath {
    /// A reference's file and fragment.
    static func parts(of reference: String) -> (file: String, fragment: String) {
        guard let mark = reference.utf8.firstIndex(of: UInt8(ascii: "#")) else { return (reference, "") }
        return (String(reference[..<mark]), String(reference[reference.utf8.index(after: mark)...]))
    }

    /// Whether a text begins with a scheme, such as `https:`; a single letter is a drive of Windows.
    static func isURL(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        guard scheme.count > 1, scheme.first.map(ASCII.isLetter) ?? false else { return false }
        return scheme.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
    }

    /// The file that a reference in another file names, relative to the folder of the first one.
    ///
    /// - Parameters:
    ///   - reference: A path with percent-encoding, or a URL.
    ///   - base: The file that has the reference: a path relative to the first file's folder, or a URL.
    /// - Returns: A path relative to that folder, or a URL.
    static func resolved(_ reference: String, from base: String) -> String {
        if isURL(reference) { return reference }
        if isURL(base) { return resolvedURL(reference, from: base) }
        let path = PercentCoding.text(of: Array(reference.utf8)) ?? reference
        if path.begins(with: "/") { return normalized(path) }
        return normalized(folder(of: base) + path)
    }

    private static func resolvedURL(_ reference: String, from base: String) -> String {
        var parts = base.parts(by: "/")
        guard parts.count >= 3 else { return reference }
        let path = parts.dropFirst(3).joined(separator: "/")
        parts = Array(parts.prefix(3))
        let full = reference.begins(with: "/") ? String(reference.dropFirst()) : folder(of: path) + reference
        return parts.joined(separator: "/") + "/" + normalized(full)
    }

    /// The path up to its last slash, which is included.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    /// The last part of a path without its extension.
    static func stem(of path: String) -> String {
        let name = (path.parts(by: "/").last ?? "").unicodeScalars
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
        return String(name[..<dot])
    }

    /// The path without `.` and, where possible, `..`.
    static func normalized(_ path: String) -> String {
        var parts: [String] = []
        for part in path.parts(by: "/") where part != "." && !part.isEmpty {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return (path.begins(with: "/") ? "/" : "") + parts.joined(separator: "/")
    }
}
