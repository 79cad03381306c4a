import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

/// The programs of the articles for users of other libraries.
@Suite(.timeLimit(.minutes(10)))
struct ComingFromTests {
    private let transport = MockTransport()
    private let client: APIClient<Public>

    init() {
        client = APIClient(transport: transport)
    }

    @Test
    func aSearchHasNamesOrTheServicesWords() async {
        transport.enqueue(.json(#"[{"id": 1, "name": "Udon"}, {"id": 2, "name": "Soba"}]"#))
        #expect(await search("u", client) == "Udon, Soba")
        transport.enqueue(.json(#"{"message": "Closed"}"#, status: .forbidden))
        #expect(await search("u", client) == "Closed")
    }

    @Test
    func addsAMealAndStubsTheList() async throws {
        transport.enqueue(.json(#"{"id": 7, "name": "Soba"}"#))
        #expect(try await add(Meal(id: 0, name: "Soba"), client) == 7)
        #expect(transport.requests.first?.headers["Authorization"] == "Bearer t0ken")
        #expect(try await stubbed(client).send(Canteen.Meals()) == [Meal(id: 1, name: "Udon")])
    }

    @Test
    func aSearchIsCancelledByItsType() async throws {
        let texts = Lock<[String]>([])
        let show: @MainActor @Sendable (String) -> Void = { text in texts.withLock { $0.append(text) } }
        transport.enqueue(.json("[]"))
        _ = await count("udon", client, show: show).result
        transport.enqueue(.json(#"{"message": "Closed"}"#, status: .forbidden))
        _ = await count("udon", client, show: show).result
        #expect(texts.withLock(\.self) == ["0", "Closed"])

        transport.enqueue(.never)
        let call = count("udon", client) { _ in }
        try #require(try await holds { transport.requests.count >= 3 })
        #expect(cancelSearches(for: "soba", client) == 0)
        #expect(cancelSearches(for: "udon", client) == 1)
        guard case .failure(let error) = await call.result else {
            Issue.record("the call was not cancelled")
            return
        }
        #expect(error.isCancelled)
    }

    @Test
    func readsBothParts() async throws {
        transport.enqueue(.json(#"{"cook": {"name": "Kiku"}, "meals": [{"id": 1, "name": "Udon"}]}"#))
        #expect(try await today(client) == "Kiku: 1")
    }

    @Test
    func aChainEndsWithFinally() async {
        let texts = Lock<[String]>([])
        let show: @MainActor @Sendable (String) -> Void = { text in texts.withLock { $0.append(text) } }
        let staff = client.authorized(by: .bearer("t0ken"), for: .canteen)
        transport.enqueue(.json(#"[{"id": 1, "name": "Udon"}]"#))
        transport.enqueue(.json(#"{"id": 2, "name": "Udon"}"#))
        _ = await copyFirstMeal(staff, show: show).result
        transport.enqueue(.json(#"{"message": "Closed"}"#, status: .forbidden))
        _ = await copyFirstMeal(staff, show: show).result
        #expect(texts.withLock(\.self) == ["Udon", "over", "Closed", "over"])
    }

    @Test
    func aPlusInASearchIsAPlus() async throws {
        transport.enqueue(.json("[]"))
        transport.enqueue(.json("[]"))
        _ = try await breads("rye+wheat", client, token: "t0ken")
        _ = try await breads("rye", client, token: nil)
        #expect(transport.requests.first?.url.query(percentEncoded: true) == "q=rye%2Bwheat")
        #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer t0ken", nil])
    }

    @Test
    func oneRenewalServesAllCalls() async throws {
        let transport = MockTransport { request in
            request.headers["Authorization"] == "Bearer new" ? .json("[]") : HTTPResponse(status: .unauthorized)
        }
        let renewals = Lock(0)
        let old = IssuedToken(token: Secret("old"), refreshToken: Secret("r"), expiresAt: .distantFuture)
        let user = signedIn(APIClient(transport: transport), tokens: MemoryTokenStore(old)) { old in
            renewals.withLock { $0 += 1 }
            return IssuedToken(token: Secret("new"), refreshToken: old.refreshToken)
        }
        async let first = ryeBreads(user)
        async let second = ryeBreads(user)
        #expect(try await [first, second] == [[], []])
        #expect(renewals.withLock(\.self) == 1)
    }

    @Test
    func aMissingBreadIsNil() async throws {
        transport.enqueue(.json(#"{"id": 1, "name": "Rye"}"#))
        transport.enqueue(.json(#"{"message": "No such bread"}"#, status: .notFound))
        #expect(try await bread(1, client)?.name == "Rye")
        #expect(try await bread(2, client) == nil)
    }
}
