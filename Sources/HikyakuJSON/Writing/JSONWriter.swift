#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Takes a document piece by piece, in the order in which it is written; what a ``JSONWritable`` writes itself to.
///
/// A writer always expects something: one value at the beginning and behind a member's key, members inside of an
/// object, elements inside of an array. Commas, quotation marks and line breaks are its own affair. What doesn't fit
/// throws `EncodingError`, and a call that throws leaves nothing behind, so that `try?` leaves out a member.
///
/// It has the strategies of the ``HikyakuJSONEncoder`` that made it for dates, data and numbers that aren't finite;
/// that for keys doesn't apply, since a type that writes itself names the document's keys. Whether a key was written
/// before isn't looked at.
public struct JSONWriter: ~Copyable {
    /// What may come next.
    enum Expected: UInt8 {
        case value, firstElement, element, firstMember, member, nothing
    }

    var bytes: ByteBuffer
    var members = MemberStack()
    let settings: EncodingSettings
    let isPretty: Bool
    var expected = Expected.value
    /// How many objects and arrays are open.
    var depth = 0
    /// Where the value begins that is being written directly.
    private var origin = 0
    /// That value so far, once somebody has asked for its path.
    private var partial: PartialDocument?
    /// What `writeNull`, which can't throw, was asked for where it didn't fit.
    var misuse: (any Error)?
    /// The session of a Codable parent, which owns this writer.
    unowned var session: EncodingSession?
    /// The session of the last Codable value inside of a direct one, for the next.
    var child: EncodingSession?

    init(settings: EncodingSettings, capacity: Int = 512) {
        self.settings = settings
        isPretty = settings.isPretty
        bytes = ByteBuffer(capacity: capacity)
    }

    /// Begins a value that is written directly.
    mutating func beginDirectly() {
        expected = .value
        origin = bytes.count
        partial = nil
    }

    /// Takes back what stands behind a place.
    mutating func truncate(to count: Int) {
        bytes.truncate(to: count)
        partial?.truncate(to: count)
    }

    /// Tells who looks for paths that bytes behind a place have been moved.
    mutating func forgetPlaces(from count: Int) {
        partial?.truncate(to: count)
    }

    /// The value that is being written directly, for paths.
    mutating func makePartial() -> PartialDocument {
        if let partial { return partial }
        let made = PartialDocument(from: origin)
        partial = made
        return made
    }

    // MARK: Values

    /// Writes a value, as a whole document, an element, or what a member's key stands for.
    ///
    /// - Throws: `EncodingError` where no value belongs, and what the value throws.
    @inlinable public mutating func write<Value: JSONWritable>(_ value: Value) throws {
        try value.write(to: &self)
    }

    /// Writes `null`.
    ///
    /// Where no value belongs, the document as a whole fails in the end.
    public mutating func writeNull() {
        do { try appendNull() } catch { misuse = misuse ?? error }
    }

    /// Writes an array of the elements that `elements` writes.
    ///
    /// - Throws: `EncodingError` where no value belongs or more than 512 objects and arrays would be open, and what
    ///   `elements` throws.
    @inlinable public mutating func writeArray(_ elements: (inout JSONWriter) throws -> Void) throws {
        let mark = try openArray()
        do { try elements(&self) } catch {
            rollBack(to: mark)
            throw error
        }
        closeArray(mark)
    }

    // MARK: Objects

    /// Writes an object of the members that `members` writes.
    ///
    /// - Throws: `EncodingError` where no value belongs or more than 512 objects and arrays would be open, and what
    ///   `members` throws.
    @inlinable public mutating func writeObject(_ members: (inout JSONWriter) throws -> Void) throws {
        let mark = try openObject()
        do { try members(&self) } catch {
            rollBack(to: mark)
            throw error
        }
        closeObject(mark)
    }

    /// Writes a key, and what `value` writes as its value.
    ///
    /// - Throws: `EncodingError` outside of ``writeObject(_:)`` and where `value` writes nothing, and what it throws.
    @inlinable public mutating func writeMember(
        _ key: String,
        by value: (inout JSONWriter) throws -> Void,
    ) throws {
        let mark = try openMember(key)
        do {
            try value(&self)
            try closeMember()
        } catch {
            rollBack(to: mark)
            throw error
        }
    }

    /// Writes a key and its value.
    ///
    /// - Throws: `EncodingError` outside of ``writeObject(_:)``, and what the value throws.
    @inlinable public mutating func writeMember<Value: JSONWritable>(_ key: String, _ value: Value) throws {
        try writeMember(key) { writer in try value.write(to: &writer) }
    }

    /// Writes a key and its value, where there is one: an Optional that is `nil` is left out.
    ///
    /// To write `null`, give the value to ``writeMember(_:by:)``.
    ///
    /// - Throws: `EncodingError` outside of ``writeObject(_:)``, and what the value throws.
    @inlinable public mutating func writeMember<Value: JSONWritable>(_ key: String, _ value: Value?) throws {
        if let value { try writeMember(key, value) }
    }
}
