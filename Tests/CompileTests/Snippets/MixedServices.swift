import Hikyaku

struct ShopError: ServiceFailure, Decodable { var message: String }
struct BankError: ServiceFailure, Decodable { var message: String }

struct Dishes: APIRequest {
    typealias Response = [String]
    typealias Failure = ShopError
    var environment: APIEnvironment { "https://shop.example" }
    var path: RequestPath { "/dishes" }
}

struct Balance: APIRequest {
    typealias Response = Int
    typealias Failure = BankError
    var environment: APIEnvironment { "https://bank.example" }
    var path: RequestPath { "/balance" }
}

func matchesACaseOfTwoServices(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
        _ = try await client.send(Balance())
    } catch .service(let error, _) {
        // error: '_' can only appear in a pattern or on the left side of an assignment
        print(error)
    } catch {
    }
}

func matchesAWholeCaseOfTwoServices(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
        _ = try await client.send(Balance())
    } catch .cancelled {
        // error: type 'any Error' has no member 'cancelled'
    } catch {
    }
}

func readsTheReasonOfTwoServices(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
        _ = try await client.send(Balance())
    } catch {
        print(error.reason)  // error: value of type 'any Error' has no member 'reason'
    }
}

func catchesOneOfTwoServices(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
        // error: errors thrown from here are not handled because the enclosing catch is not exhaustive
        _ = try await client.send(Balance())
        // error: errors thrown from here are not handled because the enclosing catch is not exhaustive
    } catch let error as APIError<ShopError> {
        print(error.reason)
    }
}

func catchesOneCase(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
        // error: errors thrown from here are not handled because the enclosing catch is not exhaustive
    } catch .service(let error, _) {
        print(error.message)
    }
}

func catchesInAClosure(client: APIClient<Public>) {
    Task {
        do {
            _ = try await client.send(Dishes())
        } catch {
            print(error.reason)  // error: value of type 'any Error' has no member 'reason'
        }
    }
    Task {
        do {
            _ = try await client.send(Dishes())
        } catch .service(let error, _) {
            // error: type 'any Error' has no member 'service'
            // error: '_' can only appear in a pattern or on the left side of an assignment
            print(error)
        } catch {
        }
    }
    Task {
        do throws(APIError<ShopError>) {
            _ = try await client.send(Dishes())
        } catch {
            print(error.reason)
        }
    }
}

func throwsAnotherType(client: APIClient<Public>) async throws(ShopError) {
    _ = try await client.send(Dishes())
    // error: thrown expression type 'APIError<Dishes.Failure>' (aka 'APIError<ShopError>') cannot be converted to error type 'ShopError'
}

func switchesOverAnError(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
    } catch {
        switch error {  // error: switch must be exhaustive
        case .service(let failure, _): print(failure.message)
        }
    }
}

func namesAStatus(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
    } catch .notFound {
        // error: type 'APIError<Dishes.Failure>' (aka 'APIError<ShopError>') has no member 'notFound'
    } catch {
    }
}

func leavesOutTheFailure(client: APIClient<Public>) async {
    do {
        _ = try await client.send(Dishes())
    } catch let error as APIError {
        // error: reference to generic type 'APIError' requires arguments in <...>
        print(error)
    } catch {
    }
}
