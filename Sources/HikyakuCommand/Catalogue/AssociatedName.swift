/// The types that a request names by an alias.
enum AssociatedName: String, CaseIterable, Sendable {
    case response = "Response", definition = "Definition", access = "Access", failure = "Failure"

    /// How many letters may be missing, too many, other ones or swapped.
    private static let mistakesMax = 2

    /// The one that a name nearly is; `nil` for a name that is one of them, or near to none.
    ///
    /// The first letter has to be right, in upper or lower case: a name of one's own that differs there is a word by
    /// itself.
    static func meant(by name: String) -> AssociatedName? {
        guard AssociatedName(rawValue: name) == nil else { return nil }
        let letters = Array(name.lowercased().utf8)
        return allCases.first { candidate in
            let other = Array(candidate.rawValue.lowercased().utf8)
            return letters.first == other.first && mistakes(letters, other) <= mistakesMax
        }
    }

    /// The distance of two words, in which two neighbours that are swapped count as one mistake.
    private static func mistakes(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard abs(left.count - right.count) <= mistakesMax else { return mistakesMax + 1 }
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var least = min(next[column] + 1, last[column + 1] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }
}
