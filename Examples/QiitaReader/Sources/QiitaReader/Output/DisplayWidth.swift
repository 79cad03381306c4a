// In a terminal each character of Chinese, Japanese and Korean and each emoji has two columns. So texts are measured in
// columns here, and not in characters.
nonisolated extension StringProtocol {
    /// How many columns of a terminal the text takes.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The text with spaces after it, up to a width.
    func padded(to width: Int) -> String {
        String(self) + String(repeating: " ", count: Swift.max(0, width - displayWidth))
    }

    /// The text with spaces before it, up to a width.
    func paddedAtStart(to width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - displayWidth)) + String(self)
    }

    /// The text, or its beginning with `…` if it is wider than a width.
    func cut(to width: Int) -> String {
        guard displayWidth > width else { return String(self) }
        var cut = ""
        var left = width - 1
        for character in self {
            left -= character.displayWidth
            guard left >= 0 else { break }
            cut.append(character)
        }
        return cut + "…"
    }

    /// The text in lines that fit a width: broken at spaces if possible, else anywhere but before 、 and 。.
    func wrapped(to width: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { $0.wrappedLine(to: width) }
    }

    private func wrappedLine(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for character in self {
            let isTooWide = line.displayWidth + character.displayWidth > width
            if isTooWide, !line.isEmpty, !"、。」".contains(character) {
                let space = line.lastIndex(of: " ")
                let rest = space.map { String(line[line.index(after: $0)...]) } ?? ""
                // A word that fills more than half of the line is broken instead of moved.
                let breaksAtSpace = space != nil && character.displayWidth == 1 && rest.displayWidth < width / 2
                lines.append(breaksAtSpace ? String(line[..<(space ?? line.endIndex)]) : line)
                line = breaksAtSpace ? rest : ""
            }
            line.append(character)
        }
        return lines + [line]
    }
}

nonisolated extension Character {
    var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains("\u{FE0F}") { return 2 }
        return Self.isWide(first.value) ? 2 : first.properties.generalCategory == .nonspacingMark ? 0 : 1
    }

    /// The blocks of Unicode's East Asian Width whose characters are wide or full-width.
    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3: true
        case 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6: true
        case 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD: true
        default: false
        }
    }
}
