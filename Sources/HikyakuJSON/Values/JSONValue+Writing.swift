extension JSONNumber: JSONWritable {
    /// Writes the digits as they came.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginValue()
        text.withContiguousBytes { writer.bytes.append($0) }
        writer.endValue()
    }
}

extension JSONValue: JSONWritable {
    /// Writes a value of any kind; without the encoder's `sortedKeys` the order of members differs between runs.
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
    /// The value as compact JSON, the keys in order.
    public var description: String {
        var bytes = ByteBuffer(capacity: 64)
        append(to: &bytes)
        return String(decoding: bytes.bytes, as: UTF8.self)
    }

    /// Writes at any depth and without a strategy: a description can't fail.
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
