/// Compares written words with known ones, to find what a misspelled word means.
public enum Spelling {
    /// The number of mistakes between two words: missing, additional and wrong letters, and swapped neighbors.
    ///
    /// It is the restricted Damerau-Levenshtein distance: a letter is part of at most one mistake. ASCII letters are
    /// compared without their case.
    ///
    /// - Parameters:
    ///   - written: A word.
    ///   - known: Another word.
    ///   - mistakesMax: The largest number that matters. Words whose lengths differ by more are not compared.
    /// - Returns: The number; `nil` if it is larger.
    public static func mistakes(in written: some StringProtocol, for known: String, max mistakesMax: Int) -> Int? {
        guard abs(written.utf8.count - known.utf8.count) <= mistakesMax else { return nil }
        let (left, right) = (letters(written), letters(known))
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
        return last[right.count] <= mistakesMax ? last[right.count] : nil
    }

    /// The known word that a misspelled one probably means.
    ///
    /// One letter in three may be wrong, and at most three. If no word is that near, the word may be the beginning of
    /// a single known one.
    ///
    /// - Parameters:
    ///   - written: The word.
    ///   - known: The known words; of equally near ones, the first is preferred.
    /// - Returns: The known word; `nil` if none is near.
    public static func suggestion(for written: some StringProtocol, among known: [String]) -> String? {
        let count = written.utf8.count
        guard count > 1 else { return nil }
        var best: (word: String, mistakes: Int)?
        var limit = min(max(count / 3, 1), 3)
        for word in known where word.utf8.count > 1 {
            guard let mistakes = mistakes(in: written, for: word, max: limit) else { continue }
            if mistakes == 0 { return word }
            (best, limit) = ((word, mistakes), mistakes - 1)
        }
        if let best { return best.word }
        let begun = known.filter { letters($0).starts(with: letters(written)) }
        return begun.count == 1 ? begun[0] : nil
    }

    /// The bytes without the case of ASCII letters.
    private static func letters(_ word: some StringProtocol) -> [UInt8] {
        word.utf8.map(ASCII.lowercased)
    }
}
