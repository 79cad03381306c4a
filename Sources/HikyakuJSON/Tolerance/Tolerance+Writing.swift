extension LossyArray: JSONWritable where Element: JSONWritable {
    /// Writes the elements that are left.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try elements.write(to: &writer)
    }
}

// What writes a raw value is there for all types that have one.
extension OpenEnum: JSONWritable where Known.RawValue: JSONWritable {}

extension Defaulted.To: JSONWritable where Provider.Value: JSONWritable {
    /// Writes the value, also where it is the default.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try wrappedValue.write(to: &writer)
    }
}
