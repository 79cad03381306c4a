import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import HikyakuOAuth

/// Signing out while a refresh is under way.
@Suite(.timeLimit(.minutes(10)))
struct SigningOutTests {
    private static let api: APIEnvironment = "https://api.example"
    private static let old = IssuedToken(token: Secret("a1"), refreshToken: Secret("r1"), expiresAt: Bench.now)
    private static let answer = #"{"access_token":"a2","refresh_token":"r2","expires_in":3600}"#

    /// An authorization server that answers when it is let, and doesn't mind who has gone meanwhile.
    private final class Slow: Sendable {
        let wasRequested = Lock(false)
        let mayAnswer = Lock(false)
        /// How often the provider has looked at the time, which it does with each event.
        let eventCount = Lock(0)
        let clock = ManualClock()

        var transport: MockTransport {
            MockTransport { [wasRequested, mayAnswer] request in
                guard request.url.path() == "/token" else { return .json("") }
                wasRequested.withLock { $0 = true }
                // It goes on when its caller is cancelled.
                try #require(try await Task { try await holds { mayAnswer.withLock(\.self) } }.value)
                return .json(answer)
            }
        }

        func session(
            _ transport: MockTransport,
            store: any TokenStore = MemoryTokenStore(old),
            middleware: [any HTTPMiddleware] = [],
        ) -> OAuthSession {
            // The mock transport's timeouts are on the real clock, and the test decides when the answer comes.
            let options = ClientOptions(timeout: nil, timeouts: TransportTimeouts(firstByte: .seconds(86_400)))
            let oauth = OAuthClient(
                server: Bench.server,
                application: OAuthApplication(id: "reader"),
                client: APIClient(transport: transport, middleware: middleware, options: options),
                clock: clock,
                date: { Bench.now },
            )
            let now: @Sendable () -> Date = { [eventCount] in
                eventCount.withLock { $0 += 1 }
                return Bench.now
            }
            return OAuthSession(oauth, store: store, options: RefreshOptions(clock: clock, now: now))
        }

        func waitUntilRequested() async throws { try await SigningOutTests.wait { self.wasRequested.withLock(\.self) } }

        func letAnswer() { mayAnswer.withLock { $0 = true } }
    }

    /// Returns when something is so.
    private static func wait(until isSo: () throws -> Bool) async throws {
        let holdsInTime = try await holds { try isSo() }
        try #require(holdsInTime)
    }

