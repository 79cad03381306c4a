/// Joins generated files to a fixed number of them.
///
/// A build system must know the files that a tool writes before it runs, and so before the document is read. Their
/// number is chosen beforehand, and files that aren't needed are empty.
package struct FileMerge {
    /// The part of a file before its first declaration.
    private struct Head {
        var mark = ""
        /// Lines such as `import Hikyaku`.
        var imports: Set<String> = []
        /// The lines that import Foundation, or what there is of it.
        var foundation: [String] = []
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
        let files = files.filter { $0.path.hasSuffix(".swift") }
        var parts = [[GeneratedFile]](repeating: [], count: count)
        let size = files.reduce(0) { $0 + $1.text.utf8.count }
        var done = 0
        for file in files {
            // The middle of a file decides, so that none is empty beside others that are twice as long.
            let middle = done + file.text.utf8.count / 2
            parts[min(count - 1, middle * count / max(1, size))].append(file)
            done += file.text.utf8.count
        }
        let mark = files.first.map { Self.divided($0.text).head.mark } ?? ""
        return zip(paths, parts).map { path, part in GeneratedFile(path: path, text: Self.joined(part, mark)) }
    }

    private static func joined(_ files: [GeneratedFile], _ mark: String) -> String {
        var head = Head()
        var bodies: [String] = []
        for file in files {
            let (one, body) = divided(file.text)
            head.imports.formUnion(one.imports)
            if !one.foundation.isEmpty { head.foundation = one.foundation }
            if !body.isEmpty { bodies.append(body) }
        }
        var sections = [mark]
        if !head.imports.isEmpty { sections.append(head.imports.sorted().joined(separator: "\n")) }
        if !head.foundation.isEmpty { sections.append(head.foundation.joined(separator: "\n")) }
        return (sections + bodies).joined(separator: "\n\n") + "\n"
    }

    /// The head of a generated file, and its declarations without the empty lines around them.
    private static func divided(_ text: String) -> (head: Head, body: String) {
        var head = Head()
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var isInCondition = false
        while let line = lines.first {
            if line.hasPrefix("// "), head.mark.isEmpty {
                head.mark = String(line)
            } else if isInCondition || line.hasPrefix("#if ") {
                head.foundation.append(String(line))
                isInCondition = line != "#endif"
            } else if line.split(separator: " ").contains("import"), !line.hasPrefix("/") {
                head.imports.insert(String(line))
            } else if !line.isEmpty {
                break
            }
            lines.removeFirst()
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return (head, lines.joined(separator: "\n"))
    }
}
