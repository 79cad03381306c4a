import Foundation

/// The Swift code of a document, as programs that can be compiled.
///
/// All blocks marked `swift` are one program in the order of the document. A block after the comment
/// `<!-- standalone -->` is a program of its own, and a package manifest is not compiled. Each block has its line, so
/// that the compiler's diagnostics point into the document.
///
/// A block after the comment `<!-- file: Examples/… -->` must be equal to that file, which is compiled with its
/// example. If it is standalone, it is not compiled a second time. After `<!-- program: Tests/… -->`, all blocks of
/// the common program together must be equal to that file, whose tests run.
struct MarkdownProgram: Equatable, Sendable {
    var source: String

    /// Reads a document.
    ///
    /// - Returns: The common program first, then the standalone ones; none of them is empty.
    static func programs(in document: String, name: String) -> [MarkdownProgram] {
        var common: [String] = []
        var alone: [MarkdownProgram] = []
        for block in blocks(in: document) where !block.code.hasPrefix("// swift-tools-version") {
            let text = "#sourceLocation(file: \"\(name)\", line: \(block.line))\n\(block.code)\n#sourceLocation()\n"
            if block.isStandalone {
                guard block.file == nil else { continue }
                alone.append(MarkdownProgram(source: text))
            } else {
                common.append(text)
            }
        }
        return (common.isEmpty ? [] : [MarkdownProgram(source: common.joined())]) + alone
    }

    /// The blocks of a document that are whole files of the repository, by their paths, and the common program if it is
    /// one.
    static func files(in document: String) -> [(path: String, line: Int, code: String)] {
        let blocks = blocks(in: document)
        let files = blocks.compactMap { block in block.file.map { ($0, block.line, block.code) } }
        guard let program = document.firstMatch(of: #/(?m)^<!-- program: (\S+) -->$/#) else { return files }
        let common = blocks.filter { !$0.isStandalone && !$0.code.hasPrefix("// swift-tools-version") }
        let code = common.map(\.code).joined(separator: "\n\n")
        return files + [(String(program.1), common.first?.line ?? 1, code)]
    }

    private struct Block {
        var line: Int
        var code: String
        var isStandalone: Bool
        var file: String?
    }

    private static func blocks(in document: String) -> [Block] {
        var blocks: [Block] = []
        var open: (fence: Substring, line: Int, isSwift: Bool, code: [Substring])?
        var isStandalone = false
        var file: String?
        for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let indentation = line.prefix(while: { $0 == " " })
            let text = line.dropFirst(indentation.count)
            if let block = open {
                guard text.hasPrefix(block.fence) else {
                    open?.code.append(line)
                    continue
                }
                open = nil
                guard block.isSwift else { continue }
                let code = block.code.joined(separator: "\n")
                blocks.append(Block(line: block.line, code: code, isStandalone: isStandalone, file: file))
                (isStandalone, file) = (false, nil)
            } else if text.hasPrefix("```") {
                let fence = text.prefix(while: { $0 == "`" })
                open = (fence, index + 2, text.dropFirst(fence.count) == "swift", [])
            } else if text == "<!-- standalone -->" {
                isStandalone = true
            } else if let comment = text.wholeMatch(of: #/<!-- file: (\S+) -->/#) {
                file = String(comment.1)
            }
        }
        return blocks
    }
}
