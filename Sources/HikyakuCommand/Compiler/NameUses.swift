/// Finds uses of a name in source files without parsing them.
///
/// In doubt there is a use: a name in a string or in a comment after code counts, and so does another declaration's.
struct NameUses {
    let files: SourceFiles
    /// The files to look through.
    let paths: [String]

    /// Whether a function is called or passed on somewhere.
    ///
    /// In another file than that of its declaration, only a call of a value's member counts.
    ///
    /// - Parameters:
    ///   - function: The name with the label of its only parameter: `failure(in:)`.
    ///   - path: The file of its declaration.
    /// - Returns: Whether there is a call; `false` if no file can be read.
    func hasCall(of function: String, declaredIn path: String) -> Bool {
        let (name, label) = RequestFunction.parts(of: function)
        return ([path] + paths.filter { $0 != path }).contains { other in
            files[other].map { source in
                source.text.contains(name)
                    && Self.code(source.lines[...]).contains { line in
                        Self.occurrences(of: name, in: line).contains { before, after in
                            (other == path || before.last == ".") && Self.isCall(before, after, label)
                        }
                    }
            } ?? false
        }
    }

    private static func isCall(_ before: Substring, _ after: Substring, _ label: String) -> Bool {
        if lastWord(of: before) == "func" { return false }
        guard label == "_" else { return after.hasPrefix("(\(label):") }
        // `statuses.filter(accept)` passes it on; `headers.add(.accept)` doesn't.
        return after.first == "(" || before.last != "." && (after.first == ")" || after.first == ",")
    }

    /// Whether a property is used in the blocks of code around some lines of a file, which are counted from 1.
    ///
    /// An initializer's `self.name = name` is no use.
    func hasUse(of property: String, in path: String, around lines: [Int]) -> Bool {
        guard let source = files[path] else { return false }
        return Set(lines.map { Self.block(around: $0, in: source.lines) }).contains { block in
            Self.hasUse(of: property, in: source.lines[block])
        }
    }

    /// Whether a property is used in any file.
    func hasUse(of property: String) -> Bool {
        paths.contains { path in
            files[path].map { $0.text.contains(property) && Self.hasUse(of: property, in: $0.lines[...]) } ?? false
        }
    }

    private static func hasUse(of property: String, in lines: ArraySlice<Substring>) -> Bool {
        code(lines).contains { line in
            !line.contains("self.\(property) = ")
                && occurrences(of: property, in: line).contains { before, after in
                    let isDeclaration = ["var", "let"].contains(lastWord(of: before)) && before.last == " "
                    let isText = before.last == "\"" && after.first == "\""
                    return !isDeclaration && !isText && after.first != ":"
                }
        }
    }

    /// The lines of the innermost block that has a line, by their indentation; all lines if it is in none.
    private static func block(around line: Int, in lines: [Substring]) -> Range<Int> {
        guard lines.indices.contains(line - 1) else { return lines.startIndex..<lines.endIndex }
        let inner = indentation(of: lines[line - 1])
        func isOutside(_ line: Substring) -> Bool {
            guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { return false }
            return indentation(of: line) < inner
        }
        let start = lines[..<(line - 1)].lastIndex(where: isOutside) ?? lines.startIndex
        let end = lines[line...].firstIndex(where: isOutside) ?? lines.endIndex
        return start..<end
    }

    private static func indentation(of line: Substring) -> Int { line.prefix(while: \.isWhitespace).count }

    /// The lines that are not comments.
    private static func code(_ lines: ArraySlice<Substring>) -> [Substring] {
        lines.filter { line in
            let text = line.drop(while: \.isWhitespace)
            return !text.hasPrefix("//") && !text.hasPrefix("*") && !text.hasPrefix("/*")
        }
    }

    /// Each place of a whole word in a line, as what is before and after it.
    private static func occurrences(of name: String, in line: Substring) -> [(Substring, Substring)] {
        line.ranges(of: name).map { (line[..<$0.lowerBound], line[$0.upperBound...]) }.filter { before, after in
            before.last?.isPartOfName != true && after.first?.isPartOfName != true
        }
    }

    private static func lastWord(of text: Substring) -> Substring? { text.split(separator: " ").last }
}
