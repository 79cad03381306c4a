/// How values are shown that may be secrets: 9 for each digit, A and a for letters, and punctuation as it is.
enum ValueShape {
    /// What is shown of a text that is no JSON.
    static func of(_ text: String, max: Int) -> String {
        let scalars = text.unicodeScalars
        let shown = scalars.prefix(max).reduce(into: "") { $0.unicodeScalars.append(scalar(for: $1)) }
        return scalars.dropFirst(max).isEmpty ? shown : shown + "…"
    }

    /// What is shown for a character of a value.
    static func scalar(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            switch scalar {
            case "0"..."9": return "9"
            case "A"..."Z": return "A"
            case "a"..."z": return "a"
            case " "..."~": return scalar
            default: return "?"
            }
        }
        switch scalar.properties.generalCategory {
        case .decimalNumber: return "9"
        case .uppercaseLetter, .titlecaseLetter: return "A"
        case .lowercaseLetter, .modifierLetter, .otherLetter: return "a"
        default: return "?"
        }
    }
}
