import Hikyaku

struct WithoutPath: APIRequest {
    // error: type 'WithoutPath' does not conform to protocol 'APIRequest'
    // error: type 'WithoutPath' does not conform to protocol '_TargetSpelling'
    // note: protocol requires property 'path' with type 'RequestPath'
    typealias Response = String
    var environment: APIEnvironment { "https://api.example" }
}

struct WithoutEnvironment: APIRequest {
    // error: type 'WithoutEnvironment' does not conform to protocol 'APIRequest'
    // error: type 'WithoutEnvironment' does not conform to protocol '_TargetSpelling'
    // note: protocol requires property 'environment' with type 'APIEnvironment'
    typealias Response = String
    var path: RequestPath { "/items" }
}

struct OptionalInPath: APIRequest {
    typealias Response = String
    var id: String?
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items/\(id)" }  // error: must be unwrapped
}
