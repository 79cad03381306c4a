import Foundation

/// A command that a document shows: of a script of the repository, or of the program.
struct ShellCommand: Equatable, Sendable {
    var words: [String]

    /// The commands in the blocks marked `sh`, and in code spans.
    static func commands(in document: String) -> [ShellCommand] {
        let blocks = MarkdownBlock.blocks(in: document).filter { $0.language == "sh" }.map(\.code)
        let spans = document.split(separator: "\n").flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
        let lines = (blocks + spans).flatMap { $0.split(separator: "\n") }
        return lines.compactMap { line in
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            return words.isEmpty ? nil : ShellCommand(words: words)
        }.filter { $0.source != nil }
    }

    /// What reads the command's options: a script, or the folders of the program's code.
    private var source: [String]? {
        if words[0].hasPrefix("scripts/") || words[0] == ".ci/run" { return [words[0]] }
        let isProgram = words[0] == "hikyaku" || words.starts(with: ["swift", "run", "hikyaku-cli"])
        return isProgram ? ["Sources/Tools/HikyakuCommand", "Sources/Tools/HikyakuGenerate"] : nil
    }

    /// What is wrong with it: a script that isn't there, or an option whose name what reads it doesn't have.
    func problem(in repository: URL) throws -> String? {
        let files = (source ?? []).map { repository.appending(path: $0) }
        if let missing = files.first(where: { !FileManager.default.fileExists(atPath: $0.path()) }) {
            return "there is no \(missing.path())"
        }
        let text = try files.flatMap(Self.files).map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let options = words.filter { $0.hasPrefix("--") && $0.count > 2 }.map { $0.prefix { $0 != "=" } }
        let unknown = options.first { !text.contains($0) && !text.contains("\"\($0.dropFirst(2))\"") }
        return unknown.map { "there is no option \($0)" }
    }

    private static func files(at place: URL) -> [URL] {
        let inside =
            FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        return inside.isEmpty ? [place] : inside
    }
}
