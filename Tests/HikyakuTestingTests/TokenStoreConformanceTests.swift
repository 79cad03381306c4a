import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Stores that do one thing wrong each, which the checks have to find.
@Suite struct TokenStoreConformanceTests {
    private final class BrokenStore: TokenStore {
        enum Fault: String, CaseIterable {
            case holdsSomething, forgetsRefreshToken, forgetsScheme, makesUpScopes, livesLonger, keepsTheFirst,
                keepsForever
            case failsToRemoveNothing, cutsLongTokens, mixesTokens
        }

        struct Failure: Error {}

        private let fault: Fault
        private let held: Lock<IssuedToken?>

        init(_ fault: Fault) {
            self.fault = fault
            held = Lock(fault == .holdsSomething ? IssuedToken(token: Secret("t")) : nil)
        }

        func save(_ token: IssuedToken) async throws {
            var token = token
            switch fault {
            case .forgetsRefreshToken: token.refreshToken = nil
            case .forgetsScheme: token.scheme = "Bearer"
            case .makesUpScopes: token.scopes = token.scopes ?? []
            case .livesLonger: token.expiresAt = token.expiresAt?.addingTimeInterval(0.5)
            case .cutsLongTokens: token.token = Secret(String(token.token.reveal().prefix(4096)))
            default: break
            }
            held.withLock { held in
                if fault == .keepsTheFirst, held != nil { return }
                held = token
            }
        }

        func load() async throws -> IssuedToken? {
            held.withLock { held in
                guard fault == .mixesTokens, var token = held else { return held }
                if token.token.reveal().count > 3000, token.refreshToken == token.token, token.idToken == nil {
                    token.token = Secret("another")
                }
                return token
            }
        }

        func remove() async throws {
            try held.withLock { held in
                if fault == .failsToRemoveNothing, held == nil { throw Failure() }
                if fault != .keepsForever { held = nil }
            }
        }
    }

    private static let found: [BrokenStore.Fault: String] = [
        .holdsSomething: "empty", .forgetsRefreshToken: "whole", .forgetsScheme: "whole", .makesUpScopes: "bare",
        .livesLonger: "whole", .keepsTheFirst: "replace", .keepsForever: "remove",
        .failsToRemoveNothing: "remove.nothing",
        .cutsLongTokens: "long", .mixesTokens: "concurrent",
    ]

    @Test(arguments: BrokenStore.Fault.allCases)
    private func aFaultIsFound(fault: BrokenStore.Fault) async throws {
        let report = await TokenStoreConformance.run { BrokenStore(fault) }
        let check = try #require(Self.found[fault])
        #expect(report.problems.map(\.check).contains(check), "\(report)")
    }
}
