/// The envelope of a whole service, which has each value under one key: `{"data": …}`.
///
/// ```swift
/// enum DataKey: ResponseKey { static let path = "data" }
///
/// nonisolated protocol BankRequest: APIRequest {
///     associatedtype Definition = EnvelopeResponse<DataKey, Response>
/// }
///
/// struct Accounts: BankRequest {
///     typealias Response = [String]                      // {"data": ["…", "…"]}
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/accounts" }
/// }
/// ```
/// A request of the service that sets its own `Definition` has that. If `Result` is `Void`, it reads nothing, and an
/// optional one is `nil` if the key is missing.
public enum EnvelopeResponse<Key: ResponseKey, Result>: ResponseDefinition, _ServiceEnvelope {
    /// What the decoder reads; any type if nothing is decoded.
    public static var acceptedMediaTypes: String? { Decoded<Result>.acceptedMediaTypes }

    /// The problem of the path.
    public static var _definitionProblem: String? { ResponsePath(Key.path).problem }

    /// Decodes the value under the key.
    public static func read(_ response: BufferedResponse) throws -> Result {
        guard let type = Result.self as? any Decodable.Type else { return try Decoded<Result>.read(response) }
        guard let result = try value(of: type, in: response) as? Result else {
            throw ResponseCause.definition.error("no Definition can read \(Result.self)")
        }
        return result
    }

    private static func value<Value: Decodable>(of type: Value.Type, in response: BufferedResponse) throws -> Any {
        try KeyedResponse<Key, Decoded<Value>>.read(response)
    }
}

/// A definition that is a service's default, so that the compiler checks what it can read.
public protocol _ServiceEnvelope: ResponseDefinition {}
