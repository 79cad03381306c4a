import Foundation
import Hikyaku

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

struct NumberAsTimeout: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Double' does not conform to protocol '_RequestTimeout'
    typealias Response = String
    let timeout = 0.2
}

struct ComputedTimeout: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'TimeInterval' (aka 'Double') does not conform to protocol '_RequestTimeout'
    typealias Response = String
    var timeout: TimeInterval { 2 }
}

struct NumberAsMethod: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_RequestMethod'
    typealias Response = String
    let method = 1
}

struct TextAsQuery: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestQueryItems'
    typealias Response = String
    var query = ""
}

struct AnyParameters: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Any' does not conform to protocol 'QueryValue'
    // error: 'APIRequest' requires that 'Any' conform to 'QueryValue'
    typealias Response = String
    var parameters: [String: Any] { ["page": 1, "tag": "swift"] }
}

struct AnyQuery: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Any' does not conform to protocol 'QueryValue'
    // error: 'APIRequest' requires that 'Any' conform to 'QueryValue'
    typealias Response = String
    var query: [String: Any] { ["page": 1, "tag": "swift"] }
}

struct NumberInHeaders: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol 'StringProtocol'
    // error: 'APIRequest' requires that 'Int' conform to 'StringProtocol'
    // note: requirement from conditional conformance of '[String : Int]' to '_RequestHeaders'
    typealias Response = String
    var headers: [String: Int] { ["X-Version": 1] }
}

struct DataAsBody: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Data' does not conform to protocol '_RequestBodyContent'
    typealias Response = String
    var body: Data { Data() }
}

struct FlagAsPolicy: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool' does not conform to protocol '_RequestRedirectPolicy'
    typealias Response = String
    var redirectPolicy: Bool { false }
}

struct FallbackThatIsNotOptional: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_OptionalResult'
    typealias Response = String
    func fallback(for error: APIError<ProblemDetails>) -> String { "" }
}

struct FallbackForAnyError: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'any Error' does not conform to protocol '_FallbackError'
    typealias Response = String
    func fallback(for error: any Error) -> String? { nil }
}

struct NumberAsGroup: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_RequestLimitGroup'
    typealias Response = String
    var limitGroup: Int { 1 }
}

struct LabelledAccepts: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool' does not conform to protocol '_AcceptsWithoutLabel'
    typealias Response = String
    func accepts(status: HTTPStatus) -> Bool { status == 404 }
}

struct StoredParameters: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestQueryItems'
    typealias Response = String
    let parameters = "page=1"
}

struct StoredHeaders: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol 'StringProtocol'
    // error: 'APIRequest' requires that 'Int' conform to 'StringProtocol'
    // note: requirement from conditional conformance of '[String : Int]' to '_RequestHeaders'
    typealias Response = String
    let headers = ["X-Version": 1]
}

struct StoredBody: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Data' does not conform to protocol '_RequestBodyContent'
    typealias Response = String
    let body = Data()
}

struct StoredPolicy: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool' does not conform to protocol '_RequestRedirectPolicy'
    typealias Response = String
    let redirectPolicy = false
}

struct ComputedMethod: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_RequestMethod'
    typealias Response = String
    var method: Int { 1 }
}

struct ComputedQuery: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestQueryItems'
    typealias Response = String
    var query: String { "" }
}

/// Declared for all requests of a service: each of them is rejected.
nonisolated protocol ServiceMethod: Shop {}
nonisolated extension ServiceMethod { var method: Int { 1 } }
nonisolated struct ByServiceMethod: ServiceMethod {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_RequestMethod'
    typealias Response = String
}

nonisolated protocol ServiceQuery: Shop {}
nonisolated extension ServiceQuery { var query: String { "" } }
nonisolated struct ByServiceQuery: ServiceQuery {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestQueryItems'
    typealias Response = String
}

nonisolated protocol ServiceParameters: Shop {}
nonisolated extension ServiceParameters { var parameters: String { "" } }
nonisolated struct ByServiceParameters: ServiceParameters {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestQueryItems'
    typealias Response = String
}

nonisolated protocol ServiceHeaders: Shop {}
nonisolated extension ServiceHeaders { var headers: Int { 1 } }
nonisolated struct ByServiceHeaders: ServiceHeaders {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_RequestHeaders'
    typealias Response = String
}

nonisolated protocol ServiceBody: Shop {}
nonisolated extension ServiceBody { var body: Data { Data() } }
nonisolated struct ByServiceBody: ServiceBody {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Data' does not conform to protocol '_RequestBodyContent'
    typealias Response = String
}

nonisolated protocol ServicePolicy: Shop {}
nonisolated extension ServicePolicy { var redirectPolicy: Bool { false } }
nonisolated struct ByServicePolicy: ServicePolicy {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool' does not conform to protocol '_RequestRedirectPolicy'
    typealias Response = String
}

nonisolated protocol ServiceTimeout: Shop {}
nonisolated extension ServiceTimeout { var timeout: Int { 2 } }
nonisolated struct ByServiceTimeout: ServiceTimeout {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_RequestTimeout'
    typealias Response = String
}

