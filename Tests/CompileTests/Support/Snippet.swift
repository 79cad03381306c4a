import Foundation

/// A program whose comments say what the compiler must answer.
///
/// ```swift
/// client.send(Me())  // error: 'send' is unavailable
/// // note: a part of a note that explains the error on the line above
/// ```
/// A marker is at the end of its line, or alone below it; several may follow each other. It contains a part of the
/// text. Every diagnostic needs a marker. `// uses peers` as the first line makes the modules of `Snippets/Peers`
/// importable. `// compiles where nothing is isolated by default` as the first line limits the markers to the other
/// mode.
struct Snippet: Sendable {
    struct Expectation: Equatable, Sendable {
        var line: Int
        var kind: Diagnostic.Kind
        var text: String
    }

    var name: String
    var usesPeers: Bool
    /// Whether the markers hold only where declarations are isolated to the main actor by default.
    var compilesUnlessIsolated: Bool
    var expectations: [Expectation]

    init(name: String, source: String) {
        self.name = name
        let lines = source.components(separatedBy: "\n")
        usesPeers = lines[0] == "// uses peers"
        compilesUnlessIsolated = lines[0] == "// compiles where nothing is isolated by default"
        expectations = []
        var codeLine = 0
        for (index, line) in lines.enumerated() {
            let markers = Self.markers(in: line)
            let isMarkersAlone = line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//")
            if markers.isEmpty || !isMarkersAlone { codeLine = index + 1 }
            expectations += markers.map { Expectation(line: codeLine, kind: $0.kind, text: $0.text) }
        }
    }

    /// In what the compiler's answer differs from what is expected; empty when it doesn't.
    func differences(from diagnostics: [Diagnostic]) -> [String] {
        let missing = expectations.filter { expectation in
            !diagnostics.contains { $0.satisfies(expectation, in: name) }
        }
        let unexpected = diagnostics.filter { diagnostic in
            !expectations.contains { $0.kind == diagnostic.kind && diagnostic.satisfies($0, in: name) }
        }
        return missing.map { "\(name):\($0.line): expected \($0.kind.rawValue): \($0.text)" }
            + unexpected.map { "unexpected: \($0)" + $0.notes.map { "\n  note: \($0)" }.joined() }
    }

    private static func markers(in line: String) -> [(kind: Diagnostic.Kind, text: String)] {
        line.components(separatedBy: "// ").dropFirst().compactMap { comment in
            guard let colon = comment.range(of: ": ") else { return nil }
            guard let kind = Diagnostic.Kind(rawValue: String(comment[..<colon.lowerBound])) else { return nil }
            return (kind, comment[colon.upperBound...].trimmingCharacters(in: .whitespaces))
        }
    }
}

extension Diagnostic {
    fileprivate func satisfies(_ expectation: Snippet.Expectation, in file: String) -> Bool {
        guard self.file?.split(separator: "/").last == Substring(file), line == expectation.line else { return false }
        return expectation.kind == .note
            ? notes.contains { $0.contains(expectation.text) }
            : kind == expectation.kind && text.contains(expectation.text)
    }
}
