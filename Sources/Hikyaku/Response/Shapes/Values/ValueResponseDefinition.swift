/// A shape that is read from one value of a document, so that it can stand inside of others.
///
/// ```swift
/// enum Total: ValueResponseDefinition {
///     static func decode(from decoder: any Decoder) throws -> Int {
///         try decoder.singleValueContainer().decode([Int].self).reduce(0, +)
///     }
/// }
/// ```
/// Where ``ResponseShape/Result`` is `Decodable`, a `typealias` of it is enough. Whichever decoder a client has reads it,
/// and the document once.
public protocol ValueResponseDefinition<Result>: ResponseDefinition {
    /// What reading gives; follows from ``decode(from:)``.
    associatedtype Result

    /// Reads the value that a decoder stands at.
    ///
    /// - Parameter decoder: Stands at the value: its keys and elements are those of the value.
    /// - Returns: What the shape gives.
    /// - Throws: Anything; a `DecodingError` says where.
    static func decode(from decoder: any Decoder) throws -> Result
}

extension ValueResponseDefinition {
    /// Reads the body as a whole.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Result {
        let body = try await response.body.collect(upTo: context.bodyBytesMax)
        return try context.decoder.decodeShape(Self.self, from: body)
    }
}

extension ValueResponseDefinition where Result: Decodable {
    /// Decodes the value.
    public static func decode(from decoder: any Decoder) throws -> Result {
        try decoder.singleValueContainer().decode(Result.self)
    }
}

/// A shape that can be a part of a ``CombinedResponse``: it knows where its value stands.
///
/// ```swift
/// enum Total: DataResponseDefinition {
///     typealias Result = Int
///     static let path: ResponsePath = "meta.total"
/// }
/// ```
public protocol DataResponseDefinition: ValueResponseDefinition {
    /// What is read at the place; by default the shape itself.
    associatedtype Content: ValueResponseDefinition = Self where Content.Result == Result
    /// Where the value stands; asked for once in the life of a process.
    static var path: ResponsePath { get }
    /// What a part gives whose key is missing; `nil`, the default, makes that a failure.
    ///
    /// For a `Result` that is optional the default is `nil` inside of another: its key may be missing.
    static var absentResult: Result? { get }
}

extension DataResponseDefinition {
    /// A missing key is a failure, unless the result is optional.
    public static var absentResult: Result? {
        (Result.self as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Result }
    }
}
