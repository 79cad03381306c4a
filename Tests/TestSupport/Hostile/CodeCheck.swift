/// What generated files may not have, whatever a document says.
package struct CodeCheck {
    package typealias File = (path: String, text: String)

    package private(set) var faults: [String] = []

    package init(_ files: [File]) {
        for file in files { check(file) }
    }

    private mutating func check(_ file: File) {
        checkPath(file.path)
        let tokens = SwiftTokens(file.text)
        faults += tokens.faults.map { "\(file.path): \($0): \(Self.line($0.line, of: file.text))" }
        for token in tokens.tokens {
            switch token.kind {
            case .lineComment, .blockComment, .text: continue
            case .number: guard tokens.text(token).contains("BADC0DE") else { continue }
            case .identifier: guard tokens.text(token) == "print" else { continue }
            case .keyword, .punctuation: continue
            }
            let line = Self.line(token.line, of: file.text)
            faults.append("\(file.path): line \(token.line): code of the input: \(line)")
        }
        checkLines(file)
    }

    private mutating func checkLines(_ file: File) {
        for (index, line) in file.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let isComment = line.drop { $0 == 0x20 }.starts(with: "//".utf8)
            // The first line names the document, whose title is cut at 80 bytes.
            if isComment, line.count > (index == 0 ? 160 : 120) {
                faults.append("\(file.path): line \(index + 1): a comment of \(line.count) bytes")
            }
            guard line.contains(where: { !(0x20..<0x7F ~= $0) }) else { continue }
            let scalars = Substring(line).unicodeScalars
            if let scalar = scalars.first(where: Self.isInvisible) {
                let kind = isComment ? "a comment" : "code"
                let value = String(scalar.value, radix: 16, uppercase: true)
                let text = "line \(index + 1): \(kind) with U+\(value): \(Self.shown(Substring(line)))"
                faults.append("\(file.path): \(text)")
            }
        }
    }

    private mutating func checkPath(_ path: String) {
        let isPlain = path.unicodeScalars.allSatisfy {
            "+-/._".unicodeScalars.contains($0) || $0.properties.isXIDContinue && !Self.isInvisible($0)
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if !isPlain || parts.contains(where: { $0.isEmpty || $0 == ".." || $0.utf8.count > 255 }) {
            faults.append("the path \(Self.shown(path[...]))")
        }
    }

    /// Whether a reader would not see a scalar, or see it elsewhere.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func line(_ number: Int, of text: String) -> String {
        // The tokenizer counts lines as the compiler does.
        let lines = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
        return lines.indices.contains(number - 1) ? shown(Substring(lines[number - 1])) : ""
    }

    /// A text for a message.
    package static func shown(_ text: Substring) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(160) {
            if isInvisible(scalar) {
                result += "<\(String(scalar.value, radix: 16, uppercase: true))>"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
