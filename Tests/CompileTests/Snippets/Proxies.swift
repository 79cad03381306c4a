import Hikyaku

enum Admin: AccessLevel { typealias Includes = Authorized }

struct Me: APIRequest {
    typealias Response = String
    typealias Access = Authorized
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/me" }
}

/// Changes one property.
struct FromThisDevice<Base: APIRequest>: RequestProxy {
    var request: Base
    var headers: HTTPHeaders { request.headers.replacing(with: ["X-Device": "d"]) }
}

/// Needs more than the request inside.
struct ForAdmins<Base: APIRequest>: RequestProxy {
    typealias Access = Admin
    var request: Base
}

/// Gives something else than the request inside.
struct Counted<Base: APIRequest>: RequestProxy where Base.Response == String {
    typealias Response = Int
    typealias Definition = Decoded<Int>
    var request: Base
}

/// Sends one kind of request under another's error.
struct Mapped<Base: APIRequest>: RequestProxy {
    typealias Failure = TextFailure
    var request: Base
}

struct TextFailure: ServiceFailure {
    init?(response: BufferedResponse) { nil }
}

func sends(client: APIClient<Public>, authorized: APIClient<Authorized>) async throws -> Int {
    _ = try await client.send(FromThisDevice(request: Me()))
    // error: 'send' is unavailable: this client is not authorized for this request: use client.authorized(by:for:)
    let text: String = try await authorized.send(FromThisDevice(request: FromThisDevice(request: Me())))
    _ = try await authorized.send(ForAdmins(request: Me()))
    // error: 'send' is unavailable: this client's level does not include what the request needs: authorized(by:for:as:)
    let number: Int = try await authorized.send(Counted(request: FromThisDevice(request: Me())))
    return text.count + number
}

func fails(authorized: APIClient<Authorized>) async {
    do {
        _ = try await authorized.send(Mapped(request: Me()))
    } catch .service(let failure, _) {
        let _: TextFailure = failure
    } catch {
        _ = error.localizedDescription
    }
}

struct Feed: APIRequest {
    typealias Response = [String]
    typealias Access = AuthorizedIfPossible
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/feed" }
}

func sendsToAll(client: APIClient<Public>, authorized: APIClient<Authorized>) async throws -> Int {
    try await client.send(Feed()).count + authorized.send(Feed()).count + client.bind(Feed()).response().value.count
}
