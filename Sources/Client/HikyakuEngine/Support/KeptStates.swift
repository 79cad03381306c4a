/// The states that a client keeps for the origins that it calls, such as their retry budgets.
///
/// Their number is limited, since an app may call any number of origins.
struct KeptStates<Key: Hashable & Sendable, State: Sendable>: Sendable {
    private static var countMax: Int { 1000 }

    private var states: [Key: State] = [:]

    subscript(_ key: Key) -> State? { states[key] }

    /// The number of states that are kept.
    var count: Int { states.count }

    /// Changes a state that is kept.
    ///
    /// - Returns: The result of the change; `nil` if it isn't kept.
    mutating func changeKnown<Result>(_ key: Key, by change: (inout State) -> Result) -> Result? {
        states.index(forKey: key).map { change(&states.values[$0]) }
    }

    /// Changes a state; one that is new is made first.
    ///
    /// - Parameters:
    ///   - key: What it is the state of.
    ///   - makeNew: Makes it.
    ///   - isIdle: Whether a state may be forgotten; used if there are too many.
    ///   - isLessNeeded: Which states are forgotten if too many aren't idle; then all are.
    ///   - change: Changes it.
    /// - Returns: The result of the change.
    mutating func change<Result>(
        _ key: Key,
        orNew makeNew: @autoclosure () -> State,
        forgetting isIdle: (State) -> Bool,
        orElse isLessNeeded: (State) -> Bool = { _ in true },
        by change: (inout State) -> Result,
    ) -> Result {
        if let known = states.index(forKey: key) { return change(&states.values[known]) }
        if states.count >= Self.countMax { states = states.filter { !isIdle($0.value) } }
        if states.count >= Self.countMax { states = states.filter { !isLessNeeded($0.value) } }
        if states.count >= Self.countMax { states = [:] }
        return change(&states[key, default: makeNew()])
    }
}
