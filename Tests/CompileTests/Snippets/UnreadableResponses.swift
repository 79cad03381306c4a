import Hikyaku

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
}

nonisolated struct NotDecodable: Sendable {}
nonisolated struct Dish: Decodable, Sendable { var name: String }

nonisolated struct Undecodable: Shop {  // error: type 'Undecodable' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = NotDecodable
}

nonisolated struct UndecodableList: Shop {  // error: type 'UndecodableList' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = [NotDecodable]
}

nonisolated struct Tuple: Shop {  // error: type 'Tuple' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = (Dish, Dish)
}

nonisolated struct Generic<Model: Sendable>: Shop {
    // error: type 'Generic<Model>' does not conform to protocol 'APIRequest'
    // error: no Definition can read this Response: make it Decodable
    typealias Response = Model
}

nonisolated struct ShapeAsResponse: Shop {  // error: type 'ShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: unavailable instance method 'response(from:)' was used to satisfy a requirement of protocol 'APIRequest': this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = SingleResponse<Dish>
}

nonisolated struct EmptyShapeAsResponse: Shop {
    // error: type 'EmptyShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = EmptyResponse
}

nonisolated struct CombinedShapeAsResponse: Shop {
    // error: type 'CombinedShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = CombinedResponse<SingleResponse<Menu>, ArrayResponse<Menu>>
}

nonisolated struct Menu: KeyedModel, Sendable {}

nonisolated enum OwnShape: ResponseDefinition {
    static func read(_ response: BufferedResponse) -> Int { 1 }
}

nonisolated struct OwnShapeAsResponse: Shop {
    // error: type 'OwnShapeAsResponse' does not conform to protocol 'APIRequest'
    // error: this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …
    typealias Response = OwnShape
}
