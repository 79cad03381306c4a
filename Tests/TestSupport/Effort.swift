import Foundation

/// How much a test tries of what it could try: a part with each change, everything at night.
///
/// ```sh
/// HIKYAKU_TRIES_ALL=1 scripts/test --filter MutationTests
/// ```
package enum Effort {
    /// Whether everything is tried, as `scripts/nightly` does.
    package static let isFull = ProcessInfo.processInfo.environment["HIKYAKU_TRIES_ALL"] != nil

    /// The rounds of a test with random input: a fifth of all, since each run has a seed of its own.
    package static func rounds(_ all: Int) -> Int { isFull ? all : (all + 4) / 5 }

    /// The inputs that are tried: the first few, or all of them.
    package static func some<Input>(_ inputs: [Input], first count: Int = 1) -> [Input] {
        isFull ? inputs : Array(inputs.prefix(count))
    }
}
