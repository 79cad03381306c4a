import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// A request for a shape.
struct Shaped<D: ResponseDefinition>: APIRequest where D.Result: Sendable {
    typealias Response = D.Result
    typealias Definition = D
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
}

/// Reads a response by a shape, as a client would.
func send<D: ResponseDefinition>(
    _ shape: D.Type,
    _ response: HTTPResponse,
    decoder: any ResponseDecoder = HikyakuJSONDecoder(),
) async throws(APIError<ProblemDetails>) -> D.Result where D.Result: Sendable {
    let options = ClientOptions(decoder: decoder)
    return try await APIClient(transport: MockTransport { _ in response }, options: options).send(Shaped<D>())
}

func send<D: ResponseDefinition>(
    _ shape: D.Type,
    _ json: String,
    decoder: any ResponseDecoder = HikyakuJSONDecoder(),
) async throws(APIError<ProblemDetails>) -> D.Result where D.Result: Sendable {
    try await send(shape, .json(json), decoder: decoder)
}

/// What the decoding failure of a body says.
func diagnosis<D: ResponseDefinition>(
    _ shape: D.Type,
    _ json: String,
    decoder: any ResponseDecoder = HikyakuJSONDecoder(),
) async throws -> DecodingDiagnosis where D.Result: Sendable {
    let error = try await failure { () async throws(APIError<ProblemDetails>) in
        try await send(shape, json, decoder: decoder)
    }
    guard case .decoding(let failure) = error else { throw error }
    return failure.diagnosis
}

/// A decoder of somebody's that has Foundation's inside.
struct WrappedDecoder: ResponseDecoder {
    var strategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = strategy
        return try decoder.decode(type, from: bytes)
    }
}

/// A way of decoding JSON.
struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let decoder: any ResponseDecoder

    /// Those that leave keys as they are.
    static let plain = [
        Way(testDescription: "ours", decoder: HikyakuJSONDecoder()),
        Way(testDescription: "Foundation's", decoder: JSONDecoder()),
        Way(testDescription: "a wrapped one", decoder: WrappedDecoder()),
    ]

    /// Those that convert keys of types from snake case.
    static let snakeCase: [Way] = {
        var ours = HikyakuJSONDecoder()
        ours.keyDecodingStrategy = .convertFromSnakeCase
        let foundations = JSONDecoder()
        foundations.keyDecodingStrategy = .convertFromSnakeCase
        return [
            Way(testDescription: "ours", decoder: ours),
            Way(testDescription: "Foundation's", decoder: foundations),
            Way(testDescription: "a wrapped one", decoder: WrappedDecoder(strategy: .convertFromSnakeCase)),
        ]
    }()

    /// Those that convert keys of types by a function.
    static let custom: [Way] = {
        var ours = HikyakuJSONDecoder()
        ours.keyDecodingStrategy = .custom { $0.lowercased() }
        let foundations = JSONDecoder()
        foundations.keyDecodingStrategy = .custom { LowercasedKey(stringValue: $0[$0.count - 1].stringValue) }
        return [
            Way(testDescription: "ours", decoder: ours),
            Way(testDescription: "Foundation's", decoder: foundations),
        ]
    }()
}

struct LowercasedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue.lowercased()
    }

    init?(intValue: Int) { nil }
}

extension Dish: KeyedModel {}

struct MenuItem: KeyedModel, Sendable, Equatable {
    let itemName: String
}

enum Starters: ResponseKey { static let path = "menu.starters" }
enum Mains: ResponseKey { static let path = "menu.mains" }
