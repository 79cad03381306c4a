extension Secret: JSONReadable where Value: JSONReadable {
    /// Reads the value.
    public init(from reader: inout JSONReader) throws { self.init(try reader.read(Value.self)) }
}

extension Secret: JSONWritable where Value: JSONWritable {
    /// Writes the value itself: what is sent is not redacted.
    public func write(to writer: inout JSONWriter) throws { try writer.write(reveal()) }
}
