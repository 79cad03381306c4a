#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A key of an envelope: whichever is asked for.
struct EnvelopeKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) {
        stringValue = text
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) { nil }

    /// What a container calls a key of the document; `nil` where the document doesn't have it.
    static func known(_ key: String, in container: KeyedDecodingContainer<EnvelopeKey>) -> EnvelopeKey? {
        KeyConversion.current.names(of: key, at: container.codingPath).lazy.map { EnvelopeKey($0) }
            .first { container.contains($0) }
    }
}

/// What a decoder other than ours makes of the document's keys, by which envelopes have to ask for them.
enum KeyConversion: Sendable {
    case none
    case snakeCase
    case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    /// Somebody's decoder, which may have one of Foundation's inside.
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
        case .custom(let convert): [convert(path + [EnvelopeKey(key)]).stringValue]
        case .unknown: [key, SnakeCase.camelCase(key)]
        }
    }
}
