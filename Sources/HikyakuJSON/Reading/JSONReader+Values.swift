#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONReader {
    mutating func readBoolean() throws -> Bool {
        guard place < end else { throw fault(.unexpectedEnd) }
        let found = try? checked { a, b throws(TextScan.Fault) in try WordScan.word(from: a, to: b) }
        guard let found, found.0 != .null else { throw mismatch(Bool.self) }
        place = found.1
        return found.0 == .true
    }

    @inline(__always)
    mutating func readText() throws -> String {
        guard place < end, place.pointee == Byte.quote else { throw mismatch(String.self) }
        let start = place + 1
        let found = try text()
        let count = found.end - start
        if found.isEscaped { return EscapeScan.string(start, count) }
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Converts a string's bytes by a closure; the reader does not advance if that returns `nil`.
    mutating func readText<Value>(
        as name: String,
        _ type: Value.Type,
        _ body: (UnsafePointer<UInt8>, Int) -> Value?,
    ) throws -> Value {
        guard place < end, place.pointee == Byte.quote else { throw mismatch(type, name) }
        let before = place
        let found = try text()
        let value: Value?
        if found.isEscaped {
            var text = EscapeScan.string(before + 1, found.end - before - 1)
            value = text.withUTF8 { bytes in bytes.baseAddress.flatMap { body($0, bytes.count) } }
        } else {
            value = body(before + 1, found.end - before - 1)
        }
        if let value { return value }
        place = before
        throw corrupted("expected \(name), found another string", .words(name), at: offset)
    }

    @inline(__always)
    mutating func readInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        if let (value, next) = IntegerText.short(from: place, to: end), let exact = Value(exactly: value) {
            place = next
            return exact
        }
        return try readUnusualInteger(type)
    }

    @inline(never)
    private mutating func readUnusualInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        let (start, count) = try number(type)
        switch IntegerText.integer(type, start, count) {
        case .value(let value):
            place = start + count
            return value
        case .outOfRange: throw corrupted("the number is beyond the range of \(type)", .type(type), at: offset)
        case .notInteger:
            throw corrupted("the number has a fraction, which \(type) can't hold", .type(type), at: offset)
        }
    }

    mutating func readDouble() throws -> Double { try readFloating { DoubleText.double($0, $1) } }

    mutating func readFloat() throws -> Float { try readFloating { DoubleText.float($0, $1) } }

    @inline(__always)
    private mutating func readFloating<Value: BinaryFloatingPoint>(
        _ read: (UnsafePointer<UInt8>, Int) -> Value?
    ) throws -> Value {
        if let text = try nonConforming(Value.self) { return text }
        let (start, count) = try number(Value.self)
        guard let value = read(start, count) ?? context.settings.nonFinite(Value.self, start, count) else {
            throw corrupted("the number is beyond the range of \(Value.self)", .type(Value.self), at: offset)
        }
        place = start + count
        return value
    }

    mutating func readDecimal() throws -> Decimal {
        let (start, count) = try number(Decimal.self)
        guard let value = DecimalText.decimal(start, count) else {
            throw corrupted("the number has more digits than Decimal can hold", .type(Decimal.self), at: offset)
        }
        place = start + count
        return value
    }

    /// A number's text.
    mutating func readNumberText() throws -> String {
        let (start, count) = try number(JSONNumber.self)
        if context.settings.isNonFinite(start, count) {
            throw corrupted("the number isn't finite", .words("a finite number"), at: offset)
        }
        place = start + count
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A number's bytes; the reader does not advance.
    @inline(__always)
    private func number(_ type: any Any.Type) throws -> (UnsafePointer<UInt8>, Int) {
        guard place < end, Byte.isDigit(place.pointee) || place.pointee == Byte.minus else { throw mismatch(type) }
        let found = try checked { a, b throws(TextScan.Fault) in try NumberScan.number(from: a, to: b) }
        return (place, found.end - place)
    }

    @inline(__always)
    private mutating func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type) throws -> Value? {
        guard place < end, place.pointee == Byte.quote else { return nil }
        return try nonConformingText(type)
    }

    @inline(never)
    private mutating func nonConformingText<Value: BinaryFloatingPoint>(_ type: Value.Type) throws -> Value {
        let before = place
        let text = try readText()
        if let value = context.settings.nonConforming(type, for: text) { return value }
        place = before
        throw mismatch(type)
    }

    mutating func readDate() throws -> Date {
        switch context.settings.dateDecodingStrategy {
        case .iso8601:
            return try readText(as: "a date in ISO 8601", Date.self) { InternetDate.date($0, $1) }
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try readDouble())
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try readDouble() / 1000)
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try readDouble())
        case .custom:
            return try decode(Date.self)
        }
    }

    mutating func readData() throws -> Data {
        switch context.settings.dataDecodingStrategy {
        case .base64: try readText(as: "base64", Data.self) { Base64Text.data($0, $1, .standard) }
        case .base64URL: try readText(as: "base64 for URLs", Data.self) { Base64Text.data($0, $1, .url) }
        case .deferredToData: Data(try read([UInt8].self))
        case .custom: try decode(Data.self)
        }
    }
}
