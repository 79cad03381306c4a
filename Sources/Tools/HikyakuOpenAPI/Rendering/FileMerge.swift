/// Joins generated files to a fixed number of them.
///
/// A build system must know the files that a tool writes before it runs, and so before the document is read. Their
/// number is chosen beforehand, and files that aren't needed are empty.
package struct FileMerge {
    /// The part of a file before its first declaration.
    private struct Head {
        var mark: Code = ""
        /// Lines such as `import Hikyaku`.
        var imports: Set<Code> = []
        /// The lines that import Foundation, or what there is of it.
        var foundation: [Code] = []
    }

    private let name: String
    private let count: Int

    /// Prepares to make files of a name and a number: `HikyakuAPI+1.swift` and so on.
    package init(name: String, count: Int) {
        (self.name, self.count) = (name, max(1, count))
    }

    /// The paths of the files.
    package var paths: [String] { (1...count).map { "\(name)+\($0).swift" } }

    /// The files, each with about the same number of bytes; what isn't Swift is left out.
    package func merged(_ files: [GeneratedFile]) -> [GeneratedFile] {
        let files = files.compactMap(\.code)
        var parts = [[Code]](repeating: [], count: count)
        let size = files.reduce(0) { $0 + $1.utf8Count }
        var done = 0
        for file in files {
            // The middle of a file decides, so that none is empty beside others that are twice as long.
            let middle = done + file.utf8Count / 2
            parts[min(count - 1, middle * count / max(1, size))].append(file)
            done += file.utf8Count
        }
        let mark = files.first.map { Self.divided($0).head.mark } ?? ""
        return zip(paths, parts).map { path, part in GeneratedFile(path: path, code: Self.joined(part, mark)) }
    }

    private static func joined(_ files: [Code], _ mark: Code) -> Code {
        var head = Head()
        var bodies: [Code] = []
        for file in files {
            let (one, body) = divided(file)
            head.imports.formUnion(one.imports)
            if !one.foundation.isEmpty { head.foundation = one.foundation }
            if !body.isEmpty { bodies.append(body) }
        }
        var sections = [mark]
        if !head.imports.isEmpty { sections.append(head.imports.sorted().joined(separator: "\n")) }
        if !head.foundation.isEmpty { sections.append(head.foundation.joined(separator: "\n")) }
        return "\((sections + bodies).joined(separator: "\n\n"))\n"
    }

    /// The head of a generated file, and its declarations without the empty lines around them.
    private static func divided(_ code: Code) -> (head: Head, body: Code) {
        var head = Head()
        var lines = code.lines[...]
        var isInCondition = false
        while let first = lines.first {
            let line = first.text
            if line.hasPrefix("// "), head.mark.isEmpty {
                head.mark = first
            } else if isInCondition || line.hasPrefix("#if ") {
                head.foundation.append(first)
                isInCondition = line != "#endif"
            } else if line.split(separator: " ").contains("import"), !line.hasPrefix("/") {
                head.imports.insert(first)
            } else if !line.isEmpty {
                break
            }
            lines.removeFirst()
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return (head, lines.joined(separator: "\n"))
    }
}
