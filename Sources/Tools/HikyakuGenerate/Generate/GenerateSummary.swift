import HikyakuOpenAPI

/// What a run did, for people.
struct GenerateSummary {
    var read: ReadingResult
    var result: Generator.Result
    var changes: OutputFolder.Changes
    var options: GenerateOptions
    /// How many diagnostics, files and the like are listed.
    static let shownMax = 20

    /// The diagnostics that even a quiet run shows.
    var errors: String {
        all.filter { $0.severity == .error }.map { $0.description + "\n" }.joined()
    }

    var text: String {
        var sections = [shownDiagnostics, counts]
        if !options.isVerbose { sections.append(rest) }
        sections.append(files)
        // A name of a file has no lines of its own.
        let shown = sections.map { lines in lines.map { TerminalText(line: $0).text } }
        return shown.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var all: [Diagnostic] { read.diagnostics + result.diagnostics }

    /// Errors and warnings one by one; notes only if they are wanted.
    private var shownDiagnostics: [String] {
        let shown = all.filter { $0.severity > .note || options.isVerbose }
        let lines = shown.prefix(options.isVerbose ? .max : Self.shownMax).map(\.description)
        guard shown.count > lines.count else { return lines }
        return lines + ["… and \(Count.text(of: shown.count - lines.count)) more; --verbose shows all"]
    }

    private var counts: [String] {
        let (counts, made) = (read.counts, result.counts)
        return [
            "\(result.name), from \(options.document)",
            "",
            Self.row("", "read", "generated", ""),
            Self.row("operations", counts.operations, made.requests, "requests"),
            Self.row("parameters", counts.parameters, made.parameters, "properties of requests"),
            Self.row("schemas", counts.schemas, made.types, "types; the others are a part of these"),
            Self.row("properties", counts.properties, made.properties, "properties of types"),
        ] + left
            + (made.lists == 0 ? [] : ["", "\(Count.text(of: made.lists, "request")) for lists, read page by page."])
    }

    /// What the filter leaves out.
    private var left: [String] {
        let count = read.counts.operations - result.counts.requests
        guard !options.generator.filters.isEmpty, count > 0 else { return [] }
        return [
            "", "The filter leaves out \(Count.text(of: count, "operation")), and the models that only these need.",
        ]
    }

    /// What became of what has no code of its own, by kind.
    private var rest: [String] {
        let kinds = DiagnosticKind.kinds(of: all.filter { $0.severity == .note })
        guard !kinds.isEmpty else { return [] }
        var lines = ["What has no code of its own, with an example of each kind (--verbose shows all):"]
        lines += kinds.prefix(Self.shownMax).map { Self.padded(Count.text(of: $0.count), 7) + "  " + $0.example }
        if kinds.count > Self.shownMax { lines.append("         … and \(kinds.count - Self.shownMax) more kinds") }
        return lines
    }

    private var files: [String] {
        let severities: [(Diagnostic.Severity, String)] = [
            (.error, "error"), (.warning, "warning"), (.note, "note"),
        ]
        let found = severities.map { severity, name in Count.text(of: all.count { $0.severity == severity }, name) }
        var lines = ["\(found.joined(separator: ", "))."]
        if read.furtherDiagnostics > 0 {
            lines[0] += " \(Count.text(of: read.furtherDiagnostics)) more were not kept."
        }
        let size = "\(Count.text(of: result.files.count, "file")), \(Count.text(of: result.counts.lines, "line"))"
        guard !options.output.isEmpty else { return lines + ["\(size); nothing was written."] }
        guard !changes.isEmpty else { return lines + ["\(size) in \(options.output), all up to date."] }
        let parts = [(changes.added, "new"), (changes.changed, "changed"), (changes.removed, "removed")]
        let words = parts.filter { !$0.0.isEmpty }.map { "\(Count.text(of: $0.0.count)) \($0.1)" }
        let isWritten = !options.isDryRun && !options.isCheck
        let written = isWritten ? "" : " (nothing was written)"
        lines.append("\(size) in \(options.output): \(words.joined(separator: ", "))\(written).")
        if options.isDryRun { lines += changes.lines(max: .max) }
        return isWritten ? lines + nextStep : lines
    }

    /// What to do after the first run.
    private var nextStep: [String] {
        guard changes.added.count == result.files.count, let request = result.firstRequest else { return [] }
        return [
            "Next: build it in a target that depends on Hikyaku, and send a request:",
            "    try await APIClient().send(\(request)(…))",
        ]
    }

    private static func row(_ name: String, _ one: Int, _ other: Int, _ what: String) -> String {
        row(name, Count.text(of: one), Count.text(of: other), what)
    }

    private static func row(_ name: String, _ one: String, _ other: String, _ what: String) -> String {
        let line = "  " + name + padded(one, 20 - name.utf8.count) + padded(other, 12)
        return what.isEmpty ? line : line + "  " + what
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }
}

/// Diagnostics that say the same of other pieces of a document.
struct DiagnosticKind {
    /// In how many places it is.
    var count: Int
    /// What the first one says.
    var example: String

    /// How many words of a message distinguish kinds; further ones name the piece.
    private static let wordsMax = 4

    /// The kinds, the one of most places first.
    static func kinds(of diagnostics: [Diagnostic]) -> [Self] {
        var indexes: [String: Int] = [:]
        var kinds: [Self] = []
        for diagnostic in diagnostics {
            let key = key(of: diagnostic)
            if let index = indexes[key] {
                kinds[index].count += diagnostic.places
            } else {
                indexes[key] = kinds.count
                kinds.append(Self(count: diagnostic.places, example: example(of: diagnostic)))
            }
        }
        return kinds.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map(\.element)
    }

    /// The first words of a message, without what it quotes and counts.
    private static func key(of diagnostic: Diagnostic) -> String {
        let words = message(of: diagnostic).split(separator: " ").lazy
            .filter { !$0.contains("'") && Int($0) == nil }
        return words.prefix(wordsMax).joined(separator: " ")
    }

    private static func example(of diagnostic: Diagnostic) -> String {
        let text = TerminalText(line: "\(message(of: diagnostic)); \(diagnostic.action)").text
        return text.count > 110 ? text.prefix(109) + "…" : text
    }

    /// The message without how often it applies, which the count says.
    private static func message(of diagnostic: Diagnostic) -> Substring {
        guard diagnostic.places > 1 else { return diagnostic.message[...] }
        return diagnostic.message.part(before: " (here and in ")
    }
}

extension String {
    /// The text up to another one; all of it if that isn't a part of it.
    fileprivate func part(before mark: String) -> Substring {
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: mark.utf8) { return self[..<start] }
            start = utf8.index(after: start)
        }
        return self[...]
    }
}
