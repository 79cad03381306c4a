/// What the reports of all benchmarks share.
public enum Table {
    /// Columns of a width each, the first to the left and the others to the right.
    public static func line(_ columns: [String], widths: [Int]) -> String {
        zip(columns, widths).enumerated().map { index, column in
            let padding = String(repeating: " ", count: max(column.1 - column.0.count, 1))
            return index == 0 ? column.0 + padding : padding + column.0
        }.joined()
    }
}

/// The value in the middle, or between the two in the middle; not a number where there are none.
public func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
