/// A definition that is decoded from one value of a document, so that it can be nested in others: under a
/// ``KeyedResponse``, and, if it has its own ``Key``, as a part of a ``CombinedResponse``.
///
/// ```swift
/// enum Total: DecodedPart {
///     enum Key: ResponseKey { static let path = "meta.total" }
///
///     static func decode(from decoder: any Decoder) throws -> Int {
///         try decoder.singleValueContainer().decode([Int].self).reduce(0, +)
///     }
/// }
/// ```
/// If ``ResponseDefinition/Result`` is `Decodable`, a `typealias` for it is enough. Any decoder of a client can decode
/// it, and the document is parsed once.
public protocol DecodedPart<Result>: ResponseDefinition {
    /// The type of the result; inferred from ``decode(from:)``.
    associatedtype Result
    /// The definition of the value at the path; by default this definition itself.
    associatedtype Content: DecodedPart = Self where Content.Result == Result
    /// The key of the value as a part: a ``ResponseKey``. By default there is none, and it can't be a part without a
    /// ``KeyedResponse``.
    associatedtype Key = _NoKey

    /// The result of a part whose key is missing; with `nil`, the default, that is a failure.
    ///
    /// For an optional `Result` the default is a wrapped `nil`: its key may be missing.
    static var _absentResult: Result? { get }

    /// Decodes the value.
    ///
    /// - Parameter decoder: A decoder for the value: its keys and elements are those of the value.
    /// - Returns: The result.
    /// - Throws: Anything; a `DecodingError` includes the path.
    static func decode(from decoder: any Decoder) throws -> Result
}

/// The key of a definition without one: it isn't a ``ResponseKey``.
public enum _NoKey {}

extension DecodedPart {
    /// A missing key is a failure, unless the result is optional.
    public static var _absentResult: Result? {
        (Result.self as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Result }
    }

    /// Decodes the body as a whole; one without content is the `nil` of an optional result.
    public static func read(_ response: BufferedResponse) throws -> Result {
        if response.isWithoutContent, let absent = _absentResult { return absent }
        return try response.decoder.decodeShape(Self.self, from: response.body)
    }
}

extension DecodedPart where Result: Decodable {
    /// Decodes the value.
    public static func decode(from decoder: any Decoder) throws -> Result {
        try decoder.singleValueContainer().decode(Result.self)
    }
}

/// One model: the body as a whole, or under the model's ``KeyedModel/singleKey`` as a part of a ``CombinedResponse``.
///
/// ```swift
/// struct DishWithInfo: Shop.Request {     // {"dish": {…}, "info": {…}}
///     typealias Definition = CombinedResponse<SingleResponse<Dish>, SingleResponse<Info>>
///     var id: Int
///     var path: RequestPath { "/dishes/\(id)/with-info" }
/// }
/// let (dish, info) = try await client.send(DishWithInfo(id: 1))
/// ```
public enum SingleResponse<Model: Decodable>: DecodedPart {
    /// The model.
    public typealias Result = Model

    /// The model's key.
    public typealias Key = _SingleKey<Model>

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> Model { try response.decode(Model.self) }
}

/// Models in an array: the body as a whole, or under the model's ``KeyedModel/pluralKey`` as a part of a
/// ``CombinedResponse``.
///
/// ```swift
/// enum Results: ResponseKey { static let path = "results" }
///
/// struct Search: Shop.Request {       // {"results": [{…}, {…}]}
///     typealias Definition = KeyedResponse<Results, ArrayResponse<Dish>>
///     var path: RequestPath { "/search" }
/// }
/// ```
public enum ArrayResponse<Model: Decodable>: DecodedPart {
    /// The models, in order.
    public typealias Result = [Model]

    /// The key of several models.
    public typealias Key = _PluralKey<Model>

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> [Model] { try response.decode([Model].self) }
}

/// The only element of an array, such as the response to a search for a unique name.
///
/// ```swift
/// struct DishByName: Shop.Request {       // [{…}]
///     typealias Definition = OnlyResponse<Dish>
///     var name: String
///     var path: RequestPath { "/dishes" }
///     var query: RequestQuery { ["name": name] }
/// }
/// let dish = try await client.send(DishByName(name: "Ramen"))  // a Dish
/// ```
/// An array with no element or with several is a decoding failure that says so, so `Response` is not optional. As a
/// part of a ``CombinedResponse`` the array is under the model's ``KeyedModel/pluralKey``.
public enum OnlyResponse<Model: Decodable>: DecodedPart {
    /// The key of several models.
    public typealias Key = _PluralKey<Model>

    /// None: an array with exactly one element can't be missing.
    public static var _absentResult: Model? { nil }

    /// Decodes the array's element.
    public static func decode(from decoder: any Decoder) throws -> Model {
        var elements = try decoder.unkeyedContainer()
        guard elements.count ?? 1 == 1, !elements.isAtEnd else { throw notOne(decoder) }
        let model = try elements.decode(Model.self)
        guard elements.isAtEnd else { throw notOne(decoder) }
        return model
    }

    private static func notOne(_ decoder: any Decoder) -> DecodingError {
        DocumentPlace.unacceptable("an array with exactly one element", at: decoder)
    }
}
