import Foundation

@testable import HikyakuJSON

/// What a value writes directly, as text.
func written<Value: JSONWritable>(
    _ value: Value,
    _ prepare: (inout HikyakuJSONEncoder) -> Void = { _ in },
) throws -> String {
    var encoder = HikyakuJSONEncoder()
    prepare(&encoder)
    return String(decoding: try encoder.write(value), as: UTF8.self)
}

/// A value that writes itself by a closure.
struct Written: JSONWritable {
    let write: @Sendable (inout JSONWriter) throws -> Void

    func write(to writer: inout JSONWriter) throws {
        try write(&writer)
    }
}

/// The keys and indices of a path, as `a.0.b`.
func path(of error: any Error) -> String? {
    guard case EncodingError.invalidValue(_, let context) = error else { return nil }
    return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
}

extension JSONWriter {
    /// Writes a key of any text, and its value.
    mutating func writeMember<Value: JSONWritable>(_ key: String, _ value: Value) throws {
        try writeMember(key) { writer in try value.write(to: &writer) }
    }

    /// Leaves out what is `nil`.
    mutating func writeMember<Value: JSONWritable>(_ key: String, _ value: Value?) throws {
        if let value { try writeMember(key, value) }
    }
}
