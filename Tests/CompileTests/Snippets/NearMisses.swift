import Hikyaku

/// Two types that are the same one.
func same<T>(_: T.Type, _: T.Type) {}

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

struct Stored: Shop {
    typealias Response = String
    let method = "POST"
    let query = ["page": 1]
    let parameters = ["tag": "swift"]
    let headers = ["X-Device": "d"]
    let body = RequestBody.text("text")
    let decoder = HikyakuJSONDecoder()
    let encoder = HikyakuJSONEncoder()
    let timeout = Duration.seconds(2)
    let redirectPolicy = RedirectPolicy.never
    let limitGroup = "orders"
}

struct Computed: Shop {
    typealias Response = String
    var method: String { "POST" }
    var query: [String: Int?] { ["page": 1, "size": nil] }
    var parameters: [String: String] { ["tag": "swift"] }
    var headers: [String: String] { ["X-Device": "d"] }
    var body: RequestBody { .text("text") }
    var decoder: HikyakuJSONDecoder { HikyakuJSONDecoder() }
    var encoder: HikyakuJSONEncoder { HikyakuJSONEncoder() }
    var timeout: Duration { .seconds(2) }
    var redirectPolicy: RedirectPolicy { .never }
    var limitGroup: String { "orders" }
}

nonisolated protocol Service: Shop {}
nonisolated extension Service {
    var method: String { "POST" }
    var query: [String: Int] { ["page": 1] }
    var parameters: [String: String] { ["tag": "swift"] }
    var headers: [String: String] { ["X-Device": "d"] }
    var body: RequestBody { .text("text") }
    var decoder: HikyakuJSONDecoder { HikyakuJSONDecoder() }
    var encoder: HikyakuJSONEncoder { HikyakuJSONEncoder() }
    var timeout: Duration { .seconds(2) }
    var redirectPolicy: RedirectPolicy { .never }
    var limitGroup: String { "orders" }
}

nonisolated struct ByService: Service { typealias Response = String }

nonisolated struct ByServiceButOne: Service {
    typealias Response = String
    var timeout: Duration? { nil }
}

/// What the service writes by its own type, the request by another.
nonisolated protocol Exact: Shop {}
nonisolated extension Exact { var timeout: Duration? { .seconds(1) } }
nonisolated struct Inexact: Exact {
    typealias Response = String
    let timeout = Duration.seconds(2)
}

struct Nothing: Shop { typealias Response = String }

struct Answers: EventStreamRequest, Shop {
    typealias Event = String
    let terminator = EventStreamTerminator.data("[DONE]")
    let idleTimeout = Duration.seconds(30)
}

/// Functions of the right types, and one whose response says what the request's is.
struct Functions: Shop {
    func accepts(_ status: HTTPStatus) -> Bool { status == 404 }
    func prepare(_ request: inout HTTPRequest) { request.headers["X-Device"] = "d" }
    func failure(in response: BufferedResponse) -> ProblemDetails? { nil }
    func response(from response: BufferedResponse) throws -> Int { response.body.count }
}

func countsBytes(_ client: APIClient<Public>) async throws -> Int { try await client.send(Functions()) }

func takesWhatIsWritten() {
    same(Stored._WrittenMethod.self, String.self)
    same(Stored._WrittenQuery.self, [String: Int].self)
    same(Stored._WrittenParameters.self, [String: String].self)
    same(Stored._WrittenHeaders.self, [String: String].self)
    same(Stored._WrittenBody.self, RequestBody.self)
    same(Stored._WrittenDecoder.self, HikyakuJSONDecoder.self)
    same(Stored._WrittenEncoder.self, HikyakuJSONEncoder.self)
    same(Stored._WrittenTimeout.self, Duration.self)
    same(Stored._WrittenRedirectPolicy.self, RedirectPolicy.self)
    same(Stored._WrittenLimitGroup.self, String.self)
    same(Computed._WrittenMethod.self, String.self)
    same(Computed._WrittenQuery.self, [String: Int?].self)
    same(Computed._WrittenParameters.self, [String: String].self)
    same(Computed._WrittenHeaders.self, [String: String].self)
    same(Computed._WrittenBody.self, RequestBody.self)
    same(Computed._WrittenDecoder.self, HikyakuJSONDecoder.self)
    same(Computed._WrittenEncoder.self, HikyakuJSONEncoder.self)
    same(Computed._WrittenTimeout.self, Duration.self)
    same(Computed._WrittenRedirectPolicy.self, RedirectPolicy.self)
    same(Computed._WrittenLimitGroup.self, String.self)
    same(ByService._WrittenMethod.self, String.self)
    same(ByService._WrittenQuery.self, [String: Int].self)
    same(ByService._WrittenParameters.self, [String: String].self)
    same(ByService._WrittenHeaders.self, [String: String].self)
    same(ByService._WrittenBody.self, RequestBody.self)
    same(ByService._WrittenDecoder.self, HikyakuJSONDecoder.self)
    same(ByService._WrittenEncoder.self, HikyakuJSONEncoder.self)
    same(ByService._WrittenTimeout.self, Duration.self)
    same(ByService._WrittenRedirectPolicy.self, RedirectPolicy.self)
    same(ByService._WrittenLimitGroup.self, String.self)
    same(ByServiceButOne._WrittenTimeout.self, Duration?.self)
    same(Inexact._WrittenTimeout.self, Duration.self)
    same(Nothing._WrittenTimeout.self, Duration?.self)
    same(Nothing._WrittenDecoder.self, (any ResponseDecoder).self)
    same(Nothing._WrittenEncoder.self, (any RequestEncoder).self)
    same(Nothing._WrittenLimitGroup.self, LimitGroup.self)
    same(Nothing._WrittenLabelledAccepts.self, _NothingWritten.self)
    same(Nothing._WrittenEnvironment.self, APIEnvironment.self)
    same(Nothing._WrittenIdempotencyKey.self, IdempotencyKey.self)
    same(Nothing._WrittenStatus.self, HTTPStatus.self)
    same(Nothing._WrittenAccepts.self, Bool.self)
    same(Nothing._WrittenFailure.self, ProblemDetails?.self)
    same(Answers._WrittenTerminator.self, EventStreamTerminator.self)
    same(Answers._WrittenIdleTimeout.self, Duration.self)
    same(Nothing._WrittenFallback.self, String?.self)
    same(Nothing._WrittenFallbackError.self, APIError<ProblemDetails>.self)
}

/// A proxy's own near miss, and a proxy that says nothing.
struct FromThisDevice<Base: APIRequest>: RequestProxy {
    var request: Base
    var headers: [String: String] { ["X-Device": "d"] }
}

struct Plain<Base: APIRequest>: RequestProxy {
    var request: Base
}

func sends(_ client: APIClient<Public>) async throws -> [String] {
    same(FromThisDevice<Stored>._WrittenHeaders.self, [String: String].self)
    same(Plain<Stored>._WrittenHeaders.self, HTTPHeaders.self)
    return [
        try await client.send(Stored()), try await client.send(FromThisDevice(request: Stored())),
        try await client.send(Plain(request: FromThisDevice(request: Computed()))),
    ]
}

/// Generic code reads the requirements as they are.
func readsGenerically<R: APIRequest>(_ request: R, _ others: [any APIRequest]) -> [HTTPHeaders] {
    let timeouts: [Duration?] = others.map { $0.timeout }
    let headers = request.headers
    let isPost = request.method == .post && request.body != nil && !timeouts.isEmpty
    return isPost ? [headers.replacing(with: ["X-More": "m"])] : others.map(\.headers)
}
