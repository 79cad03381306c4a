extension Unicode.Scalar {
    /// Whether it ends a line in any of the ways of Unicode.
    package var isLineBreak: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Whether a reader would not see it, or see what is around it elsewhere.
    package var isInvisible: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator, .control, .privateUse, .unassigned: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether emoji and many scripts need it between or after what is seen.
    var isJoiner: Bool { value == 0x200C || value == 0x200D || 0xFE00...0xFE0F ~= value }

    /// The escape that JSON has for it: `\u202e`.
    package var escapedInJSON: String {
        String(self).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// What is shown in its place: `\u{202E}`, as literals of Swift write it.
    package var shown: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
