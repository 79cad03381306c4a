/// What has no effect on generated code, by kind: a document may have thousands of each.
package struct Tally: Sendable {
    private struct Entry: Sendable {
        var action: String
        var position: SourcePosition
        var count: Int
    }

    private var entries: [String: Entry] = [:]
    /// The kinds in the order in which they were found.
    private var order: [String] = []
    private static let kindsMax = 500

    /// Counts a place, of which the first one of its kind is shown.
    mutating func add(_ message: String, at position: SourcePosition, action: String) {
        if entries[message] != nil {
            entries[message]?.count += 1
        } else if order.count < Self.kindsMax {
            entries[message] = Entry(action: action, position: position, count: 1)
            order.append(message)
        }
    }

    /// Adds a finding for each kind.
    func report(
        to findings: Findings,
        _ severity: Diagnostic.Severity = .note,
        _ code: Diagnostic.Code = .notGenerated,
    ) {
        for message in order {
            guard let entry = entries[message] else { continue }
            let further = entry.count == 1 ? "" : " (here and in \(entry.count - 1) more places)"
            let text = message + further
            findings.add(
                severity,
                code,
                at: entry.position,
                text,
                action: entry.action,
                places: entry.count,
            )
        }
    }
}
