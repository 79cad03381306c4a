#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Bool: JSONReadable {
    /// Reads `true` or `false`.
    public init(from reader: inout JSONReader) throws { self = try reader.readBoolean() }
}

extension String: JSONReadable {
    /// Reads a string.
    public init(from reader: inout JSONReader) throws { self = try reader.readText() }
}

extension Double: JSONReadable {
    /// Reads a number, rounded to the nearest double; a number out of range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readDouble() }
}

extension Float: JSONReadable {
    /// Reads a number, rounded to the nearest float; a number out of range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readFloat() }
}

extension Decimal: JSONReadable {
    /// Reads a number from its digits; a number that `Decimal` can't hold without loss is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readDecimal() }
}

extension Date: JSONReadable {
    /// Reads a date by the decoder's date strategy.
    public init(from reader: inout JSONReader) throws {
        switch reader.context.settings.dateDecodingStrategy {
        case .iso8601:
            self = try reader.readText(as: InternetDate.words, Date.self) { InternetDate.date($0, $1) }
        case .texts(let formats):
            let name = formats.description
            self = try reader.readText(as: name, Date.self) { formats.date($0, $1) }
        case .secondsSince1970:
            self.init(timeIntervalSince1970: try reader.readDouble())
        case .millisecondsSince1970:
            self.init(timeIntervalSince1970: try reader.readDouble() / 1000)
        case .deferredToDate:
            self.init(timeIntervalSinceReferenceDate: try reader.readDouble())
        case .custom:
            self = try reader.decode(Date.self)
        }
    }
}

extension Data: JSONReadable {
    /// Reads binary data by the decoder's data strategy.
    public init(from reader: inout JSONReader) throws {
        self =
            switch reader.context.settings.dataDecodingStrategy {
            case .base64: try reader.readText(as: "base64", Data.self) { Base64Text.data($0, $1, .standard) }
            case .base64URL: try reader.readText(as: "base64 for URLs", Data.self) { Base64Text.data($0, $1, .url) }
            case .deferredToData: Data(try reader.read([UInt8].self))
            case .custom: try reader.decode(Data.self)
            }
    }
}

extension URL: JSONReadable {
    /// Reads a string that is a URL.
    public init(from reader: inout JSONReader) throws {
        self = try reader.readText(as: "a URL", URL.self) { start, count in
            URL(string: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }
}

extension UUID: JSONReadable {
    /// Reads a string in the form `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public init(from reader: inout JSONReader) throws {
        self = try reader.readText(as: "a UUID", UUID.self) { start, count in
            UUID(uuidString: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }
}

extension Int: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int8: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int16: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int32: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int64: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt8: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt16: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt32: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt64: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: JSONReadable {
    /// Reads a number without a fraction; a number out of the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Reads a value or `null`.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self = try reader.readNull() ? nil : Wrapped(from: &reader)
    }

    /// `nil`, as the value of a member that may be missing.
    @inlinable public static var missingMember: Self? { .some(.none) }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self.init()
        if reader.collectsFailures {
            try reader.readArrayCollecting { append(try Element(from: &$0)) }
            return
        }
        guard try reader.beginArray() else { return }
        var start = reader.place
        let depth = reader.depthLeft
        while true {
            do {
                repeat {
                    if count == capacity { try reader.makeRoom(in: &self) }
                    start = reader.place
                    append(try Element(from: &reader))
                } while try reader.nextElement()
                return
            } catch {
                try reader.readElementAgain(after: error, from: start, depth)
            }
        }
    }
}

extension JSONReader {
    /// Reserves memory for twice as many elements, or for the expected number up to eight times as many.
    @inlinable
    @inline(never)
    func makeRoom<Element>(in elements: inout [Element]) throws {
        let count = elements.count
        guard count > 0 else { return }
        let room = max(4, count * 2, min(expectedCount(after: count), count * 8))
        try HeapRoom.check(room, of: Element.self)
        elements.reserveCapacity(room)
    }
}

extension Set: JSONReadable where Element: JSONReadable {
    /// Reads an array; equal elements are kept once.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self.init()
        guard try reader.beginArray() else { return }
        repeat { insert(try Element(from: &reader)) } while try reader.nextElement()
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// Reads an object without key conversion.
    ///
    /// If a key is repeated, the last value wins; earlier ones may have any type.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self.init()
        guard try reader.beginMembers() else { return }
        var lastMembers: [String: Int]?
        repeat {
            let key = try reader.readKey()
            let (start, depth) = (reader.place, reader.depthLeft)
            do {
                self[key] = try Value(from: &reader)
            } catch {
                try reader.skipRepeated(key, from: start, depth, &lastMembers, error)
            }
        } while try reader.nextMember()
    }
}