    /// The tokens that were revoked, in their order.
    private func revoked(_ transport: MockTransport) throws -> [String] {
        try transport.requests.filter { $0.url.path() == "/revoke" }.map { request in
            let text = String(decoding: try #require(request.body?.bytes), as: UTF8.self)
            return try #require(FormText.items(of: text)?.first { $0.name == "token" }).value
        }
    }

    /// A store of which one thing is held.
    private final class Held: TokenStore {
        private let state: Lock<(token: IssuedToken?, wasHeld: Bool)>
        private let gate = Gate()
        private let loadCount = Lock(0)
        let line: String

        init(_ token: IssuedToken?, _ line: String) {
            state = Lock((token, false))
            self.line = line
        }

        var token: IssuedToken? { state.withLock(\.token) }
        func release() { gate.open() }
        func waitUntilHeld() async throws { try await SigningOutTests.wait { self.state.withLock(\.wasHeld) } }

        private func note(_ line: String) async {
            guard line == self.line else { return }
            state.withLock { $0.wasHeld = true }
            await gate.wait()
        }

        func save(_ token: IssuedToken) async throws {
            await note("save")
            state.withLock { $0.token = token }
        }

        func load() async throws -> IssuedToken? {
            let number = loadCount.withLock { count in
                count += 1
                return count
            }
            await note("load \(number)")
            return token
        }

        func remove() async throws {
            await note("remove")
            state.withLock { $0.token = nil }
        }
    }

    @Test
    func aRefreshCannotBeginBehindItsBack() async throws {
        let (slow, store) = (Slow(), Held(Self.old, "load 1"))
        let transport = slow.transport
        let session = slow.session(transport, store: store)
        let signOut = Task { try await session.signOut() }
        try await store.waitUntilHeld()
        let eventCount = slow.eventCount.withLock(\.self)
        let call = Task { try await session.token(for: Self.api) }
        // Until the provider has the call.
        try await Self.wait { slow.eventCount.withLock(\.self) > eventCount }
        store.release()
        // A refresh that has begun would go on while the first token is revoked.
        try await Self.wait { try revoked(transport).count >= 2 }
        slow.letAnswer()
        try await signOut.value
        _ = await call.result
        let issued = slow.wasRequested.withLock(\.self) ? ["r2", "a2"] : []
        #expect(try revoked(transport) == ["r1", "a1"] + issued, "whatever the server has issued is revoked")
        #expect(store.token == nil)
    }

    /// The store is looked into once more before a new token is saved.
    @Test(arguments: ["load 2", "save"])
    func whatWasIssuedAndNotYetSavedIsRevoked(line: String) async throws {
        let (slow, store) = (Slow(), Held(Self.old, line))
        let transport = slow.transport
        let session = slow.session(transport, store: store)
        slow.letAnswer()
        let call = Task { try await session.token(for: Self.api) }
        try await store.waitUntilHeld()
        let signOut = Task { try await session.signOut() }
        _ = await call.result
        store.release()
        try await signOut.value
        #expect(Set(try revoked(transport)).isSuperset(of: ["r2", "a2"]))
        #expect(store.token == nil)
    }

    @Test
    func whatAnotherProcessHasOverruledIsRevoked() async throws {
        let (slow, store) = (Slow(), MemoryTokenStore(Self.old))
        let transport = slow.transport
        let session = slow.session(transport, store: store)
        let call = Task { try await session.token(for: Self.api) }
        try await slow.waitUntilRequested()
        await store.remove()
        slow.letAnswer()
        #expect(try await call.value.description == "AccessToken(none, Bearer)")
        try await session.signOut()
        #expect(try revoked(transport).suffix(2) == ["r2", "a2"])
    }

    @Test
    func aRefreshThatHangsIsWaitedForAsLongAsARefreshMayTake() async throws {
        let slow = Slow()
        let transport = slow.transport
        let session = slow.session(transport)
        let call = Task { try await session.token(for: Self.api) }
        try await slow.waitUntilRequested()
        let signOut = Task { try await thrown { try await session.signOut() } }
        _ = await call.result
        try await Self.wait { try revoked(transport).count >= 2 }
        try await Self.wait { slow.clock.pendingCount > 0 }
        slow.clock.advance(by: .seconds(60))
        #expect((try await signOut.value as? TransportError)?.reason == .refreshTimeout)
        #expect(try revoked(transport) == ["r1", "a1"])
        slow.letAnswer()
    }

    @Test
    func aCancelledSignOutStillSignsOut() async throws {
        let (slow, store) = (Slow(), MemoryTokenStore(Self.old))
        let transport = slow.transport
        let session = slow.session(transport, store: store)
        let call = Task { try await session.token(for: Self.api) }
        try await slow.waitUntilRequested()
        let signOut = Task { try await thrown { try await session.signOut() } }
        _ = await call.result
        try await Self.wait { try revoked(transport).count >= 2 }
        signOut.cancel()
        #expect(try await signOut.value is CancellationError)
        #expect(await store.load() == nil)
        slow.letAnswer()
    }

    /// Signs out when a token is requested from the server, as for a banned account.
    private final class SigningOut: HTTPMiddleware {
        let session = Lock<OAuthSession?>(nil)

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            let response = try await next(request)
            if request.url.path() == "/token" { try await session.withLock(\.self)?.signOut() }
            return response
        }
    }

    @Test
    func aRefreshThatSignsOutDoesNotWaitForItself() async throws {
        let (slow, signingOut) = (Slow(), SigningOut())
        let transport = slow.transport
        let session = slow.session(transport, middleware: [signingOut])
        signingOut.session.withLock { $0 = session }
        slow.letAnswer()
        #expect(try await session.token(for: Self.api).description == "AccessToken(none, Bearer)")
        try await Self.wait { try revoked(transport).count >= 4 }
        #expect(try revoked(transport) == ["r1", "a1", "r2", "a2"], "what comes after that is revoked too")
    }
}
