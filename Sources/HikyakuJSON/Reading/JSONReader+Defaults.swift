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
