#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parts of an object, decoded one after another.
///
/// Our decoders find them in the index of the document; other decoders get keyed containers.
struct EnvelopeParts {
    private let decoder: any Decoder
    private let document: DocumentPlace?
    private let paths: [ResponsePath]
    private var number = 0
    /// Kept, since another decoder may iterate over all members to create one.
    private var container: KeyedDecodingContainer<AnyKey>?

    init(_ decoder: any Decoder, _ layout: ShapeLayout) {
        self.decoder = decoder
        document = DocumentPlace(decoder)
        paths = layout.paths
    }

    /// Decodes the next part of the layout.
    mutating func next<Part: DecodedPart>(_ part: Part.Type) throws -> Part.Result where Part.Key: ResponseKey {
        let keys = paths[number].keys
        number += 1
        guard !keys.isEmpty else { return try Part.Content.decode(from: decoder) }
        if let value = try document.map({ try $0.value(at: keys) }) ?? otherValue(at: keys) {
            return try Part.Content.decode(from: value)
        }
        guard let absent = Part._absentResult else { throw try missing(keys) }
        return absent
    }

    private mutating func missing(_ keys: [String]) throws -> DecodingError {
        if let document { return try document.missing(keys) }
        let (key, _, container) = try otherPlace(of: keys)
        return .keyNotFound(
            AnyKey(key),
            DecodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "the object has no key \"\(key)\"",
                underlyingError: ObjectKeys(container.allKeys.map(\.stringValue)),
            ),
        )
    }

    private mutating func otherValue(at keys: [String]) throws -> (any Decoder)? {
        let (_, known, container) = try otherPlace(of: keys)
        return try known.map { try container.superDecoder(forKey: $0) }
    }

    /// The last key with its container, or the first key that the document doesn't have.
    private mutating func otherPlace(
        of keys: [String]
    ) throws -> (key: String, known: AnyKey?, container: KeyedDecodingContainer<AnyKey>) {
        var inner = try container ?? decoder.container(keyedBy: AnyKey.self)
        container = inner
        for key in keys.dropLast() {
            guard let known = AnyKey.known(key, in: inner) else { return (key, nil, inner) }
            inner = try inner.nestedContainer(keyedBy: AnyKey.self, forKey: known)
        }
        let last = keys[keys.count - 1]
        return (last, AnyKey.known(last, in: inner), inner)
    }
}

/// Decodes a definition where a decoder needs a type.
private struct Envelope<Shape: DecodedPart>: Decodable {
    let result: Shape.Result

    init(from decoder: any Decoder) throws {
        result = try Shape.decode(from: decoder)
    }
}

extension ResponseDecoder {
    /// Decodes a document by a definition.
    func decodeShape<Shape: DecodedPart>(_ shape: Shape.Type, from body: Data) throws -> Shape.Result {
        guard !(self is HikyakuJSONDecoder) else { return try decode(Envelope<Shape>.self, from: body).result }
        return try KeyConversion.$current.withValue(KeyConversion(of: self)) {
            try decode(Envelope<Shape>.self, from: body).result
        }
    }
}

/// A key with any name: of an envelope, or of `parameters`.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) {
        stringValue = text
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) { nil }

    /// The container's name for a key of the document; `nil` if the document doesn't have the key.
    fileprivate static func known(_ key: String, in container: KeyedDecodingContainer<AnyKey>) -> AnyKey? {
        KeyConversion.current.names(of: key, at: container.codingPath).lazy.map { AnyKey($0) }
            .first { container.contains($0) }
    }
}

/// How a decoder other than ours converts the document's keys, which envelopes need to find them.
private enum KeyConversion: Sendable {
    case none
    case snakeCase
    case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    /// A custom decoder, which may wrap one of Foundation's.
    case unknown

    @TaskLocal static var current = KeyConversion.unknown

    init(of decoder: any ResponseDecoder) {
        switch decoder {
        case let decoder as JSONDecoder:
            switch decoder.keyDecodingStrategy {
            case .useDefaultKeys: self = .none
            case .convertFromSnakeCase: self = .snakeCase
            case .custom(let convert): self = .custom(convert)
            @unknown default: self = .unknown
            }
        case is PropertyListDecoder: self = .none
        default: self = .unknown
        }
    }

    func names(of key: String, at path: [any CodingKey]) -> [String] {
        switch self {
        case .none: [key]
        case .snakeCase: [SnakeCase.camelCase(key)]
        case .custom(let convert): [convert(path + [AnyKey(key)]).stringValue]
        case .unknown: [key, SnakeCase.camelCase(key)]
        }
    }
}
