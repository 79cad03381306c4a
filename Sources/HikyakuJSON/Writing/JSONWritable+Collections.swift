extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// Writes the value, or `null` for none.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        switch self {
        case .some(let value): try value.write(to: &writer)
        case .none: try writer.appendNull()
        }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes the elements in their order.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try writer.writeArray { writer in
            for element in self { try element.write(to: &writer) }
        }
    }
}

extension Set: JSONWritable where Element: JSONWritable {
    /// Writes the elements as an array in an order that differs between runs.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try writer.writeArray { writer in
            for element in self { try element.write(to: &writer) }
        }
    }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    /// Writes an object; without the encoder's `sortedKeys` the order of its members differs between runs.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try writer.writeObject { writer in
            for (key, value) in self {
                try writer.writeMember(key) { writer in try value.write(to: &writer) }
            }
        }
    }
}
