import Foundation
import HikyakuOpenAPI

/// `hikyaku generate`.
enum GenerateCommand {
    /// Generates Swift of the document that the arguments name.
    static func run(_ words: [String]) throws(CommandFailure) {
        let options = try GenerateOptions(words)
        if options.showsHelp {
            try HikyakuCommand.show(Usage.generate + "\n")
            return
        }
        var reading = ReadingOptions()
        reading.overlays = options.overlays
        let read = APIDocument.read(path: options.document, options: reading)
        guard let document = read.document else {
            let reasons = read.diagnostics.map(\.description).joined(separator: "\n")
            throw CommandFailure(reasons.isEmpty ? "\(options.document) can't be read" : reasons)
        }
        let result = Generator(options: options.generator).generate(document)
        let folder = OutputFolder(options.output)
        let changes = options.output.isEmpty ? OutputFolder.Changes() : folder.changes(for: result.files)
        let summary = GenerateSummary(read: read, result: result, changes: changes, options: options)
        if !options.isQuiet { tell(summary.text) }
        if options.isCheck {
            guard changes.isEmpty else {
                throw CommandFailure("\(options.output) is stale: run 'hikyaku generate' again, without --check")
            }
            return
        }
        if !options.isDryRun { try folder.write(result.files, changes) }
    }

    private static func tell(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// What a run did, for people.
struct GenerateSummary {
    var read: ReadingResult
    var result: Generator.Result
    var changes: OutputFolder.Changes
    var options: GenerateOptions
    private static let shownMax = 20

    var text: String {
        var lines: [String] = []
        let all = read.diagnostics + result.diagnostics
        let shown = all.filter { $0.severity > .note || options.isVerbose }
        lines += shown.prefix(options.isVerbose ? .max : Self.shownMax).map(\.description)
        if shown.count > Self.shownMax, !options.isVerbose {
            lines.append("… and \(shown.count - Self.shownMax) more; --verbose shows all")
        }
        if !lines.isEmpty { lines.append("") }
        let counts = read.counts
        lines.append("\(result.name), from \(options.document)")
        lines.append(Self.row("", "read", "generated"))
        lines.append(Self.row("operations", "\(counts.operations)", "\(result.counts.requests) requests"))
        lines.append(Self.row("parameters", "\(counts.parameters)", "\(result.counts.parameters)"))
        lines.append(Self.row("schemas", "\(counts.schemas)", "\(result.counts.types) types"))
        lines.append(Self.row("properties", "\(counts.properties)", "\(result.counts.properties)"))
        if result.counts.lists > 0 { lines.append("\(result.counts.lists) requests are for lists, page by page") }
        let severities = [(Diagnostic.Severity.error, "errors"), (.warning, "warnings"), (.note, "notes")]
        let found = severities.map { severity, name in "\(all.count { $0.severity == severity }) \(name)" }
        lines.append("diagnostics: " + found.joined(separator: ", "))
        lines.append("\(result.files.count) files, \(result.counts.lines) lines\(written)")
        return lines.joined(separator: "\n") + "\n"
    }

    private var written: String {
        guard !options.output.isEmpty else { return "" }
        if changes.isEmpty { return ", all up to date in \(options.output)" }
        let parts = [(changes.added, "new"), (changes.changed, "changed"), (changes.removed, "removed")]
        let words = parts.filter { !$0.0.isEmpty }.map { "\($0.0.count) \($0.1)" }.joined(separator: ", ")
        return " in \(options.output): \(words)\(options.isDryRun || options.isCheck ? " (nothing was written)" : "")"
    }

    private static func row(_ name: String, _ one: String, _ other: String) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.utf8.count)) + text
        }
        return "  " + name + padded(one, 20 - name.utf8.count) + padded(other, 18)
    }
}
