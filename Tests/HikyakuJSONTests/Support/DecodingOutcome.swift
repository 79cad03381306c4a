import Foundation

@testable import HikyakuJSON

/// What comes of decoding a document: a value, or the case, type and place of an error.
enum DecodingOutcome<Value> {
    case value(Value)
    case error(String)

    init(_ body: () throws -> Value) {
        do {
            self = .value(try body())
        } catch {
            self = .error(Self.shape(of: error))
        }
    }

    /// What two decoders have to agree on; their sentences are their own.
    private static func shape(of error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(let type, let context):
            "typeMismatch(\(type)) at \(text(of: context.codingPath))"
        case DecodingError.valueNotFound(let type, let context):
            "valueNotFound(\(type)) at \(text(of: context.codingPath))"
        case DecodingError.keyNotFound(let key, let context):
            "keyNotFound(\(key.stringValue)) at \(text(of: context.codingPath))"
        case DecodingError.dataCorrupted(let context):
            "dataCorrupted at \(text(of: context.codingPath))"
        case is JSONSyntaxError:
            // Foundation has no other case for bytes that are not JSON.
            "dataCorrupted at /"
        default:
            "\(error)"
        }
    }

    static func text(of path: [any CodingKey]) -> String {
        path.isEmpty ? "/" : path.map { "/" + $0.stringValue }.joined()
    }

    var value: Value? { if case .value(let value) = self { value } else { nil } }

    var error: String? { if case .error(let error) = self { error } else { nil } }

    func map<Other>(_ body: (Value) -> Other) -> DecodingOutcome<Other> {
        switch self {
        case .value(let value): .value(body(value))
        case .error(let error): .error(error)
        }
    }
}

extension DecodingOutcome: Equatable where Value: Equatable {}

extension DecodingOutcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .value(let value): "\(value)"
        case .error(let error): error
        }
    }
}

/// The names by which tests call coding paths.
func pathText(_ path: [any CodingKey]) -> String {
    DecodingOutcome<Int>.text(of: path)
}

extension HikyakuJSONDecoder {
    /// Decodes without making a diagnosis of an error.
    func undiagnosed<Value: Decodable>(_ type: Value.Type, _ document: Data) throws -> Value {
        try document.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                try Plan<Value>.shared.document(bytes, settings: self, tools: .take())
            }
        }
    }

    /// Reads directly without making a diagnosis of an error.
    func undiagnosed<Value>(_ document: Data, _ body: (inout JSONReader) throws -> Value) throws -> Value {
        try document.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { try JSONReader.document($0, settings: self, body) }
        }
    }

    func outcome<Value: Decodable>(_ type: Value.Type, _ document: Data) -> DecodingOutcome<Value> {
        DecodingOutcome { try undiagnosed(type, document) }
    }

    func outcome<Value: Decodable>(_ type: Value.Type, _ document: String) -> DecodingOutcome<Value> {
        outcome(type, Data(document.utf8))
    }

    /// What direct reading makes of a document.
    func reading<Value: JSONReadable>(_ type: Value.Type, _ document: Data) -> DecodingOutcome<Value> {
        DecodingOutcome { try undiagnosed(document) { try $0.read(type) } }
    }

    func reading<Value: JSONReadable>(_ type: Value.Type, _ document: String) -> DecodingOutcome<Value> {
        reading(type, Data(document.utf8))
    }
}

extension JSONDecoder {
    func outcome<Value: Decodable>(_ type: Value.Type, _ document: Data) -> DecodingOutcome<Value> {
        DecodingOutcome { try decode(type, from: document) }
    }

    func outcome<Value: Decodable>(_ type: Value.Type, _ document: String) -> DecodingOutcome<Value> {
        outcome(type, Data(document.utf8))
    }
}
