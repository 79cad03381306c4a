import Foundation
import Hikyaku

nonisolated extension APIEnvironment { static let canteen: Self = "https://canteen.example/v1" }

struct CanteenError: ServiceFailure, Decodable, LocalizedError {
    var message: String
    var errorDescription: String? { message }
}

struct Meal: Codable, Equatable, KeyedModel, Sendable {
    var id: Int
    var name: String
}

enum Canteen {
    nonisolated protocol Request: APIRequest where Failure == CanteenError {}

    struct Meals: Request {
        typealias Response = [Meal]
        var search: String?
        var path: RequestPath { "/meals" }
        var query: RequestQuery { ["q": search] }
    }

    struct AddMeal: Request {
        typealias Response = Meal
        typealias Access = Authorized
        var meal: Meal
        var method: HTTPMethod { .post }
        var path: RequestPath { "/meals" }
        var body: RequestBody? { .json(meal) }
    }
}

nonisolated extension Canteen.Request { var environment: APIEnvironment { .canteen } }

func search(_ text: String, _ client: APIClient<Public>) async -> String {
    do {
        return try await client.send(Canteen.Meals(search: text)).map(\.name).joined(separator: ", ")
    } catch {
        // The service's words, since CanteenError is a LocalizedError.
        return error.localizedDescription
    }
}

func add(_ meal: Meal, _ client: APIClient<Public>) async throws -> Int {
    let staff = client.authorized(by: .bearer("t0ken"), for: .canteen)
    return try await staff.send(Canteen.AddMeal(meal: meal)).id
}

func stubbed(_ client: APIClient<Public>) -> APIClient<Public> {
    client.stubbing(Canteen.Meals.self) { _ in [Meal(id: 1, name: "Udon")] }
}

func count(
    _ text: String,
    _ client: APIClient<Public>,
    show: @escaping @MainActor @Sendable (String) -> Void,
) -> APICall<[Meal], APIError<CanteenError>> {
    client.call(Canteen.Meals(search: text))
        .success { meals in show("\(meals.count)") }
        .failure { error in show(error.service(as: CanteenError.self)?.message ?? error.localizedDescription) }
}

func cancelSearches(for text: String, _ client: APIClient<Public>) -> Int {
    client.cancelAll(Canteen.Meals.self) { $0.search == text }
}

struct Cook: KeyedModel, Sendable { var name: String }

extension Canteen {
    struct Today: Request {
        typealias Definition = CombinedResponse<SingleResponse<Cook>, ArrayResponse<Meal>>
        var path: RequestPath { "/today" }
    }
}

func today(_ client: APIClient<Public>) async throws -> String {
    // {"cook": {…}, "meals": […]}
    let (cook, meals) = try await client.send(Canteen.Today())
    return "\(cook.name): \(meals.count)"
}

func copyFirstMeal(
    _ client: APIClient<Authorized>,
    show: @escaping @MainActor @Sendable (String) -> Void,
) -> APICall<Meal, APIError<CanteenError>> {
    client.call(Canteen.Meals())
        .then { meals in client.call(Canteen.AddMeal(meal: meals.first ?? Meal(id: 0, name: "Udon"))) }
        .success { meal in show(meal.name) }
        .failure { error in show(error.localizedDescription) }
        .finally { show("over") }
}
