public import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What every `TokenStore` must do, as a list of checks.
///
/// ```swift
/// @Test func conforms() async {
///     let report = await TokenStoreConformance.run { VaultTokenStore(key: UUID().uuidString) }
///     #expect(report.isConformant, "\(report)")
/// }
/// ```
/// Each check makes a new store, which must be empty, and leaves it without a token.
public enum TokenStoreConformance {
    /// All checks, simple ones first.
    public static let checks: [ConformanceCheck<any TokenStore>] = [
        check("empty", "TokenStore: load returns nil if there is no token") { store in
            try expect(try await store.load() == nil, "nothing in a new store", found: "a token")
        },
        check("whole", "IssuedToken: a refresh after a launch needs every member") { store in
            try await keeps(whole, in: store)
        },
        check("bare", "IssuedToken: members that were not issued stay nil") { store in
            try await keeps(IssuedToken(token: Secret("t")), in: store)
        },
        check("scopes", "IssuedToken: no scopes differ from unknown scopes") { store in
            try await keeps(IssuedToken(token: Secret("t"), scopes: []), in: store)
        },
        check("text", "RFC 6749, appendix A.12: any visible ASCII character is allowed") {
            store in
            let all = String(String.UnicodeScalarView((0x20...0x7E).map { Unicode.Scalar(UInt8($0)) }))
            try await keeps(IssuedToken(token: Secret(all), refreshToken: Secret("é 飛脚 \u{1F4EF} \"\\\n")), in: store)
        },
        check("long", "JSON Web Tokens with many claims are long") { store in
            let long = Secret(String(repeating: "0123456789abcdef", count: 2048))
            try await keeps(IssuedToken(token: long, refreshToken: long, idToken: long), in: store)
        },
        check("replace", "TokenStore: a saved token replaces the previous one") { store in
            try await store.save(whole)
            try await keeps(IssuedToken(token: Secret("second")), in: store)
        },
        check("remove", "TokenStore: remove deletes the token") { store in
            try await store.save(whole)
            try await store.remove()
            try expect(try await store.load() == nil, "nothing after it was removed", found: "a token")
            try await keeps(whole, in: store)
        },
        check("remove.nothing", "TokenStore: signing out twice is not an error") { store in
            try await store.remove()
            try await store.remove()
        },
        check("concurrent", "TokenStore: may be called concurrently") { store in
            try await concurrent(store)
        },
    ]

    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - exemptions: The checks that the store is known to fail; one that passes is a problem in the report.
    ///   - timeLimit: The time limit for one check.
    ///   - make: Makes an empty store; called once for each check.
    /// - Returns: The result of each check.
    public static func run(
        exempting exemptions: [ConformanceExemption] = [],
        timeLimit: Duration = .seconds(30),
        _ make: @escaping @Sendable () throws -> any TokenStore,
    ) async -> ConformanceReport {
        await ConformanceRunner(checks, exempting: exemptions, timeLimit: timeLimit).run(make)
    }

    private static let whole = IssuedToken(
        token: Secret("token"),
        scheme: "DPoP",
        refreshToken: Secret("refresh"),
        expiresAt: Date(timeIntervalSince1970: 1_900_000_000),
        scopes: ["read", "write:all", "https://a.example/scope"],
        idToken: Secret("id"),
    )

    private static func check(
        _ name: String,
        _ why: String,
        _ body: @escaping @Sendable (any TokenStore) async throws -> Void,
    ) -> ConformanceCheck<any TokenStore> {
        ConformanceCheck(name, why: why) { make in
            let store = try make()
            try await body(store)
            try await store.remove()
        }
    }

    /// A stored token may expire up to a second earlier than the saved one, but not later.
    private static func keeps(_ token: IssuedToken, in store: any TokenStore) async throws {
        try await store.save(token)
        guard let found = try await store.load() else {
            throw UnmetExpectation(expectation: "the token that was saved", found: "none")
        }
        try expect(found.token == token.token, "the same token", found: "another")
        try expect(found.scheme, is: token.scheme, "the scheme")
        try expect(found.refreshToken == token.refreshToken, "the same refresh token", found: "another, or none")
        try expect(found.idToken == token.idToken, "the same ID token", found: "another, or none")
        try expect(found.scopes, is: token.scopes, "the scopes")
        try expect((found.expiresAt == nil) == (token.expiresAt == nil), "an expiry if there was one")
        if let end = token.expiresAt, let foundEnd = found.expiresAt {
            let difference = end.timeIntervalSince(foundEnd)
            try expect((0..<1).contains(difference), "the same expiry", found: "one \(difference) seconds earlier")
        }
    }

    private static func concurrent(_ store: any TokenStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let text = Secret(String(repeating: "\(number),", count: 2000))
                group.addTask { try await store.save(IssuedToken(token: text, refreshToken: text)) }
                group.addTask {
                    guard let found = try await store.load() else { return }
                    try expect(found.token == found.refreshToken, "one whole token", found: "parts of two")
                }
            }
            try await group.waitForAll()
        }
        try expect(try await store.load() != nil, "a token in the end")
    }
}
