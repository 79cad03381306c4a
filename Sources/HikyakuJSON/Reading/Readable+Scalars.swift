#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Bool: JSONReadable {
    /// Reads `true` or `false`.
    public init(from reader: inout JSONReader) throws { self = try reader.readBoolean() }
}

extension String: JSONReadable {
    /// Reads a text.
    public init(from reader: inout JSONReader) throws { self = try reader.readText() }
}

extension Double: JSONReadable {
    /// Reads a number, rounded to the nearest double; one beyond its range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readDouble() }
}

extension Float: JSONReadable {
    /// Reads a number, rounded to the nearest float; one beyond its range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readFloat() }
}

extension Decimal: JSONReadable {
    /// Reads a number from its digits; one that `Decimal` can't hold without loss is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readDecimal() }
}

extension Date: JSONReadable {
    /// Reads a date by the decoder's strategy.
    public init(from reader: inout JSONReader) throws { self = try reader.readDate() }
}

extension Data: JSONReadable {
    /// Reads bytes by the decoder's strategy.
    public init(from reader: inout JSONReader) throws { self = try reader.readData() }
}

extension URL: JSONReadable {
    /// Reads a text that is a URL.
    public init(from reader: inout JSONReader) throws {
        self = try reader.readText(as: "a URL", URL.self) { start, count in
            URL(string: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }
}

extension UUID: JSONReadable {
    /// Reads a text in the form `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public init(from reader: inout JSONReader) throws {
        self = try reader.readText(as: "a UUID", UUID.self) { start, count in
            UUID(uuidString: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }
}
