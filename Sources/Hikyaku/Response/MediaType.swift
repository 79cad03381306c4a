import HikyakuHTTP

/// Reading of `Content-Type` values (RFC 9110, section 8.3.1).
enum MediaType {
    /// A parameter's value without its quotes: `utf-8` of `text/html; charset="utf-8"`.
    ///
    /// - Returns: The first value of that name that isn't empty.
    static func parameter(_ name: String, in value: String?) -> String? {
        guard let value else { return nil }
        for part in parts(of: value).dropFirst() {
            let pair = part.byteSplit(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingSpaces.asciiLowercased == name else { continue }
            let parameter = unquoted(pair[1].trimmingSpaces)
            if !parameter.isEmpty { return parameter }
        }
        return nil
    }

    /// What stands between semicolons, but for those inside quotes.
    private static func parts(of value: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        let parts = value.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            if scalar == ";", !isQuoted { return true }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && isQuoted && !isEscaped
            return false
        }
        return parts.map { Substring($0) }
    }

    private static func unquoted(_ text: Substring) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return String(text) }
        var isEscaped = false
        return scalars.dropFirst().dropLast().reduce(into: "") { result, scalar in
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                isEscaped = false
                result.unicodeScalars.append(scalar)
            }
        }
    }
}
