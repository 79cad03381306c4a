/// Amounts of work that a document makes: what was done, or the most that is done.
///
/// References, parts and choices let a few lines stand for any number of schemas, types and requests. A limit depends
/// on the size of the document, and is many times what documents need.
package struct Work: Sendable, Hashable {
    /// The values that overlays look at and write.
    package var overlaid = 0
    /// The schemas that are read, each as often as something leads to it.
    package var schemas = 0
    /// The operations that are read, with their parameters, responses and the like.
    package var operationParts = 0
    /// The properties and parts that are looked at to merge the parts of `allOf`.
    package var merges = 0
    /// The schemas that are looked at to plan types.
    package var steps = 0
    /// The members of types: properties, cases, values, fields of forms.
    package var members = 0
    /// How often something was left out, since there was too much before.
    package var refusals = 0

    package init() {}

    /// The most for a document, by the size of all its files in bytes.
    package init(bytes: Int) {
        overlaid = 100_000 + bytes * 40
        schemas = 10_000 + bytes
        operationParts = 1_500 + bytes / 4
        merges = 50_000 + bytes * 5
        steps = 50_000 + bytes * 5
        members = 2_000 + bytes * 3 / 8
    }

    /// The most for a model that is made of samples, where nothing refers to anything.
    package static let unlimited = Self(bytes: 1 << 50)
}

extension String {
    /// What a text costs besides the thing that it names: what has a long name anew in each place is long itself.
    var weight: Int { utf8.count / 32 }
}

/// A count with a limit.
struct Budget {
    private(set) var spent = 0
    /// How often something was beyond the limit.
    private(set) var refusals = 0
    let max: Int

    init(_ max: Int) {
        self.max = max
    }

    var isSpent: Bool { spent >= max }

    /// Counts, and says whether that is within the limit; what is beyond it is counted no further.
    mutating func take(_ count: Int = 1) -> Bool {
        guard count <= max - spent else {
            spent = max
            refusals += 1
            return false
        }
        spent += count
        return true
    }
}