nonisolated protocol ServiceAccepts: Shop {}
nonisolated extension ServiceAccepts { func accepts(status: HTTPStatus) -> Bool { true } }
nonisolated struct ByServiceAccepts: ServiceAccepts {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool' does not conform to protocol '_AcceptsWithoutLabel'
    typealias Response = String
}

struct TextAsEnvironment: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestEnvironment'
    typealias Response = String
    let environment = "https://staging.example"
}

struct URLAsEnvironment: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'URL' does not conform to protocol '_RequestEnvironment'
    typealias Response = String
    var environment: URL
}

/// The service's extension has a path of the right type.
struct TextAsOwnPath: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestPathContent'
    typealias Response = String
    let path = "/own"
}

struct TextAsKey: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestIdempotencyKey'
    typealias Response = String
    let idempotencyKey = UUID().uuidString
}

struct ListOfScopes: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type '[String]' does not conform to protocol '_RequestScopes'
    typealias Response = String
    let requiredScopes = ["read"]
}

struct OptionalNeed: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool?' does not conform to protocol '_RequestFlag'
    typealias Response = String
    var requiresAuthorization: Bool?
}

struct TextAsIdempotence: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestFlag'
    typealias Response = String
    let isIdempotent = "yes"
}

struct NumberAsSharing: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_RequestFlag'
    typealias Response = String
    let sharesExchange = 1
}

struct FlagAsDetail: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool' does not conform to protocol '_RequestDiagnosisDetail'
    typealias Response = String
    let diagnosisDetail = true
}

struct NumberInAccepts: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Int' does not conform to protocol '_StatusParameter'
    typealias Response = String
    func accepts(_ status: Int) -> Bool { status == 404 }
}

struct OptionalAccepts: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Bool?' does not conform to protocol '_RequestFlag'
    typealias Response = String
    func accepts(_ status: HTTPStatus) -> Bool? { nil }
}

struct FailureInData: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Data' does not conform to protocol '_ResponseParameter'
    typealias Response = String
    func failure(in response: Data) -> ProblemDetails? { nil }
}

struct FailureAlways: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'ProblemDetails' does not conform to protocol '_OptionalResult'
    typealias Response = String
    let problem: ProblemDetails
    func failure(in response: BufferedResponse) -> ProblemDetails { problem }
}

struct PreparedData: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Data' does not conform to protocol '_PreparedRequest'
    typealias Response = String
    func prepare(_ request: inout Data) {}
}

struct PreparedCopy: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'HTTPRequest' does not conform to protocol '_PreparesInPlace'
    typealias Response = String
    func prepare(_ request: HTTPRequest) -> HTTPRequest { request }
}

struct SignedCopy: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type '()' does not conform to protocol '_PreparesInPlace'
    typealias Response = String
    func prepare(_ request: HTTPRequest) async throws {}
}

struct TextAsDestination: FileRequest, Shop {  // error: does not conform to protocol 'FileRequest'
    // error: type 'String' does not conform to protocol '_RequestDestination'
    let destination = "/tmp/a"
}

struct TextAsTerminator: EventStreamRequest, Shop {
    // error: does not conform to protocol 'EventStreamRequest'
    // error: type 'String' does not conform to protocol '_RequestTerminator'
    typealias Event = String
    let terminator = "[DONE]"
}

struct NumberAsReconnection: EventStreamRequest, Shop {
    // error: does not conform to protocol 'EventStreamRequest'
    // error: type 'Int' does not conform to protocol '_RequestReconnection'
    typealias Event = String
    let reconnection = 3
}

struct NumberAsIdleTimeout: EventStreamRequest, Shop {
    // error: does not conform to protocol 'EventStreamRequest'
    // error: type 'Int' does not conform to protocol '_RequestTimeout'
    typealias Event = String
    let idleTimeout = 30
}

struct TextAsStreamTypes: EventStreamRequest, Shop {
    // error: does not conform to protocol 'EventStreamRequest'
    // error: type 'String' does not conform to protocol '_RequestStreamTypes'
    typealias Event = String
    let streamTypes = "text/plain"
}

struct DurationAsTimeouts: Shop {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Duration' does not conform to protocol '_RequestStageTimeouts'
    typealias Response = String
    let timeouts = Duration.seconds(5)
}

struct NumberAsLogCode: ServiceFailure, Decodable {  // error: does not conform to protocol 'ServiceFailure'
    // error: type 'Int' does not conform to protocol '_FailureLogCode'
    let logCode: Int
}

nonisolated protocol ServiceEnvironment: Shop {}
nonisolated extension ServiceEnvironment { var environment: String { "https://staging.example" } }
nonisolated struct ByServiceEnvironment: ServiceEnvironment {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestEnvironment'
    typealias Response = String
}

/// A proxy's own near miss.
struct Hurried<Base: APIRequest>: RequestProxy {  // error: does not conform to protocol 'APIRequest'
    // error: type 'Double' does not conform to protocol '_RequestTimeout'
    var request: Base
    let timeout = 0.2
}

struct Elsewhere<Base: APIRequest>: RequestProxy {  // error: does not conform to protocol 'APIRequest'
    // error: type 'String' does not conform to protocol '_RequestEnvironment'
    var request: Base
    let environment = "https://staging.example"
}
