import Hikyaku

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

struct Remove: Shop { typealias Response = Void }
struct Clear: Shop { typealias Response = () }
struct Reset: Shop { typealias Definition = EmptyResponse }

struct Own: Shop {
    typealias Response = Void
    func response(from response: BufferedResponse) async throws {}
}

struct Plain<Base: APIRequest>: RequestProxy { var request: Base }

func sends(_ client: APIClient<Public>) async throws {
    try await client.send(Remove())
    try await client.send(Clear())
    try await client.send(Reset())
    try await client.send(Own())
    try await client.send(Plain(request: Remove()))
}
