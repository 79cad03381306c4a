/// A public type of a library, as its source declares it.
struct PublicType: Equatable, Sendable {
    /// The name with those of the types around it: `HTTPProxy.Credentials`.
    var name: String
    var file: String
    var line: Int
    /// Whether its doc comment has an example, or that of one of its initializers or factories.
    var hasExample: Bool

    /// The public types in the sources of the libraries.
    static func types(in sources: [(file: String, text: String)]) -> [PublicType] {
        var types: [PublicType] = []
        var shownByFactories: Set<String> = []
        for source in sources {
            var scan = Scan(file: source.file)
            for (index, line) in source.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                scan.read(line, number: index + 1)
            }
            types += scan.types
            shownByFactories.formUnion(scan.shownByFactories)
        }
        return types.map { type in
            var type = type
            type.hasExample = type.hasExample || shownByFactories.contains(type.name)
            return type
        }
    }

    /// The lines of a file, one after another.
    private struct Scan {
        let file: String
        var types: [PublicType] = []
        var shownByFactories: Set<String> = []
        /// The types and extensions around the line, outermost first.
        private var around: [(margin: Int, name: Substring)] = []
        /// Whether the doc comment above the line has an example, and whether the declaration is for others alone.
        private var hasExample = false
        private var isHidden = false

        init(file: String) {
            self.file = file
        }

        mutating func read(_ line: Substring, number: Int) {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("///") {
                hasExample = hasExample || text.hasSuffix("```swift")
                return
            }
            isHidden = isHidden || text.hasPrefix("@_spi")
            // Attributes are between a doc comment and its declaration.
            let words = Self.withoutAttributes(text).split(separator: " ")
            if words.isEmpty, !text.isEmpty { return }
            let margin = line.count - text.count
            let isEnd = text.hasPrefix("}") && !text.hasPrefix("})")
            if !text.isEmpty { around.removeAll { $0.margin > margin || $0.margin == margin && isEnd } }
            declare(words, margin: margin, number: number)
            (hasExample, isHidden) = (false, false)
        }

        private mutating func declare(_ words: [Substring], margin: Int, number: Int) {
            let modifiers: Set<Substring> = ["public", "package", "private", "fileprivate", "final", "indirect"]
            let rest = words.drop { modifiers.contains($0) || $0 == "nonisolated" || $0 == "convenience" }
            let isPublic = words.first == "public" && !isHidden
            guard let keyword = rest.first else { return }
            let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
            if kinds.contains(keyword) || keyword == "extension", let head = rest.dropFirst().first {
                let name = head.prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
                around.removeAll { $0.margin >= margin }
                around.append((margin, name))
                guard isPublic, keyword != "extension" else { return }
                types.append(PublicType(name: fullName, file: file, line: number, hasExample: hasExample))
            } else if isPublic, hasExample, keyword.hasPrefix("init") || keyword == "static" {
                shownByFactories.insert(fullName)
            }
        }

        private static func withoutAttributes(_ text: Substring) -> Substring {
            guard text.hasPrefix("@") else { return text }
            let attributes = #/(?:@\w+(?:\([^)]*\))?\s*)+/#
            return text.prefixMatch(of: attributes).map { text[$0.range.upperBound...] } ?? text
        }

        private var fullName: String { around.map(\.name).joined(separator: ".") }
    }
}
