import Foundation
import HikyakuTesting
import Testing

@testable import Hikyaku

/// Every interleaving of what callers, the store, the service and the user may do, and not a sample of them.
@Suite(.serialized)
struct RefreshExplorationTests {
    struct Scenario: CustomTestStringConvertible {
        let name: String
        let start: RefreshWorld

        var testDescription: String { name }

        init(
            _ name: String,
            _ budget: RefreshWorld.Budget,
            stored: IssuedToken? = RefreshWorld.token(0, endsAt: 1),
            means: RefreshWorld.Machine.Means = .refreshToken,
            ahead: TimeInterval? = nil,
        ) {
            self.name = name
            start = RefreshWorld(means, budget, stored: stored, ahead: ahead)
        }
    }

    private typealias Budget = RefreshWorld.Budget

    private static let scenarios = [
        Scenario("four callers, and refreshes that succeed", Budget(refusals: 3)),
        Scenario("four callers, and refreshes that fail", Budget(finalFailures: 1, passingFailures: 1)),
        Scenario("three callers, and a store that fails", Budget(callers: 3, finalFailures: 1, storeFailures: 2)),
        Scenario("four callers, and signing out", Budget(refusals: 1, signOuts: 1)),
        Scenario("three callers, signing in and out", Budget(callers: 3, refusals: 1, signIns: 1, signOuts: 1)),
        Scenario(
            "two callers, signing in and out with all failures",
            Budget(
                callers: 2,
                refusals: 1,
                cancellations: 0,
                finalFailures: 1,
                passingFailures: 1,
                storeFailures: 1,
                signIns: 1,
                signOuts: 1,
            ),
        ),
        Scenario("four callers, and another process that refreshes", Budget(refusals: 1, otherRefreshes: 1)),
        Scenario(
            "two callers, and another process that refreshes and signs out",
            Budget(callers: 2, cancellations: 0, passingFailures: 1, otherRefreshes: 2, otherSignOuts: 1),
        ),
        Scenario("three callers, and nothing in the store", Budget(callers: 3, signIns: 1), stored: nil),
        Scenario(
            "three callers, and a token that can't be refreshed",
            Budget(callers: 3),
            stored: RefreshWorld.token(0, endsAt: 1, refreshable: false),
        ),
        Scenario(
            "four callers, and tokens that are issued",
            Budget(finalFailures: 1, passingFailures: 1),
            stored: nil,
            means: .issue,
        ),
        Scenario(
            "three callers, and refreshes ahead",
            Budget(callers: 3, refusals: 1, finalFailures: 1, passingFailures: 1, alarms: 2),
            ahead: 0.5,
        ),
    ]

    @Test(arguments: scenarios)
    func noInterleavingBreaksAnInvariant(scenario: Scenario) async throws {
        var seen: Set<RefreshWorld> = [scenario.start]
        var layer = [scenario.start]
        var depth = 0
        var stepCount = 0
        while !layer.isEmpty {
            var next: [RefreshWorld] = []
            for (number, world) in layer.enumerated() {
                // Other tests run beside this one, and some of them against a clock.
                if number.isMultiple(of: 20) { await Task.yield() }
                for step in world.steps {
                    stepCount += 1
                    let after = try Self.after(step, world)
                    if seen.insert(after).inserted { next.append(after) }
                }
            }
            layer = next
            depth += 1
        }
        print("\(scenario.name): \(seen.count) states, \(stepCount) steps, \(depth) deep")
        #expect(seen.count > 50)
    }

    private static func after(_ step: RefreshWorld.Step, _ world: RefreshWorld) throws -> RefreshWorld {
        do {
            return try world.after(step)
        } catch {
            throw BrokenInvariant("\(error), by \(step) in \(world)")
        }
    }
}
