/// Collects diagnostics while a document is read.
///
/// It is a class because all stages write into the same one, one after another.
package final class Findings {
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var furtherCount = 0
    /// The paths of the files by their numbers.
    var files: [String] = []
    private let countMax: Int
    private var seen: Set<Diagnostic> = []

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Adds a diagnostic; one that is there already is not added again.
    func add(
        _ severity: Diagnostic.Severity,
        _ code: Diagnostic.Code,
        at position: SourcePosition,
        _ message: String,
        action: String,
        places: Int = 1,
    ) {
        guard diagnostics.count < countMax else {
            furtherCount += 1
            return
        }
        var diagnostic = Diagnostic(
            severity,
            code,
            file: path(of: position.file),
            line: Int(position.line),
            column: Int(position.column),
            message,
            action: action,
        )
        diagnostic.places = places
        if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }

    func warn(_ code: Diagnostic.Code, at position: SourcePosition, _ message: String, action: String) {
        add(.warning, code, at: position, message, action: action)
    }

    /// The diagnostics by file, line and column.
    func sorted() -> [Diagnostic] {
        let order = Dictionary(zip(files, files.indices)) { first, _ in first }
        return diagnostics.enumerated().sorted { one, other in
            let first = (order[one.element.file] ?? 0, one.element.line, one.element.column, one.offset)
            return first < (order[other.element.file] ?? 0, other.element.line, other.element.column, other.offset)
        }.map(\.element)
    }

    private func path(of file: Int32) -> String {
        files.indices.contains(Int(file)) ? files[Int(file)] : ""
    }
}

extension String {
    /// The text for a message: quoted, on one line, and cut if it is long.
    var quoted: String {
        var text = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < 80 else { return "'\(text)…'" }
            if scalar.isInvisible { text += scalar.shown } else { text.unicodeScalars.append(scalar) }
        }
        return "'\(text)'"
    }
}
