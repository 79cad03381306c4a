/// A media type with its parameters, as `Content-Type` has it: `text/html; charset="utf-8"`.
///
/// [RFC 9110, section 8.3.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1)
package struct MediaType: Sendable {
    /// Type and subtype in lower case, without parameters: `text/html`.
    package let essence: String
    private let parameters: [Substring]

    /// Reads a field's value, also a malformed one.
    package init(_ value: String) {
        let parts = Self.parts(of: value)
        essence = parts.first.map { String($0.trimmingSpaces).asciiLowercased } ?? ""
        parameters = Array(parts.dropFirst())
    }

    /// A parameter's value without its quotes: `utf-8`.
    ///
    /// - Parameter name: The parameter's name in lower case.
    /// - Returns: The first value of that name that isn't empty.
    package func parameter(_ name: String) -> String? {
        for part in parameters {
            let pair = part.byteSplit(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingSpaces.asciiLowercased == name else { continue }
            let parameter = Self.unquoted(pair[1].trimmingSpaces)
            if !parameter.isEmpty { return parameter }
        }
        return nil
    }

    /// The parts between the semicolons that are not inside quotes.
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

extension HTTPHeaders {
    /// The media type of the body; `nil` where no field states it.
    package var mediaType: MediaType? { self[.contentType].map { MediaType($0) } }
}
