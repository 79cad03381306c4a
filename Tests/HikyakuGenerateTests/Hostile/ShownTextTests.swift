#if YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuGenerate
@testable import HikyakuOpenAPI

/// What `generate` prints of a document has no control characters and nothing that can't be seen.
@Suite(.timeLimit(.minutes(Effort.isFull ? 300 : 60)))
struct ShownTextTests {
    private static let documents = ["places-2.0.yaml", "places-3.1.yaml", "places-3.2.yaml"]

    private static func tree(_ document: String) throws -> JSONTree {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appending(path: "HikyakuOpenAPITests/Hostile/Documents/\(document)")
        return try JSONTree(yaml: String(contentsOf: file, encoding: .utf8))
    }

    @Test(arguments: documents)
    func noTextOfADocumentReachesTheTerminalRaw(document: String) async throws {
        let search = PlaceSearch(
            "what is shown of \(document)",
            in: try Self.tree(document),
            sample: 40,
            payloads: ShownText.payloads,
        )
        let words = try GenerateOptions.words(["api.json", "--output", "API", "--verbose"], of: "generate")
        let verbose = try GenerateOptions(words, config: nil, command: "generate")
        let found = await search.findings { changed, attempt in
            let read = read(json: changed.json)
            guard let document = read.document else { return [] }
            let result = Generator().generate(document)
            var (changes, options) = (OutputFolder.Changes(), verbose)
            changes.added = result.files.map(\.path)
            options.isVerbose = attempt.number % 2 == 0
            let summary = GenerateSummary(read: read, result: result, changes: changes, options: options)
            return ShownText.faults(of: summary.text) + ShownText.faults(of: summary.errors)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    @Test func noNameOfAFileIsShownRawWhileItIsRead() {
        var found: [String] = []
        for payload in ShownText.payloads {
            let texts = Written()
            let progress = GenerateProgress(isShown: true) { texts.add($0.text) }
            progress.showReading("a" + payload.text)
            // The progress rewrites its line by a carriage return and an escape sequence of its own.
            let shown = texts.all.map { $0.dropFirst().replacing("\u{1B}[K", with: "") }.joined()
            found += ShownText.faults(of: shown).map { "\(payload.name): \($0)" }
        }
        if !found.isEmpty { Issue.record("\(ShownText.report(found))") }
    }

    private final class Written: @unchecked Sendable {
        // Only one thread draws a progress.
        private(set) var all: [String] = []
        func add(_ text: String) { all.append(text) }
    }
}
#endif
