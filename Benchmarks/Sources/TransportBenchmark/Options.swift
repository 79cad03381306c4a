struct Options {
    var rounds = 5
    var seconds = 2.0
    var warmUp = 0.5
    /// The rows that are measured.
    var rows = Row.all
    /// Whether a figure that isn't reached is a failure.
    var isCheck = false
    /// Whether instructions are counted instead of time.
    var countsInstructions = false

    static let usage = """
        usage: bench [--rounds N] [--seconds S] [--only ROW] [--check] [--instructions]
        rows: \(Row.all.map(\.name).joined(separator: ", ")); --only can be given several times
        """

    init?(_ arguments: [String]) {
        var rest = arguments[...]
        var chosen: [String] = []
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
                guard let name = rest.popFirst(), Row.all.contains(where: { $0.name == name }) else { return nil }
                chosen.append(name)
            default:
                return nil
            }
        }
        if !chosen.isEmpty { rows = rows.filter { chosen.contains($0.name) } }
    }
}
