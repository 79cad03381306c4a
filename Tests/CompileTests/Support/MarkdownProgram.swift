import Foundation

/// The Swift code of a document, as programs that can be compiled.
///
/// All blocks marked `swift` are one program in the order of the document. A block after the comment
/// `<!-- standalone -->` is a program of its own, and so is a package manifest. Each block has its line, so that the
/// compiler's diagnostics point into the document.
///
/// A block after the comment `<!-- file: Examples/… -->` must be equal to that file, which is compiled with its
/// example. If it is standalone, it is not compiled a second time. After `<!-- program: Tests/… -->`, all blocks of
/// the common program together must be equal to that file, whose tests run.
struct MarkdownProgram: Equatable, Sendable {
    var source: String
    /// Whether it is a package manifest, which imports `PackageDescription`.
    var isManifest = false

    /// Reads a document.
    ///
    /// - Returns: The common program first, then the standalone ones; none of them is empty.
    static func programs(in document: String, name: String) -> [MarkdownProgram] {
        var common: [String] = []
        var alone: [MarkdownProgram] = []
        for block in MarkdownBlock.blocks(in: document) where block.language == "swift" {
            let text = "#sourceLocation(file: \"\(name)\", line: \(block.line))\n\(block.code)\n#sourceLocation()\n"
            if block.isStandalone || block.isManifest {
                guard block.file == nil else { continue }
                alone.append(MarkdownProgram(source: text, isManifest: block.isManifest))
            } else {
                common.append(text)
            }
        }
        return (common.isEmpty ? [] : [MarkdownProgram(source: common.joined())]) + alone
    }

    /// The blocks of a document that are whole files of the repository, by their paths, and the common program if it is
    /// one.
    static func files(in document: String) -> [(path: String, line: Int, code: String)] {
        let blocks = MarkdownBlock.blocks(in: document).filter { $0.language == "swift" }
        let files = blocks.compactMap { block in block.file.map { ($0, block.line, block.code) } }
        guard let program = document.firstMatch(of: #/(?m)^<!-- program: (\S+) -->$/#) else { return files }
        let common = blocks.filter { !$0.isStandalone && !$0.isManifest }
        let code = common.map(\.code).joined(separator: "\n\n")
        return files + [(String(program.1), common.first?.line ?? 1, code)]
    }
}

/// A fenced block of a document.
struct MarkdownBlock: Equatable, Sendable {
    /// The word after the fence; empty if there is none.
    var language: String
    /// The line of the block's first line.
    var line: Int
    var code: String
    /// Whether the comment `<!-- standalone -->` came before it.
    var isStandalone = false
    /// The path of the comment `<!-- file: … -->` before it.
    var file: String?

    /// Whether it is a package manifest, which is not a part of another program.
    var isManifest: Bool { code.hasPrefix("// swift-tools-version") }

    /// The languages that a block may have: one without a language would escape every check.
    static let languages: Set = ["http", "json", "sh", "swift", "text", "yaml"]

    static func blocks(in document: String) -> [MarkdownBlock] {
        var blocks: [MarkdownBlock] = []
        var open: (fence: Substring, block: MarkdownBlock, lines: [Substring])?
        var next = MarkdownBlock(language: "", line: 0, code: "")
        for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = line.drop { $0 == " " }
            if var (fence, block, lines) = open {
                guard text.hasPrefix(fence) else {
                    lines.append(line)
                    open = (fence, block, lines)
                    continue
                }
                block.code = lines.joined(separator: "\n")
                blocks.append(block)
                open = nil
            } else if text.hasPrefix("```") {
                let fence = text.prefix { $0 == "`" }
                let language = String(text.dropFirst(fence.count))
                var block = MarkdownBlock(language: language, line: index + 2, code: "")
                if language == "swift" {
                    (block.isStandalone, block.file) = (next.isStandalone, next.file)
                    (next.isStandalone, next.file) = (false, nil)
                }
                open = (fence, block, [])
            } else if text == "<!-- standalone -->" {
                next.isStandalone = true
            } else if let comment = text.wholeMatch(of: #/<!-- file: (\S+) -->/#) {
                next.file = String(comment.1)
            }
        }
        return blocks
    }
}
