import Hikyaku
import HikyakuBroadcast
import HikyakuTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct HubFallbackTests {
    private struct MealByID: APIRequest {
        typealias Response = Meal
        var environment: APIEnvironment = "https://kitchen.example"
        var path: RequestPath { "/meals/1" }
        func fallback(for error: APIError<ProblemDetails>) -> Meal? { Meal(id: 1, name: "stored") }
    }

    /// The service has not sent it, and other screens may show something newer.
    @Test func aFallbackIsNotPublished() async throws {
        let hub = HubDate.hub()
        let transport = MockTransport()
        let client = APIClient(transport: transport).publishing(to: hub)
        transport.enqueue(HTTPResponse(status: 503))
        let response = try await client.bind(MealByID()).response()
        #expect(response.value.name == "stored" && response.source == .fallback)
        #expect(hub.value(of: Meal.self, id: 1) == nil)
        transport.enqueue(.json(#"{"id": 1, "name": "fresh"}"#))
        _ = try await client.send(MealByID())
        transport.enqueue(HTTPResponse(status: 503))
        _ = try await client.send(MealByID())
        #expect(hub.value(of: Meal.self, id: 1)?.value.name == "fresh")
    }
}
