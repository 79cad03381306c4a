#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONLines where Value: Decodable {
    /// Creates a sequence that decodes lines with a decoder.
    ///
    /// - Parameters:
    ///   - base: The stream, in pieces that may be split anywhere.
    ///   - type: The type of each line's value.
    ///   - decoder: Decodes each line as a document. It reports drift with byte offsets in the stream.
    ///   - splitter: Splits the stream into lines, with its limits.
    ///   - invalidLines: How lines that can't be decoded are handled.
    public init(
        _ base: Base,
        of type: Value.Type = Value.self,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: InvalidLines = .stop,
    ) {
        self.init(base, splitter, invalidLines) { line in
            try decoder.reporting(in: line).decode(Value.self, from: line.bytes)
        }
    }
}

extension JSONLines where Value: JSONReadable {
    /// Creates a sequence that reads lines into a ``JSONReadable`` type.
    ///
    /// - Parameters:
    ///   - base: The stream, in pieces that may be split anywhere.
    ///   - type: The type of each line's value.
    ///   - decoder: Decodes each line as a document. It reports drift with byte offsets in the stream.
    ///   - splitter: Splits the stream into lines, with its limits.
    ///   - invalidLines: How lines that can't be decoded are handled.
    public init(
        _ base: Base,
        reading type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: InvalidLines = .stop,
    ) {
        self.init(base, splitter, invalidLines) { line in
            try decoder.reporting(in: line).read(Value.self, from: line.bytes)
        }
    }
}

extension AsyncSequence where Element == Data {
    /// The values of JSON Lines (NDJSON), decoded as they arrive; see ``JSONLines``.
    ///
    /// - Parameters:
    ///   - type: The type of each line's value.
    ///   - decoder: Decodes each line as a document. It reports drift with byte offsets in the stream.
    ///   - splitter: Splits the stream into lines. By default, a line has at most 1 MiB.
    ///   - invalidLines: How lines that can't be decoded are handled.
    /// - Returns: An asynchronous sequence of the values.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: JSONLines<Self, Value>.InvalidLines = .stop,
    ) -> JSONLines<Self, Value> {
        JSONLines(self, of: type, decoder: decoder, splitter: splitter, invalidLines: invalidLines)
    }

    /// The values of JSON Lines as they arrive, in a ``JSONReadable`` type that need not be `Decodable`.
    ///
    /// - Parameters:
    ///   - type: The type of each line's value.
    ///   - decoder: Decodes each line as a document. It reports drift with byte offsets in the stream.
    ///   - splitter: Splits the stream into lines. By default, a line has at most 1 MiB.
    ///   - invalidLines: How lines that can't be decoded are handled.
    /// - Returns: An asynchronous sequence of the values.
    public func jsonLines<Value: JSONReadable & Sendable>(
        reading type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        splitter: JSONLineSplitter = JSONLineSplitter(),
        invalidLines: JSONLines<Self, Value>.InvalidLines = .stop,
    ) -> JSONLines<Self, Value> {
        JSONLines(self, reading: type, decoder: decoder, splitter: splitter, invalidLines: invalidLines)
    }
}
