import Foundation
import Testing

/// The seed of a random test: another one each time, or that of the environment, by which what was found is found
/// again.
///
/// ```sh
/// HIKYAKU_TEST_SEED=14237 scripts/test --filter DecodingDifferentialTests
/// ```
package func testSeed(
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    sourceLocation: SourceLocation = #_sourceLocation,
) -> UInt64 {
    guard let text = environment["HIKYAKU_TEST_SEED"] else { return .random(in: 0 ... .max) }
    guard let seed = UInt64(text) else {
        Issue.record(
            "HIKYAKU_TEST_SEED is not a seed: '\(text)'; give the number that the test printed",
            sourceLocation: sourceLocation,
        )
        return 0
    }
    return seed
}
