/// One thing that the compiler says.
struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
    enum Kind: String, Sendable {
        case error, warning, note
    }

    /// The file as the compiler names it; none where no place is named.
    var file: String?
    var line: Int
    var kind: Kind
    var text: String
    /// The notes that follow it and explain it, wherever they point.
    var notes: [String] = []

    var description: String { "\(file ?? "<unknown>"):\(line): \(kind.rawValue): \(text)" }

    /// Reads what the compiler writes with `-diagnostic-style=llvm`; the lines of source between are passed over.
    static func parse(_ output: String) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for line in output.split(separator: "\n") {
            guard let diagnostic = Diagnostic(line: line) else { continue }
            if diagnostic.kind == .note, !found.isEmpty {
                found[found.count - 1].notes.append(diagnostic.text)
            } else {
                found.append(diagnostic)
            }
        }
        return found
    }

    init(file: String?, line: Int, kind: Kind, text: String, notes: [String] = []) {
        self.file = file
        self.line = line
        self.kind = kind
        self.text = text
        self.notes = notes
    }

    /// Reads `path:line:column: error: text`, or `<unknown>:0: error: text`; nothing else is a diagnostic.
    private init?(line: Substring) {
        let placed = #/^(?<path>.+?):(?<line>\d+)(:\d+)?: (?<kind>error|warning|note): (?<text>.*)$/#
        let bare = #/^(?<kind>error|warning): (?<text>.*)$/#
        if let match = line.wholeMatch(of: placed), let kind = Kind(rawValue: String(match.kind)) {
            self.init(file: String(match.path), line: Int(match.line) ?? 0, kind: kind, text: String(match.text))
        } else if let match = line.wholeMatch(of: bare), let kind = Kind(rawValue: String(match.kind)) {
            self.init(file: nil, line: 0, kind: kind, text: String(match.text))
        } else {
            return nil
        }
    }
}
