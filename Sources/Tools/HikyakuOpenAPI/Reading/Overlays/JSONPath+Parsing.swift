extension JSONPath {
    /// Why a text is not a path, or one that isn't supported.
    struct Fault: Error {
        var words: String
    }

    /// Reads a path, which begins with `$`.
    init(_ text: String) throws(Fault) {
        var parser = Parser(text: Array(text.unicodeScalars))
        parser.skipSpace()
        guard parser.take("$") else { throw Fault(words: "it doesn't begin with '$'") }
        segments = try parser.segments()
        parser.skipSpace()
        if let rest = parser.next { throw Fault(words: "\(String(Character(rest)).quoted) is not expected") }
    }

    private struct Parser {
        let text: [Unicode.Scalar]
        var index = 0
        var depth = 0

        init(text: [Unicode.Scalar]) {
            self.text = text
        }

        var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

        mutating func skipSpace() {
            while let scalar = next, [" ", "\t", "\n", "\r"].contains(scalar) { index += 1 }
        }

        /// Takes a text if it comes next.
        mutating func take(_ expected: String) -> Bool {
            let scalars = Array(expected.unicodeScalars)
            guard text.count - index >= scalars.count, Array(text[index..<(index + scalars.count)]) == scalars else {
                return false
            }
            index += scalars.count
            return true
        }

        mutating func expect(_ expected: String) throws(Fault) {
            skipSpace()
            guard take(expected) else { throw Fault(words: "\(expected.quoted) is missing") }
        }

        // MARK: Segments

        mutating func segments() throws(Fault) -> [Segment] {
            var segments: [Segment] = []
            while true {
                let start = index
                skipSpace()
                if take("..") {
                    segments.append(Segment(isRecursive: true, selectors: try selectorsAfterDot()))
                } else if take(".") {
                    segments.append(Segment(isRecursive: false, selectors: try selectorsAfterDot()))
                } else if next == "[" {
                    segments.append(Segment(isRecursive: false, selectors: try brackets()))
                } else {
                    index = start
                    return segments
                }
            }
        }

        private mutating func selectorsAfterDot() throws(Fault) -> [Selector] {
            if next == "[" { return try brackets() }
            if take("*") { return [.wildcard] }
            var name = "".unicodeScalars
            while let scalar = next, Self.isNameScalar(scalar) {
                name.append(scalar)
                index += 1
            }
            guard !name.isEmpty else { throw Fault(words: "a name is missing after a dot") }
            if next == "(" { throw Fault(words: "functions are not supported") }
            return [.name(String(name))]
        }

        /// Hyphens are more than the RFC allows, but people write them.
        private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value >= 0x80 || scalar.properties.isAlphabetic || scalar == "_" || scalar == "-" || scalar == "$"
                || 0x30...0x39 ~= scalar.value
        }

        private mutating func brackets() throws(Fault) -> [Selector] {
            try expect("[")
            var selectors: [Selector] = []
            repeat {
                skipSpace()
                selectors.append(try selector())
                skipSpace()
            } while take(",")
            try expect("]")
            return selectors
        }

        private mutating func selector() throws(Fault) -> Selector {
            switch next {
            case "'", "\"": return .name(try quoted())
            case "*":
                index += 1
                return .wildcard
            case "?":
                index += 1
                return .filter(try filter())
            default: return try indexOrSlice()
            }
        }

        private mutating func indexOrSlice() throws(Fault) -> Selector {
            let start = integer()
            skipSpace()
            guard take(":") else {
                guard let start else { throw Fault(words: "a name, an index, '*' or '?' is missing in brackets") }
                return .index(start)
            }
            skipSpace()
            let end = integer()
            skipSpace()
            var step = 1
            if take(":") {
                skipSpace()
                step = integer() ?? 1
            }
            return .slice(start: start, end: end, step: step)
        }

        private mutating func integer() -> Int? {
            let start = index
            if next == "-" { index += 1 }
            while let scalar = next, 0x30...0x39 ~= scalar.value { index += 1 }
            let digits = String(String.UnicodeScalarView(text[start..<index]))
            guard let value = Int(digits), -1_000_000_000...1_000_000_000 ~= value else {
                index = start
                return nil
            }
            return value
        }

        private mutating func quoted() throws(Fault) -> String {
            guard let quote = next else { throw Fault(words: "a text is missing") }
            index += 1
            var content = "".unicodeScalars
            while let scalar = next, scalar != quote {
                index += 1
                guard scalar == "\\" else {
                    content.append(scalar)
                    continue
                }
                guard let escaped = next else { break }
                index += 1
                switch escaped {
                case "n": content.append("\n")
                case "t": content.append("\t")
                case "u": throw Fault(words: "escapes of code points are not supported")
                default: content.append(escaped)
                }
            }
            guard next == quote else { throw Fault(words: "a quote is missing") }
            index += 1
            return String(content)
        }

        // MARK: Filters

        private mutating func filter() throws(Fault) -> Filter {
            guard depth < 32 else { throw Fault(words: "the filter is too deep") }
            depth += 1
            defer { depth -= 1 }
            var result = try conjunction()
            skipSpace()
            while take("||") {
                result = .or(result, try conjunction())
                skipSpace()
            }
            return result
        }

        private mutating func conjunction() throws(Fault) -> Filter {
            var result = try term()
            skipSpace()
            while take("&&") {
                result = .and(result, try term())
                skipSpace()
            }
            return result
        }

        private mutating func term() throws(Fault) -> Filter {
            skipSpace()
            if next == "!" {
                guard depth < 32 else { throw Fault(words: "the filter is too deep") }
                depth += 1
                defer { depth -= 1 }
                index += 1
                return .not(try term())
            }
            if take("(") {
                let inner = try filter()
                try expect(")")
                return inner
            }
            let one = try operand()
            skipSpace()
            guard let comparison = comparison() else {
                guard case .query(let query) = one else { throw Fault(words: "a filter has no comparison") }
                return .exists(query)
            }
            return .compares(one, comparison, try operand())
        }

        private mutating func comparison() -> Comparison? {
            let all: [(String, Comparison)] = [
                ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less),
                (">", .greater),
            ]
            for (text, comparison) in all where take(text) { return comparison }
            return nil
        }

        private mutating func operand() throws(Fault) -> Operand {
            skipSpace()
            switch next {
            case "'", "\"": return .literal(.string(try quoted()))
            case "@", "$":
                guard depth < 32 else { throw Fault(words: "the filter is too deep") }
                depth += 1
                defer { depth -= 1 }
                let isAbsolute = next == "$"
                index += 1
                return .query(Query(isAbsolute: isAbsolute, segments: try segments()))
            default: break
            }
            if take("true") { return .literal(.bool(true)) }
            if take("false") { return .literal(.bool(false)) }
            if take("null") { return .literal(.null) }
            var number = "".unicodeScalars
            while let scalar = next, 0x30...0x39 ~= scalar.value || ["-", "+", ".", "e", "E"].contains(scalar) {
                number.append(scalar)
                index += 1
            }
            guard YAMLScalar.isNumber(String(number)) else {
                throw Fault(words: "functions are not supported, and nothing else is a value here")
            }
            return .literal(.number(String(number)))
        }
    }
}
