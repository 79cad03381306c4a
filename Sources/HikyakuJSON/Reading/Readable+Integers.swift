extension Int: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int8: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int16: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int32: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension Int64: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt8: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt16: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt32: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

extension UInt64: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: JSONReadable {
    /// Reads a number without a fraction; one beyond the type's range is an error.
    public init(from reader: inout JSONReader) throws { self = try reader.readInteger(Self.self) }
}
