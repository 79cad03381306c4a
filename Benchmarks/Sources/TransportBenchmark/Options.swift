struct Options {
    var rounds = 5
    var seconds = 2.0
    var warmUp = 0.5
    /// Whether a figure that isn't reached is a failure.
    var isCheck = false

    static let usage = "usage: bench [--rounds N] [--seconds S] [--check]"

    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--check":
                isCheck = true
            case "--rounds":
                guard let rounds = rest.popFirst().flatMap({ Int($0) }), rounds > 0 else { return nil }
                self.rounds = rounds
            case "--seconds":
                guard let seconds = rest.popFirst().flatMap(Double.init), seconds > 0 else { return nil }
                self.seconds = seconds
            default:
                return nil
            }
        }
    }
}
