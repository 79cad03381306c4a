import Foundation
import HikyakuJSON

/// Types that hold themselves through what passes over failures.
enum TolerantModel: CaseIterable {
    case lossy, directLossy, wrappedLossy, dictionary

    /// A document with a number of arrays and objects inside of each other; the number is even.
    func document(levels: Int) -> Data {
        // The first of equal keys is ignored, but its value must be valid JSON.
        let (start, end) = self == .dictionary ? (#"{"a":{"a":"#, #","a":{}},"a":{}}"#) : (#"{"list":["#, "]}")
        let middle = self == .dictionary ? "{}" : ""
        let count = (self == .dictionary ? levels - 2 : levels) / 2
        return Data((String(repeating: start, count: count) + middle + String(repeating: end, count: count)).utf8)
    }

    func value(of document: Data, by decoder: HikyakuJSONDecoder) throws -> Any {
        switch self {
        case .lossy: try decoder.decode(Lossy.self, from: document)
        case .directLossy: try decoder.decode(DirectLossy.self, from: document)
        case .wrappedLossy: try decoder.decode(WrappedLossy.self, from: document)
        case .dictionary: try decoder.decode(Nest.self, from: document)
        }
    }
}

extension TolerantModel {
    private struct Lossy: Decodable {
        let list: LossyArray<Lossy>
    }

    private struct DirectLossy: Decodable, JSONReadable {
        var list: LossyArray<DirectLossy> = []

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            list = try reader.member("list", or: [])
            try reader.endObject()
        }

        init(from decoder: any Decoder) throws {
            // Never called, since the type reads itself.
        }
    }

    private struct WrappedLossy: Decodable {
        let list: LossyArray<WrappedLossy>

        private enum CodingKeys: String, CodingKey { case list }

        init(from decoder: any Decoder) throws {
            let list = try decoder.container(keyedBy: CodingKeys.self).superDecoder(forKey: .list)
            self.list = try LossyArray(from: Wrapper(decoder: list))
        }
    }

    private struct Nest: Decodable {
        let inner: [String: Nest]

        init(from decoder: any Decoder) throws {
            inner = try decoder.singleValueContainer().decode([String: Nest].self)
        }
    }

    /// Somebody else's decoder around ours.
    private struct Wrapper: Decoder {
        let decoder: any Decoder
        var codingPath: [any CodingKey] { decoder.codingPath }
        var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try decoder.container(keyedBy: type)
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }

        func singleValueContainer() throws -> any SingleValueDecodingContainer { try decoder.singleValueContainer() }
    }
}
