/// A value of a document in JSON or YAML, with its position.
///
/// Members keep the order of the document. A repeated key is diagnosed when the document is read, and only its last
/// member is kept.
package struct DocumentNode: Sendable {
    /// What a value is.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number as the document writes it: `1.0e3`, in YAML also `0x1F` and `.inf`.
        case number(String)
        case string(String)
        case array([DocumentNode])
        case object([DocumentMember])
    }

    package var content: Content
    package var position: SourcePosition

    package init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }

    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// The value, if it is a boolean.
    ///
    /// It stays out of line: swiftc 6.3.1 crashes when it optimizes some of its callers otherwise (CopyPropagation).
    @inline(never)
    package var bool: Bool? {
        if case .bool(let value) = content { value } else { nil }
    }

    /// The text, if the value is a string.
    package var string: String? {
        if case .string(let value) = content { value } else { nil }
    }

    /// The text of a string, a number, or a boolean: YAML gives a version `1.0` and a name `on` as such.
    package var scalarText: String? {
        switch content {
        case .string(let value), .number(let value): value
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }

    package var array: [DocumentNode]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    package var object: [DocumentMember]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// The value of a member; `nil` if there is none, or if the value is not an object.
    package subscript(key: String) -> DocumentNode? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// What people call this kind of value.
    package var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A key of an object and its value.
package struct DocumentMember: Sendable {
    package var key: String
    package var keyPosition: SourcePosition
    package var value: DocumentNode

    package init(_ key: String, at position: SourcePosition, _ value: DocumentNode) {
        self.key = key
        keyPosition = position
        self.value = value
    }
}
