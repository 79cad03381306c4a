/// The words of a command line, sorted into options with their values and operands.
nonisolated struct Words: Sendable {
    private static let optionsWithValue: Set = [
        "--environment", "--token", "--log", "--page", "--per-page", "--query",
    ]

    private(set) var options: [String: String] = [:]
    private var operands: [String] = []

    /// Accepts `--name value` and `--name=value`; after `--` every word is an operand.
    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            if word == "--help" || word == "-h" {
                options["--help"] = ""
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard Self.optionsWithValue.contains(parts[0]) else { throw UsageError("there is no option \(parts[0])") }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                throw UsageError("\(parts[0]) needs a value")
            }
            guard options.updateValue(value, forKey: parts[0]) == nil else {
                throw UsageError("\(parts[0]) is used twice")
            }
        }
    }

    /// Removes an option and returns its value.
    mutating func take(_ option: String) -> String? {
        options.removeValue(forKey: option)
    }

    /// Removes and returns the next operand.
    mutating func takeOperand() -> String? {
        operands.isEmpty ? nil : operands.removeFirst()
    }

    /// Rejects options and operands that were not read.
    func rejectRest() throws(UsageError) {
        if let operand = operands.first { throw UsageError("\(operand) is an unexpected argument") }
        if let option = options.keys.min() { throw UsageError("\(option) does not belong to this command") }
    }
}
