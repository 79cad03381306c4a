#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestBody {
    /// Values in JSON, a line each: JSON Lines, or NDJSON.
    ///
    /// The values are encoded when the call begins. For a stream, or very many of them, use ``stream(_:type:)``.
    ///
    /// - Parameters:
    ///   - values: The values; an encoder that writes line breaks inside of a value makes the body invalid.
    ///   - type: The media type.
    /// - Returns: The body.
    public static func jsonLines(
        _ values: [some Encodable & Sendable],
        type: String = "application/jsonl",
    ) -> RequestBody {
        RequestBody { encoder in
            var bytes = Data()
            for value in values { bytes += try encoder.encode(value) + "\n".utf8 }
            return (HTTPBody(bytes), type)
        }
    }
}
