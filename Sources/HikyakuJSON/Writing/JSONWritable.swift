#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that writes itself to a ``JSONWriter``, past Codable and its containers: for models whose encoding takes
/// too long, and for generated ones.
///
/// ```swift
/// struct Article: JSONWritable {
///     let id: Int
///     let title: String
///     let note: String?
///
///     func write(to writer: inout JSONWriter) throws {
///         try writer.writeObject { writer in
///             try writer.writeMember("id", id)
///             try writer.writeMember("title", title)
///             try writer.writeMember("note", note)
///         }
///     }
/// }
/// ```
///
/// ``HikyakuJSONEncoder/encode(_:)`` uses it wherever such a type stands, in place of its `encode(to:)`; both should
/// describe the same value. A type with a raw value has only to declare the conformance.
public protocol JSONWritable {
    /// Writes exactly one value: a call of one `write` function, or of another value's `write(to:)`.
    ///
    /// It may be called more than once for a document, and is called in the place where it runs: it should neither wait
    /// nor have effects.
    ///
    /// - Throws: What the writer throws, and what forbids to write this value, which then ends the document.
    func write(to writer: inout JSONWriter) throws
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
    /// Writes the raw value.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try rawValue.write(to: &writer)
    }
}
