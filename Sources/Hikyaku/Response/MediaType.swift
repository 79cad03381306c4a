import HikyakuHTTP

/// Reading of `Content-Type` values (RFC 9110, section 8.3.1).
enum MediaType {
    /// A parameter's value without its quotes: `utf-8` of `text/html; charset="utf-8"`.
    ///
    /// - Returns: The first value of that name that isn't empty.
    static func parameter(_ name: String, in value: String?) -> String? {
        guard let value else { return nil }
        for part in parts(of: value).dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingSpaces.lowercased() == name else { continue }
            let parameter = unquoted(pair[1].trimmingSpaces)
            if !parameter.isEmpty { return parameter }
        }
        return nil
    }

    /// What stands between semicolons, but for those inside quotes.
    private static func parts(of value: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in value {
            if character == ";", !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
        var isEscaped = false
        return text.dropFirst().dropLast().reduce(into: "") { result, character in
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                isEscaped = false
                result.append(character)
            }
        }
    }
}
