extension Schema {
    /// The texts of the members that a type of it has: their names, and what is said about them.
    var memberTexts: [String] {
        let values = (values ?? []).map { ($0.value.scalarText ?? "") + ($0.description ?? "") }
        let elements = prefixItems.map { $0.description ?? "" }
        return values + elements + properties.map { $0.name + ($0.schema.description ?? "") }
    }
}

/// What was done to plan types, with the limits of it.
struct PlanningEffort {
    /// The schemas that were looked at, and the members of what was made of them.
    private var steps: Budget
    private var members: Budget
    /// The limits that the document exceeds, each with its first place.
    private(set) var exceeded = Tally()

    init(_ most: Work) {
        (steps, members) = (Budget(most.steps), Budget(most.members))
    }

    var work: Work {
        var work = Work()
        (work.steps, work.members) = (steps.spent, members.spent)
        work.refusals = steps.refusals + members.refusals
        return work
    }

    /// Counts what is looked at of a schema; `false` if there was too much.
    mutating func step(_ count: Int, at schema: Schema) -> Bool {
        if steps.take(count) { return true }
        exceed("the schemas refer to each other in too many ways", at: schema)
        return false
    }

    /// Counts members by their texts; `false` if there are too many.
    mutating func take(_ texts: [String], besides count: Int, at schema: Schema) -> Bool {
        if members.take(texts.reduce(count + texts.count) { $0 + $1.weight }) { return true }
        exceed("references and combinations would make more than \(members.max) properties and cases", at: schema)
        return false
    }

    /// Notes a limit that the document exceeds, for one diagnostic with its first place.
    mutating func exceed(_ message: String, at schema: Schema) {
        exceeded.add(message, at: schema.origin.position, action: "it is generated as JSONValue")
    }
}
