import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Every interleaving of what callers, the store, the service and the user may do, and not a sample of them.
@Suite(.serialized)
struct RefreshExplorationTests {
    struct Scenario: CustomTestStringConvertible {
        let name: String
        /// The number of worlds: another number means that something is no longer explored, or has changed.
        let stateCount: Int
        let start: RefreshWorld

        var testDescription: String { name }

        init(
            _ name: String,
            _ stateCount: Int,
            _ budget: RefreshWorld.Budget,
            stored: IssuedToken? = RefreshWorld.token(0, endsAt: 1),
            means: RefreshWorld.Machine.Means = .refreshToken,
            ahead: TimeInterval? = nil,
            life: Int = 1,
            rejectionPause: TimeInterval = 0,
        ) {
            self.name = name
            self.stateCount = stateCount
            start = RefreshWorld(
                means,
                budget,
                stored: stored,
                ahead: ahead,
                life: life,
                rejectionPause: rejectionPause,
            )
        }
    }

    private typealias Budget = RefreshWorld.Budget

    /// All of them take most of the time of all tests; `scripts/explore` runs them.
    private static let explored = scenarios.filter {
        $0.stateCount < 10_000 || Effort.isFull
    }

    private static let scenarios = [
        Scenario("four callers, and refreshes that succeed", 21_964, Budget(refusals: 3)),
        Scenario(
            "four callers, and refreshes that fail",
            16_057,
            Budget(refusals: 1, finalFailures: 1, passingFailures: 1),
        ),
        Scenario(
            "three callers, and a store that fails",
            27_946,
            Budget(callers: 3, finalFailures: 1, storeFailures: 2),
        ),
        Scenario("four callers, and signing out", 16_506, Budget(refusals: 1, signOuts: 1)),
        Scenario(
            "three callers, signing in and out",
            24_164,
            Budget(callers: 3, refusals: 1, cancellations: 0, signIns: 1, signOuts: 1),
        ),
        Scenario(
            "two callers, signing in and out with all failures",
            54_259,
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
        Scenario("four callers, and another process that refreshes", 22_009, Budget(refusals: 1, otherRefreshes: 1)),
        Scenario(
            "two callers, and another process that refreshes and signs out",
            40_983,
            Budget(callers: 2, cancellations: 0, passingFailures: 1, otherRefreshes: 2, otherSignOuts: 1),
        ),
        Scenario("three callers, and nothing in the store", 9_416, Budget(callers: 3, signIns: 1), stored: nil),
        Scenario(
            "three callers, and a token that can't be refreshed",
            426,
            Budget(callers: 3),
            stored: RefreshWorld.token(0, endsAt: 1, refreshable: false),
        ),
        Scenario(
            "four callers, and tokens that are issued",
            20_914,
            Budget(refusals: 1, finalFailures: 1, passingFailures: 1),
            stored: nil,
            means: .issue,
        ),
        Scenario(
            "three callers, and refreshes ahead",
            26_986,
            Budget(callers: 3, refusals: 1, finalFailures: 1, passingFailures: 1, ticks: 2, alarms: 2),
            stored: RefreshWorld.token(0, endsAt: 2),
            ahead: 1,
            life: 2,
        ),
        Scenario(
            "two callers, and refreshes ahead beside another process and signing in",
            6_169,
            Budget(callers: 2, refusals: 0, cancellations: 0, signIns: 1, otherRefreshes: 1, ticks: 2, alarms: 1),
            stored: RefreshWorld.token(0, endsAt: 2),
            ahead: 1,
            life: 2,
        ),
        Scenario(
            "three callers, refreshes that fail, and another process that is first",
            35_593,
            Budget(callers: 3, cancellations: 0, finalFailures: 1, passingFailures: 1, otherRefreshes: 1),
        ),
        Scenario(
            "three callers, and another process that signs in",
            31_938,
            Budget(callers: 3, refusals: 1, storeFailures: 1, signOuts: 1, otherSignIns: 1),
            stored: nil,
        ),
        Scenario(
            "three callers, a token that can't be refreshed, and another process that signs out and in",
            4_544,
            Budget(callers: 3, refusals: 1, otherSignOuts: 1, otherSignIns: 1),
            stored: RefreshWorld.token(0, endsAt: 1, refreshable: false),
        ),
        Scenario(
            "three callers, and a token that was refused before it was loaded",
            724,
            Budget(callers: 3, refusals: 1, foreignRefusals: 2, cancellations: 0, finalFailures: 1),
            stored: RefreshWorld.token(0, endsAt: 2),
            life: 2,
        ),
        Scenario(
            "four callers, passing failures one after the other, and a pause that ends late",
            15_227,
            Budget(callers: 4, refusals: 0, cancellations: 0, passingFailures: 2, signIns: 1, ticks: 2),
        ),
        Scenario(
            "four callers, and a service that rejects new tokens",
            33_478,
            Budget(callers: 4, refusals: 3, cancellations: 0, ticks: 4),
            stored: RefreshWorld.token(0, endsAt: 20),
            life: 20,
            rejectionPause: 2,
        ),
        Scenario(
            "two callers, a service that rejects new tokens, another process and signing in",
            64_309,
            Budget(callers: 2, refusals: 2, cancellations: 0, signIns: 1, otherRefreshes: 1, ticks: 3),
            stored: RefreshWorld.token(0, endsAt: 20),
            life: 20,
            rejectionPause: 2,
        ),
    ]

    @Test(arguments: explored)
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
        #expect(seen.count == scenario.stateCount)
    }

    private static func after(_ step: RefreshWorld.Step, _ world: RefreshWorld) throws -> RefreshWorld {
        do {
            return try world.after(step)
        } catch {
            throw BrokenInvariant("\(error), by \(step) in \(world)")
        }
    }
}
