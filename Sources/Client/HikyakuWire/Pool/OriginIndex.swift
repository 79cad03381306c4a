#if os(Linux)
/// The numbers of origins by their keys; those of origins that were forgotten are given again.
struct OriginIndex {
    private var numbers: [String: Int] = [:]
    private var free: [Int] = []
    private var usedCount = 0
    private var countToPrune = 256

    subscript(key: String) -> Int? { numbers[key] }

    /// Gives a new key a number: a free one, or the next.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isUnused: Whether an origin is not needed at the moment. Such ones are forgotten when there are many, so
    ///     that their number is bounded.
    /// - Returns: The number.
    mutating func add(_ key: String, isUnused: (Int) -> Bool) -> Int {
        if numbers.count >= countToPrune { prune(isUnused) }
        let number = free.popLast() ?? usedCount
        usedCount = max(usedCount, number + 1)
        numbers[key] = number
        return number
    }

    private mutating func prune(_ isUnused: (Int) -> Bool) {
        for (key, number) in numbers where isUnused(number) {
            numbers[key] = nil
            free.append(number)
        }
        // Twice the number that is left, so that the cost for each new origin is constant.
        countToPrune = max(256, numbers.count * 2)
    }
}
#endif
