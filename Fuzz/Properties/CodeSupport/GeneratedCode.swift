/// Looks for what a text of a document may do to generated code: end a literal, or open a brace.
struct GeneratedCode {
    private let lines: [Substring.UTF8View]
    private let hasPlantedLine: Bool
    /// The closing braces that are missing, from the outermost.
    private var open: [UInt8] = []
    private static let pairs: [UInt8: UInt8] = [0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D]

    init(_ text: String) {
        lines = text.utf8.split(separator: 0x0A)
        hasPlantedLine = Planted.isLine(of: text)
    }

    /// What is wrong; `nil` if nothing is.
    mutating func fault() -> String? {
        if hasPlantedLine { return "a text of the document is a line of code" }
        for line in lines {
            var rest = line[...]
            guard code(&rest, until: nil) else { return "this line is not code: \(Substring(line))" }
        }
        return open.isEmpty ? nil : "a brace is not closed"
    }

    /// Reads code up to a comment or, inside of a literal, up to the parenthesis that ends an interpolation.
    private mutating func code(_ rest: inout Substring.UTF8View, until end: Int?) -> Bool {
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: if !literal(&rest) { return false }
            // A return would end the comment, too.
            case 0x2F where rest.first == 0x2F: return end == nil && !rest.contains(0x0D)
            case 0x28, 0x5B, 0x7B: if let closing = Self.pairs[byte] { open.append(closing) }
            case 0x29, 0x5D, 0x7D:
                guard open.popLast() == byte else { return false }
                if open.count == end { return true }
            case 0x5C, 0x00..<0x20: return false
            default: break
            }
        }
        return end == nil
    }

    /// Reads a literal after its first quotation mark.
    private mutating func literal(_ rest: inout Substring.UTF8View) -> Bool {
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: return true
            case 0x5C:
                let escaped = rest.popFirst()
                guard escaped == 0x28 else { continue }
                let count = open.count
                open.append(0x29)
                guard code(&rest, until: count) else { return false }
            default: break
            }
        }
        return false
    }
}
