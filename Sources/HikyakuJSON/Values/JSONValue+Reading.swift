extension JSONNumber: JSONReadable {
    /// Reads a number with all of its digits.
    public init(from reader: inout JSONReader) throws {
        self.init(unchecked: try reader.readNumberText())
    }
}

extension JSONValue: JSONReadable {
    /// Reads a value of any kind; of equal keys in an object the last one wins.
    public init(from reader: inout JSONReader) throws {
        guard reader.place < reader.end else { throw reader.fault(.unexpectedEnd) }
        switch reader.place.pointee {
        case Byte.quote: self = .string(try reader.readText())
        case Byte.openBrace: self = .object(try [String: JSONValue](from: &reader))
        case Byte.openBracket: self = .array(try [JSONValue](from: &reader))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try reader.readBoolean())
        case UInt8(ascii: "n"): self = try reader.readNull() ? .null : .number(JSONNumber(from: &reader))
        default: self = .number(try JSONNumber(from: &reader))
        }
    }
}
