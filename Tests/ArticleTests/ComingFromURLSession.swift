import Foundation
import Hikyaku

nonisolated extension APIEnvironment { static let bakery: Self = "https://bakery.example/v1" }

struct BakeryError: ServiceFailure, Decodable, LocalizedError {
    var message: String
    var errorDescription: String? { message }
}

struct Bread: APIModel, Codable, Equatable {
    var id: Int
    var name: String
}

enum Bakery {
    nonisolated protocol Request: APIRequest where Failure == BakeryError {}

    struct Breads: Request {
        typealias Response = [Bread]
        typealias Access = AuthorizedIfPossible
        var search: String?
        var path: RequestPath { "/breads" }
        var query: RequestQuery { ["q": search] }
    }

    struct BreadByID: Request {
        typealias Response = Bread
        var id: Int
        var path: RequestPath { "/breads/\(id)" }
    }
}

nonisolated extension Bakery.Request { var environment: APIEnvironment { .bakery } }

func breads(_ search: String, _ client: APIClient<Public>, token: String?) async throws -> [Bread] {
    let user = client.authorized(by: AskedToken { token }, for: .bakery)
    return try await user.send(Bakery.Breads(search: search))
}

func signedIn(
    _ client: APIClient<Public>,
    tokens: any TokenStore,
    renew: @escaping @Sendable (IssuedToken) async throws -> IssuedToken,
) -> APIClient<Authorized> {
    client.authorized(by: RefreshingToken(store: tokens, refresh: renew), for: .bakery)
}

func ryeBreads(_ client: APIClient<Authorized>) async throws -> [Bread] {
    try await client.send(Bakery.Breads(search: "rye"))
}

func bread(_ id: Int, _ client: APIClient<Public>) async throws(APIError<BakeryError>) -> Bread? {
    do {
        return try await client.send(Bakery.BreadByID(id: id))
    } catch {
        guard error.response?.status == .notFound else { throw error }
        return nil
    }
}
