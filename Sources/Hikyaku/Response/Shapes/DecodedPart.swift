/// A shape that is read from one value of a document, so that it can stand inside of others: under a ``KeyedResponse``,
/// and where it has a ``Key`` of its own, as a part of a ``CombinedResponse``.
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
/// Where ``ResponseDefinition/Result`` is `Decodable`, a `typealias` of it is enough. Whichever decoder a client has
/// reads it, and the document once.
public protocol DecodedPart<Result>: ResponseDefinition {
    /// What reading gives; follows from ``decode(from:)``.
    associatedtype Result
    /// What is read at the place; by default the shape itself.
    associatedtype Content: DecodedPart = Self where Content.Result == Result
    /// Where the value stands as a part: a ``ResponseKey``. By default it has none, and can be no part by itself.
    associatedtype Key = NoKey

    /// What a part gives whose key is missing; `nil`, the default, makes that a failure.
    ///
    /// For a `Result` that is optional the default is `nil` inside of another: its key may be missing.
    static var absentResult: Result? { get }

    /// Reads the value that a decoder stands at.
    ///
    /// - Parameter decoder: Stands at the value: its keys and elements are those of the value.
    /// - Returns: What the shape gives.
    /// - Throws: Anything; a `DecodingError` says where.
    static func decode(from decoder: any Decoder) throws -> Result
}

/// The key of a shape that has none: it isn't a ``ResponseKey``.
public enum NoKey {}

extension DecodedPart {
    /// A missing key is a failure, unless the result is optional.
    public static var absentResult: Result? {
        (Result.self as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Result }
    }

    /// Reads the body as a whole.
    public static func read(_ response: BufferedResponse) throws -> Result {
        try response.decoder.decodeShape(Self.self, from: response.body)
    }
}

extension DecodedPart where Result: Decodable {
    /// Decodes the value.
    public static func decode(from decoder: any Decoder) throws -> Result {
        try decoder.singleValueContainer().decode(Result.self)
    }
}

/// One model: the body as a whole, or under the model's ``KeyedModel/singleKey`` as a part of a ``CombinedResponse``.
public enum SingleResponse<Model: Decodable>: DecodedPart {
    /// The model.
    public typealias Result = Model

    /// The model's key.
    public typealias Key = SingleKey<Model>

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> Model { try response.decode(Model.self) }
}

/// Models in an array: the body as a whole, or under the model's ``KeyedModel/pluralKey`` as a part of a
/// ``CombinedResponse``.
public enum ArrayResponse<Model: Decodable>: DecodedPart {
    /// The models in their order.
    public typealias Result = [Model]

    /// The key of several models.
    public typealias Key = PluralKey<Model>

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> [Model] { try response.decode([Model].self) }
}

/// The model that an array must hold, and no other: what a search by a unique name answers with.
///
/// An array with none or with several is a decoding failure that says so, and so `Response` is no optional. As a part
/// of a ``CombinedResponse`` the array stands under the model's ``KeyedModel/pluralKey``.
public enum OnlyResponse<Model: Decodable>: DecodedPart {
    /// The key of several models.
    public typealias Key = PluralKey<Model>

    /// None: an array with exactly one element can't be missing.
    public static var absentResult: Model? { nil }

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
