import Foundation
import Testing

/// Replaces each text of a tree by texts that try to become code, and collects what is wrong with the results.
///
/// With full ``Effort`` all of them are tried; otherwise a seed chooses some.
package struct PlaceSearch: Sendable {
    /// One replacement.
    package struct Try: Sendable {
        package var place: Place
        package var payload: Payload
        /// Whether the text comes after that of the place, so that what checks its beginning accepts it.
        package var isAppended: Bool
        /// Whether all that names the same is replaced, too.
        package var isRenamed: Bool
        /// Distinguishes tries, for choices that go by turns.
        package var number = 0

        package var text: String { isAppended ? place.text + payload.text : payload.text }

        fileprivate var description: String {
            "\(payload.name)\(isAppended ? ", appended" : "")\(isRenamed ? ", renamed along" : "")"
        }

        func applied(to tree: JSONTree) -> JSONTree {
            let changed = tree.replacing(place, with: text)
            return isRenamed ? changed.renaming(place.text, to: text) : changed
        }
    }

    /// What was found.
    package struct Findings: Sendable, CustomStringConvertible {
        /// The faults by place.
        package fileprivate(set) var faults: [String: [String]] = [:]
        package fileprivate(set) var tryCount = 0

        package var isEmpty: Bool { faults.isEmpty }

        /// A line for each place, with one of its faults.
        package var description: String {
            let places = faults.sorted { $0.key < $1.key }
            return "\(places.count) places: "
                + places.map { "\n\($0): \($1.count) times, such as \($1.first ?? "")" }.joined()
        }
    }

    /// Names the search in what it prints.
    private let name: String
    let tree: JSONTree
    /// The tries in their order, with their numbers.
    package private(set) var tries: [Try]

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - name: What is searched, for messages.
    ///   - tree: The harmless input.
    ///   - sample: How many tries are made if not all are.
    ///   - payloads: The texts.
    package init(_ name: String, in tree: JSONTree, sample: Int, payloads: [Payload] = Payload.all) {
        (self.name, self.tree) = (name, tree)
        tries = Self.tries(tree, payloads)
        for index in tries.indices { tries[index].number = index }
        guard !Effort.isFull else { return }
        let seed = testSeed()
        print("seed of the places of \(name): \(seed)")
        var random = SeededGenerator(seed: seed)
        tries = Array(tries.shuffled(using: &random).prefix(sample))
    }

    /// All of a list in a full run; otherwise some, by a seed that is printed.
    package static func some<Element>(_ count: Int, of all: [Element]) -> [Element] {
        guard !Effort.isFull else { return all }
        let seed = testSeed()
        print("seed of what is chosen: \(seed)")
        var random = SeededGenerator(seed: seed)
        return Array(all.shuffled(using: &random).prefix(count))
    }

    private static func tries(_ tree: JSONTree, _ payloads: [Payload]) -> [Try] {
        tree.places().flatMap { place in
            payloads.flatMap { payload in
                [false, true].flatMap { isAppended in
                    (place.isName ? [false, true] : [false]).map {
                        Try(place: place, payload: payload, isAppended: isAppended, isRenamed: $0)
                    }
                }
            }
        }
    }

    /// Makes the tries; all processors take part.
    ///
    /// - Parameter faults: What is wrong with the result of a changed input.
    /// - Returns: What is wrong, by place.
    package func findings(_ faults: @escaping @Sendable (JSONTree, Try) -> [String]) async -> Findings {
        let workers = max(1, min(8, ProcessInfo.processInfo.activeProcessorCount))
        let (tree, tries) = (tree, tries)
        var found = await withTaskGroup(of: [String: [String]].self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var found: [String: [String]] = [:]
                    for index in stride(from: worker, to: tries.count, by: workers) {
                        let attempt = tries[index]
                        let messages = faults(attempt.applied(to: tree), attempt)
                        guard !messages.isEmpty else { continue }
                        found[attempt.place.pointer, default: []] += messages.map { "\(attempt.description): \($0)" }
                    }
                    return found
                }
            }
            return await group.reduce(into: Findings()) { $0.faults.merge($1, uniquingKeysWith: +) }
        }
        found.tryCount = tries.count
        print("\(name): \(tries.count) replacements of \(tree.places().count) texts and keys were tried")
        return found
    }
}
