import Hikyaku

struct OneFailure: ServiceFailure, Decodable { var message: String }
struct OtherFailure: ServiceFailure, Decodable { var code: Int }

struct Items: APIRequest {
    typealias Response = [String]
    typealias Failure = OneFailure
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

func catches(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Items())
    } catch .service(let failure, _) {
        let _: String = failure.message
        let _: Int = failure.code  // error: has no member 'code'
    } catch {
        let _: APIError<OneFailure> = error
        let _: APIError<OtherFailure> = error  // error: cannot assign value of type
    }
    do {
        _ = try await client.send(Items())
    } catch APIError<OtherFailure>.service(_, _) {  // error: cannot match
    } catch {
    }
}

func throwsTyped(client: APIClient<Public>) async throws(APIError<OneFailure>) {
    _ = try await client.send(Items())
    _ = try await client.bind(Items()).send()
    _ = try await client.bind(Items()).response()
}
