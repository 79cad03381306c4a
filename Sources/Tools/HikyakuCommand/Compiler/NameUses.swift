/// Finds uses of a name in source files without parsing them.
///
/// In doubt there is a use: a name in a string or in a comment after code counts, and so does another declaration's.
struct NameUses {
    let files: SourceFiles
    /// The files to look through.
    let paths: [String]

    /// Whether a function is called or passed on in any file.
    ///
    /// - Parameter function: The name with the label of its only parameter: `failure(in:)`.
    /// - Returns: Whether it is used; `false` if no file can be read.
    func hasUse(ofFunction function: String) -> Bool {
        let (name, label) = Self.parts(of: function)
        return paths.contains { path in
            hasOccurrence(of: name, in: path) { before, after in
                guard Self.lastWord(of: before) != "func", !Self.isMemberOfInferredType(before) else { return false }
                guard after.first == "(" else { return Self.isPassedOn(before, after, label) }
                // The label may be on the next line.
                let argument = after.dropFirst().drop(while: \.isWhitespace)
                return label == "_" || argument.isEmpty || argument.hasPrefix("\(label):")
            }
        }
    }

    /// Whether a property or a type alias is used in any file.
    ///
    /// An initializer's `self.name = name` is not a use.
    func hasUse(of name: String) -> Bool {
        paths.contains { path in hasOccurrence(of: name, in: path) { Self.isUse(of: name, $0, $1) } }
    }

    /// Whether a property is used in the blocks of code around some places.
    func hasUse(of property: String, around places: [SymbolGraph.Location]) -> Bool {
        Dictionary(grouping: places, by: \.file).contains { path, places in
            guard let source = files[path] else { return false }
            return Set(places.map { Self.block(around: $0.line, in: source.lines) }).contains { block in
                Self.hasOccurrence(of: property, in: source.lines[block]) { Self.isUse(of: property, $0, $1) }
            }
        }
    }

    /// The name without its label, and the label; an empty label if the function has not exactly one parameter.
    static func parts(of function: String) -> (name: String, label: String) {
        let name = function.prefix { $0 != "(" }
        let labels = function[name.endIndex...].dropFirst().dropLast().split(separator: ":")
        return (String(name), labels.count == 1 ? String(labels[0]) : "")
    }

    /// Whether a function is passed on, as in `statuses.filter(accept)` and `self.accept`.
    ///
    /// A name alone is more often that of a constant if the function has a label.
    private static func isPassedOn(_ before: Substring, _ after: Substring, _ label: String) -> Bool {
        if before.last == "." { return true }
        let start = trimmed(before)
        if ["map(", "Map(", "filter("].contains(where: start.hasSuffix) { return true }
        guard label == "_" else { return false }
        let isArgument = start.last.map { "(,[=?:".contains($0) } ?? false
        return isArgument || lastWord(of: start) == "return"
    }

    private static func isUse(of name: String, _ before: Substring, _ after: Substring) -> Bool {
        let isDeclaration = ["var", "let", "func", "typealias"].contains(lastWord(of: before)) && before.last == " "
        let isText = before.last == "\"" && after.first == "\""
        let isAssigned = before.hasSuffix("self.") && after.hasPrefix(" = ") || before.hasSuffix("self.\(name) = ")
        return !isDeclaration && !isText && !isAssigned && after.first != ":"
    }

    /// `headers.add(.accept)` means a member of another type.
    private static func isMemberOfInferredType(_ before: Substring) -> Bool {
        guard before.last == "." else { return false }
        let owner = before.dropLast().last
        return owner.map { !$0.isPartOfName && !")]}?!>\"`".contains($0) } ?? true
    }

    // MARK: - Text

    private func hasOccurrence(
        of name: String,
        in path: String,
        where isMeant: (Substring, Substring) -> Bool,
    ) -> Bool {
        guard let source = files[path], source.text.contains(name) else { return false }
        return Self.hasOccurrence(of: name, in: source.lines[...], where: isMeant)
    }

    /// Whether a whole word in the code of some lines fulfils a condition on what is before and after it.
    private static func hasOccurrence(
        of name: String,
        in lines: ArraySlice<Substring>,
        where isMeant: (Substring, Substring) -> Bool,
    ) -> Bool {
        lines.contains { line in
            let text = trimmed(line)
            guard !text.hasPrefix("//"), !text.hasPrefix("*"), !text.hasPrefix("/*") else { return false }
            return line.ranges(of: name).contains { range in
                let (before, after) = (line[..<range.lowerBound], line[range.upperBound...])
                return before.last?.isPartOfName != true && after.first?.isPartOfName != true && isMeant(before, after)
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

    private static func lastWord(of text: Substring) -> Substring? { text.split(separator: " ").last }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        return start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count)
    }
}
