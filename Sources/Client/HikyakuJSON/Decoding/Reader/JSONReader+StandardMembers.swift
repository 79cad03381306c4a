#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Standard types have overloads of their own, since a generic function that is not inlined works by witness tables.

extension JSONReader {
    @inline(__always)
    private mutating func standardMember<Value: JSONReadable>(
        _ name: StaticString,
        _ body: (inout JSONReader) throws -> Value,
    ) throws -> Value {
        let name = MemberName(name)
        guard findNextMember(name) else { return try searchedStandardMember(name) }
        let start = place
        do { return try body(&self) } catch { throw failedMember(name, from: start, error) }
    }

    /// Reads the value of a member that is not next; it opens no object.
    @inline(never)
    private mutating func searchedStandardMember<Value: JSONReadable>(_ name: MemberName) throws -> Value {
        let missing = Value.missingMember
        guard try searchMember(name, isOptional: missing != nil) else {
            guard let missing else { throw missingMember(name) }
            return missing
        }
        let start = place
        do {
            let value = try Value(from: &self)
            endMember()
            return value
        } catch {
            throw failedMember(name, from: start, error)
        }
    }

    @inline(__always)
    private mutating func standardOptional<Value: JSONReadable>(
        _ name: StaticString,
        _ body: (inout JSONReader) throws -> Value,
    ) throws -> Value? {
        let name = MemberName(name)
        guard findNextMember(name) else { return try searchedStandardMember(name) }
        let start = place
        do { return try readNull() ? nil : body(&self) } catch { throw failedMember(name, from: start, error) }
    }

    /// Reads a member that is a string: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> String {
        try standardMember(name) { reader throws in try reader.readText() }
    }

    /// Reads a member that is a string, or that is missing or `null`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value, or `nil`.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> String? {
        try standardOptional(name) { reader throws in try reader.readText() }
    }

    /// Reads a member that is an integer: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Int {
        try standardMember(name) { reader throws in try reader.readInteger(Int.self) }
    }

    /// Reads a member that is an integer, or that is missing or `null`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value, or `nil`.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Int? {
        try standardOptional(name) { reader throws in try reader.readInteger(Int.self) }
    }

    /// Reads a member that is an integer: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Int64 {
        try standardMember(name) { reader throws in try reader.readInteger(Int64.self) }
    }

    /// Reads a member that is an integer, or that is missing or `null`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value, or `nil`.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Int64? {
        try standardOptional(name) { reader throws in try reader.readInteger(Int64.self) }
    }

    /// Reads a member that is `true` or `false`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Bool {
        try standardMember(name) { reader throws in try reader.readBoolean() }
    }

    /// Reads a member that is `true` or `false`, or that is missing or `null`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value, or `nil`.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Bool? {
        try standardOptional(name) { reader throws in try reader.readBoolean() }
    }

    /// Reads a member that is a number: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Double {
        try standardMember(name) { reader throws in try reader.readDouble() }
    }

    /// Reads a member that is a number, or that is missing or `null`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value, or `nil`.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Double? {
        try standardOptional(name) { reader throws in try reader.readDouble() }
    }

    /// Reads a member that is a date: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Date {
        try standardMember(name) { reader throws in try reader.read(Date.self) }
    }

    /// Reads a member that is a date, or that is missing or `null`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value, or `nil`.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> Date? {
        try standardOptional(name) { reader throws in try reader.read(Date.self) }
    }

    /// Reads a member that is an array of strings: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> [String] {
        try standardMember(name) { reader throws in try reader.read([String].self) }
    }

    /// Reads a member that is an array of strings, or that is missing or `null`: see `member(_:)`.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The value, or `nil`.
    /// - Throws: The same errors as for other types.
    public mutating func member(_ name: StaticString) throws -> [String]? {
        try standardOptional(name) { reader throws in try reader.read([String].self) }
    }
}

extension JSONReader {
    // MARK: Members with a default

    /// Reads a member of the object, or returns a value if the member is missing or `null`.
    ///
    /// It is for members whose absence means a value by the service's own description, so that it is not drift. See
    /// `member(_:)`.
    ///
    /// - Parameters:
    ///   - name: The key as a document writes it.
    ///   - value: The value that absence means.
    /// - Returns: The member's value, or the other one.
    /// - Throws: Errors of reading the value.
    public mutating func member<Value: JSONReadable>(_ name: StaticString, or value: Value) throws -> Value {
        let found: Value? = try member(name)
        return found ?? value
    }

    // Standard types have overloads of their own, as those of `member(_:)`.

    /// Reads a member that is a string, or returns a value: see `member(_:or:)`.
    ///
    /// - Parameters:
    ///   - name: The key as a document writes it.
    ///   - value: The value that absence means.
    /// - Returns: The member's value, or the other one.
    /// - Throws: Errors of reading the value.
    public mutating func member(_ name: StaticString, or value: String) throws -> String {
        let found: String? = try member(name)
        return found ?? value
    }

    /// Reads a member that is an integer, or returns a value: see `member(_:or:)`.
    ///
    /// - Parameters:
    ///   - name: The key as a document writes it.
    ///   - value: The value that absence means.
    /// - Returns: The member's value, or the other one.
    /// - Throws: Errors of reading the value.
    public mutating func member(_ name: StaticString, or value: Int) throws -> Int {
        let found: Int? = try member(name)
        return found ?? value
    }

    /// Reads a member that is `true` or `false`, or returns a value: see `member(_:or:)`.
    ///
    /// - Parameters:
    ///   - name: The key as a document writes it.
    ///   - value: The value that absence means.
    /// - Returns: The member's value, or the other one.
    /// - Throws: Errors of reading the value.
    public mutating func member(_ name: StaticString, or value: Bool) throws -> Bool {
        let found: Bool? = try member(name)
        return found ?? value
    }
}
