import Hikyaku

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

nonisolated struct NotDecodable: Sendable {}
struct Dish: APIModel, Decodable { var name: String }

struct Undecodable: Shop {  // error: type 'Undecodable' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = NotDecodable
}

struct UndecodableList: Shop {  // error: type 'UndecodableList' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = [NotDecodable]
}

struct Tuple: Shop {  // error: type 'Tuple' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = (Dish, Dish)
}

struct Generic<Model: Sendable>: Shop {
    // error: type 'Generic<Model>' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = Model
}

struct ShapeAsResponse: Shop {  // error: type 'ShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: unavailable instance method 'response(from:)' was used to satisfy a requirement of protocol 'APIRequest': this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = SingleResponse<Dish>
}

struct EmptyShapeAsResponse: Shop {
    // error: type 'EmptyShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = EmptyResponse
}

struct CombinedShapeAsResponse: Shop {
    // error: type 'CombinedShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = CombinedResponse<SingleResponse<Menu>, ArrayResponse<Menu>>
}

struct Menu: KeyedModel, Sendable {}

enum OwnShape: ResponseDefinition {
    static func read(_ response: BufferedResponse) -> Int { 1 }
}

struct OwnShapeAsResponse: Shop {
    // error: type 'OwnShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = OwnShape
}

enum DataKey: ResponseKey { static let path = "data" }

nonisolated protocol Wrapped: APIRequest {
    associatedtype Definition = EnvelopeResponse<DataKey, Response>
}

nonisolated extension Wrapped {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

struct WrappedNothing: Wrapped { typealias Response = Void }
struct WrappedText: Wrapped { typealias Definition = TextResponse }
struct WrappedStrings: Wrapped { typealias Response = [String] }

struct WrappedUnreadable: Wrapped {
    // error: type 'WrappedUnreadable' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = NotDecodable
}

struct WrappedByItself: Wrapped {
    typealias Response = NotDecodable
    func response(from response: BufferedResponse) async throws -> NotDecodable { NotDecodable() }
}
