#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONValue: Codable {
    /// The maximum nesting depth for foreign decoders.
    private static let depthMax = 512
    private static let stackEnd = "the stack of this thread has no room for more nested arrays and objects"

    /// Reads a value from any decoder; numbers have the precision that the decoder offers.
    ///
    /// - Parameter decoder: The decoder of the value. A decoder that doesn't support values of unknown type may
    ///   throw.
    /// - Throws: `DecodingError`, also for more than 512 nested arrays and objects.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.depthMax else {
            let text = "more than \(Self.depthMax) nested arrays and objects"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        guard !ThreadStack.isAtEnd else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: Self.stackEnd)
            )
        }
        let container = try decoder.singleValueContainer()
        // Each kind is tried. Only mismatches of the kind are ignored; errors inside an array or an object are thrown.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(JSONNumber.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value to any encoder; keys are not converted, whatever the encoder's strategy.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Errors of the encoder, and `EncodingError` for a number that can't be passed to it.
    public func encode(to encoder: any Encoder) throws {
        guard !ThreadStack.isAtEnd else {
            throw EncodingError.invalidValue(
                (),
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: Self.stackEnd,
                    underlyingError: EncodingCause(words: Self.stackEnd),
                ),
            )
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONNumber: Codable {
    /// Reads a number from any decoder, as a type that loses nothing.
    ///
    /// - Parameter decoder: The decoder of the number.
    /// - Throws: `DecodingError` if the value is not a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self.init(integer)
        } else {
            let double = try container.decode(Double.self)
            // A decimal has more digits, but a smaller range; it is in range if it agrees with the double.
            if let decimal = (try? container.decode(Decimal.self)).flatMap(JSONNumber.init), decimal.double == double {
                self = decimal
            } else if let number = JSONNumber(double) {
                self = number
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a finite number")
            }
        }
    }

    /// Writes the number to any encoder, as a type that loses nothing, or else as the nearest `Double`.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: `EncodingError` for a number beyond the range of `Double`, and errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let integer = converted(to: Int64.self) {
            try container.encode(integer)
        } else if let integer = converted(to: UInt64.self) {
            try container.encode(integer)
        } else if let double, JSONNumber(double) == self {
            try container.encode(double)
        } else if let decimal {
            try container.encode(decimal)
        } else if let double {
            try container.encode(double)
        } else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "a number beyond the range of Double",
                underlyingError: EncodingCause(words: "a number beyond the range of Double"),
            )
            throw EncodingError.invalidValue(self, context)
        }
    }
}

extension JSONNumber: JSONReadable {
    /// Reads a number with all of its digits.
    public init(from reader: inout JSONReader) throws {
        self.init(unchecked: try reader.readNumberText(Self.self))
    }
}

extension JSONValue: JSONReadable {
    /// Reads a value of any type; if a key is repeated in an object, the last value wins.
    public init(from reader: inout JSONReader) throws {
        switch try reader.firstByte() {
        case Byte.quote: self = .string(try reader.readText())
        case Byte.openBrace: self = .object(try [String: JSONValue](from: &reader))
        case Byte.openBracket: self = .array(try [JSONValue](from: &reader))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try reader.readBoolean())
        case UInt8(ascii: "n"): self = try reader.readNull() ? .null : .number(JSONNumber(from: &reader))
        default: self = .number(try JSONNumber(from: &reader))
        }
    }
}

extension JSONNumber: JSONWritable {
    /// Writes the digits unchanged.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { bytes in text.withContiguousBytes { bytes.append($0) } }
    }
}

extension JSONValue: JSONWritable {
    /// Writes a value of any type; without the encoder's `sortedKeys`, the order of members differs between runs.
    public func write(to writer: inout JSONWriter) throws {
        switch self {
        case .null: try writer.appendNull()
        case .bool(let value): try value.write(to: &writer)
        case .number(let value): try value.write(to: &writer)
        case .string(let value): try value.write(to: &writer)
        case .array(let elements): try elements.write(to: &writer)
        case .object(let members): try members.write(to: &writer)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON with sorted keys.
    public var description: String {
        var bytes = ByteBuffer(capacity: 64)
        append(to: &bytes)
        return String(decoding: bytes.bytes, as: UTF8.self)
    }

    /// Writes at any depth and without strategies, since a description can't fail.
    private func append(to bytes: inout ByteBuffer) {
        switch self {
        case .null: bytes.append("null")
        case .bool(let value): bytes.append(value ? "true" : "false")
        case .number(let value): value.text.withContiguousBytes { bytes.append($0) }
        case .string(let value): bytes.appendQuoted(value)
        case .array(let elements):
            bytes.append(Byte.openBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(Byte.comma) }
                element.append(to: &bytes)
            }
            bytes.append(Byte.closeBracket)
        case .object(let members):
            bytes.append(Byte.openBrace)
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(Byte.comma) }
                bytes.appendQuoted(member.key)
                bytes.append(Byte.colon)
                member.value.append(to: &bytes)
            }
            bytes.append(Byte.closeBrace)
        }
    }
}
