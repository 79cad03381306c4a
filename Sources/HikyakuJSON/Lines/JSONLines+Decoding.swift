#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONLines where Value: Decodable {
    /// Reads lines by a decoder.
    ///
    /// - Parameters:
    ///   - base: The stream in pieces that are split anywhere.
    ///   - type: What each line is read into.
    ///   - decoder: Reads each line as a document; what it tells of drift has the stream's bytes.
    ///   - splitter: What a line may be.
    ///   - invalidLines: What is done about a line that gives no value.
    public init(
        _ base: Base,
        of type: Value.Type = Value.self,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: InvalidLines = .stop,
    ) {
        self.init(base, splitter, invalidLines) { line in
            try decoder.telling(of: line).decode(Value.self, from: line.bytes)
        }
    }
}

extension JSONLines where Value: JSONReadable {
    /// Reads lines into a type that reads itself.
    ///
    /// - Parameters:
    ///   - base: The stream in pieces that are split anywhere.
    ///   - type: What each line is read into.
    ///   - decoder: Reads each line as a document; what it tells of drift has the stream's bytes.
    ///   - splitter: What a line may be.
    ///   - invalidLines: What is done about a line that gives no value.
    public init(
        _ base: Base,
        reading type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: InvalidLines = .stop,
    ) {
        self.init(base, splitter, invalidLines) { line in
            try decoder.telling(of: line).read(Value.self, from: line.bytes)
        }
    }
}

extension AsyncSequence where Element == Data {
    /// The values of JSON Lines, which is also called NDJSON, as they arrive; see ``JSONLines``.
    ///
    /// - Parameters:
    ///   - type: What each line is read into.
    ///   - decoder: Reads each line as a document; what it tells of drift has the stream's bytes.
    ///   - splitter: What a line may be: by default, of at most 1 MiB.
    ///   - invalidLines: What is done about a line that gives no value.
    /// - Returns: The values one after the other.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: JSONLines<Self, Value>.InvalidLines = .stop,
    ) -> JSONLines<Self, Value> {
        JSONLines(self, of: type, decoder: decoder, splitter: splitter, invalidLines: invalidLines)
    }

    /// The values of JSON Lines as they arrive, in a type that reads itself and need not be `Decodable`.
    ///
    /// - Parameters:
    ///   - type: What each line is read into.
    ///   - decoder: Reads each line as a document; what it tells of drift has the stream's bytes.
    ///   - splitter: What a line may be: by default, of at most 1 MiB.
    ///   - invalidLines: What is done about a line that gives no value.
    /// - Returns: The values one after the other.
    public func jsonLines<Value: JSONReadable & Sendable>(
        reading type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: JSONLines<Self, Value>.InvalidLines = .stop,
    ) -> JSONLines<Self, Value> {
        JSONLines(self, reading: type, decoder: decoder, splitter: splitter, invalidLines: invalidLines)
    }
}
