#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AsyncSequence where Element == Data {
    /// The values of JSON Lines (NDJSON), decoded as they arrive; see ``JSONLines``.
    ///
    /// - Parameters:
    ///   - type: The type of each line's value.
    ///   - decoder: Decodes each line as a document. It reports drift with byte offsets in the stream. Its
    ///     ``HikyakuJSONDecoder/leniency`` decides about a byte order mark before the first line.
    ///   - lineBytesMax: The maximum number of bytes in a line.
    ///   - invalidLines: How lines that can't be decoded are handled.
    /// - Returns: An asynchronous sequence of the values.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        lineBytesMax: Int = 1 << 20,
        invalidLines: JSONLines<Self, Value>.InvalidLines = .stop,
    ) -> JSONLines<Self, Value> {
        JSONLines(self, decoder.splitter(lineBytesMax), invalidLines) { line in
            try decoder.reporting(in: line).decode(Value.self, from: line.bytes)
        }
    }

    /// The values of JSON Lines as they arrive, in a ``JSONReadable`` type that need not be `Decodable`.
    ///
    /// - Parameters:
    ///   - type: The type of each line's value.
    ///   - decoder: Decodes each line as a document, as for the function above.
    ///   - lineBytesMax: The maximum number of bytes in a line.
    ///   - invalidLines: How lines that can't be decoded are handled.
    /// - Returns: An asynchronous sequence of the values.
    public func jsonLines<Value: JSONReadable & Sendable>(
        reading type: Value.Type,
        decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        lineBytesMax: Int = 1 << 20,
        invalidLines: JSONLines<Self, Value>.InvalidLines = .stop,
    ) -> JSONLines<Self, Value> {
        JSONLines(self, decoder.splitter(lineBytesMax), invalidLines) { line in
            try decoder.reporting(in: line).read(Value.self, from: line.bytes)
        }
    }
}

extension HikyakuJSONDecoder {
    fileprivate func splitter(_ lineBytesMax: Int) -> JSONLineSplitter {
        JSONLineSplitter(lineBytesMax: lineBytesMax, allowsByteOrderMark: leniency.contains(.byteOrderMark))
    }
}
