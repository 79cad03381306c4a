/// The command-line arguments of a benchmark.
public struct Options: Sendable {
    /// How often everything is measured.
    public private(set) var rounds = 5
    /// How long one measurement takes, in seconds.
    public private(set) var seconds: Double
    /// Whether a figure that isn't reached is a failure.
    public private(set) var isCheck = false
    /// Whether instructions are counted instead of time.
    public private(set) var countsInstructions = false
    private var chosen: [String] = []

    /// What is said of words that can't be read.
    ///
    /// - Parameters:
    ///   - command: The benchmark as it is called.
    ///   - rows: The names behind `--only`.
    /// - Returns: Two lines.
    public static func usage(_ command: String, rows: [String]) -> String {
        """
        usage: \(command) [--rounds N] [--seconds S] [--only ROW] [--check] [--instructions]
        rows: \(rows.joined(separator: ", ")); --only can be given several times
        """
    }

    /// Reads the words behind the program's name.
    ///
    /// - Parameters:
    ///   - arguments: The words.
    ///   - rows: The names that may follow `--only`.
    ///   - seconds: How long a measurement takes unless the words say it.
    public init?(_ arguments: some Sequence<String>, rows: [String], seconds: Double) {
        self.seconds = seconds
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--check":
                isCheck = true
            case "--instructions":
                countsInstructions = true
            case "--rounds":
                guard let rounds = rest.popFirst().flatMap({ Int($0) }), rounds > 0 else { return nil }
                self.rounds = rounds
            case "--seconds":
                guard let seconds = rest.popFirst().flatMap(Double.init), seconds > 0 else { return nil }
                self.seconds = seconds
            case "--only":
                guard let name = rest.popFirst(), rows.contains(name) else { return nil }
                chosen.append(name)
            default:
                return nil
            }
        }
    }

    /// Whether a row is to be measured: all are where none is named.
    public func includes(_ row: String) -> Bool {
        chosen.isEmpty || chosen.contains(row)
    }
}
