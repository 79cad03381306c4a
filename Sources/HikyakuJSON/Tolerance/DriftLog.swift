/// The drifts of one document while it is read: places and types, which cost little to keep.
///
/// What else is told of them is found out at the end, for those few that are reported.
///
/// `@unchecked`, since settings are `Sendable` and carry the log: the compiler can't see that each call to a decoder
/// makes a log of its own, and that only what that call runs, on its thread, has settings with it.
final class DriftLog: @unchecked Sendable {
    struct Entry {
        let kind: JSONDrift.Kind
        /// Of the value, or of the object that lacks the key.
        let offset: Int
        /// The key that is missing.
        let key: String?
        let type: any Any.Type
        let error: (any Error)?
    }

    /// Those beyond the limit that have a kind and a type in common.
    struct Rest {
        let kind: JSONDrift.Kind
        let type: any Any.Type
        var count: Int
    }

    private struct RestKey: Hashable {
        let kind: JSONDrift.Kind
        let type: ObjectIdentifier
    }

    private(set) var entries: [Entry] = []
    private(set) var rests: [Rest] = []
    private var restPlaces: [RestKey: Int] = [:]

    func add(_ entry: Entry) {
        guard entries.count >= JSONDrift.reportedMax else {
            entries.append(entry)
            return
        }
        let key = RestKey(kind: entry.kind, type: ObjectIdentifier(entry.type))
        if let place = restPlaces[key] {
            rests[place].count += 1
        } else {
            restPlaces[key] = rests.count
            rests.append(Rest(kind: entry.kind, type: entry.type, count: 1))
        }
    }
}

extension ValueDecoder {
    /// Notes what was tolerated of the decoder's value.
    func drift(_ kind: JSONDrift.Kind, _ type: any Any.Type) {
        session.drift(kind, at: session.offset(of: place), type)
    }
}

extension ReadingContext {
    /// Notes what was tolerated, if anybody wants to know.
    final func drift(
        _ kind: JSONDrift.Kind,
        at offset: Int,
        key: String? = nil,
        _ type: any Any.Type,
        _ error: (any Error)? = nil,
    ) {
        settings.driftLog?.add(DriftLog.Entry(kind: kind, offset: offset, key: key, type: type, error: error))
    }
}
