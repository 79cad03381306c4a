/// An option that a command understands.
struct OptionSpecification: Sendable {
    /// The name behind the two dashes.
    let name: String
    /// The letter behind a single dash, if it has one.
    let letter: Character?
    let takesValue: Bool

    init(_ name: String, letter: Character? = nil, takesValue: Bool = false) {
        self.name = name
        self.letter = letter
        self.takesValue = takesValue
    }
}

/// What a command line said.
struct ReadOptions: Equatable, Sendable {
    struct Occurrence: Equatable, Sendable {
        let name: String
        let value: String?
    }

    /// The options in the order in which they were given, by their long names.
    var occurrences: [Occurrence] = []
    /// The words that belong to no option.
    var operands: [String] = []

    func contains(_ name: String) -> Bool {
        occurrences.contains { $0.name == name }
    }

    /// Every value of an option that may be repeated.
    func values(of name: String) -> [String] {
        occurrences.filter { $0.name == name }.compactMap(\.value)
    }

    /// The value of an option that is given once or not at all.
    ///
    /// - Throws: A usage failure where it is given twice.
    func value(of name: String, command: String) throws(CommandFailure) -> String? {
        let values = values(of: name)
        guard values.count < 2 else { throw .usage("--\(name) is given twice", command: command) }
        return values.first
    }
}
