#if os(Linux)
/// Calls that wait in several lines, from any of which one can leave at any time, in the same few steps.
struct CallLines<Call> {
    /// The ends of one line.
    struct Line {
        fileprivate(set) var first = -1
        fileprivate(set) var last = -1
        fileprivate var number = 0

        var isEmpty: Bool { first < 0 }
    }

    /// Identifies a call in a line; it is valid while the call waits.
    typealias Ticket = Int

    private struct Entry {
        var call: Call?
        /// Which line it is in.
        var line: Int
        var previous = -1
        var next = -1
    }

    private var entries: [Entry] = []
    private var free: [Ticket] = []
    private var lineCount = 0
    /// How many wait in all lines.
    private(set) var count = 0

    mutating func append(_ call: Call, to line: inout Line) -> Ticket {
        if line.number == 0 {
            lineCount += 1
            line.number = lineCount
        }
        let ticket = add(Entry(call: call, line: line.number, previous: line.last))
        if line.last >= 0 { entries[line.last].next = ticket } else { line.first = ticket }
        line.last = ticket
        return ticket
    }

    /// Whether a ticket is one of a line.
    func holds(_ ticket: Ticket, in line: Line) -> Bool {
        entries.indices.contains(ticket) && entries[ticket].line == line.number
    }

    mutating func popFirst(of line: inout Line) -> Call? {
        line.isEmpty ? nil : remove(line.first, from: &line)
    }

    /// Removes a call from its line; `nil` if it is no longer there.
    mutating func remove(_ ticket: Ticket, from line: inout Line) -> Call? {
        guard entries.indices.contains(ticket), let call = entries[ticket].call else { return nil }
        let entry = entries[ticket]
        if entry.previous >= 0 { entries[entry.previous].next = entry.next } else { line.first = entry.next }
        if entry.next >= 0 { entries[entry.next].previous = entry.previous } else { line.last = entry.previous }
        entries[ticket].call = nil
        free.append(ticket)
        count -= 1
        // The memory of a busy time is not kept for ever.
        if count == 0, entries.count > 64 { (entries, free) = ([], []) }
        return call
    }

    private mutating func add(_ entry: Entry) -> Ticket {
        count += 1
        guard let ticket = free.popLast() else {
            entries.append(entry)
            return entries.count - 1
        }
        entries[ticket] = entry
        return ticket
    }
}
#endif
