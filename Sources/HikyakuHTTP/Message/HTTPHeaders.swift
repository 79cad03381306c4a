/// Header fields in the order in which they travel, looked up without regard to case, with repeated names kept.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers[.userAgent] = "Menu/1.0"
/// ```
/// Printing shows the values of well-known harmless fields and only the names of all others.
///
/// [RFC 9110, section 5](https://www.rfc-editor.org/rfc/rfc9110#section-5)
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One line of the header block.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public var name: HTTPHeaderName
        /// The field's value as it was given; a recipient passes over white space around it.
        public var value: String
        /// Whether the value is a credential: it isn't sent to another origin by a redirect, and never shown.
        ///
        /// `Authorization`, `Proxy-Authorization` and `Cookie` are, whatever this says.
        public var isSecret: Bool

        /// Makes a field; what can't be sent is refused as `.invalidRequest` later, not here.
        public init(name: HTTPHeaderName, value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    private var fields: [Field] = []

    /// Makes an empty block.
    public init() {}

    /// Makes a block of a literal; names may repeat.
    public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of a field, several of one name joined by `", "` (RFC 9110, section 5.2); `nil` where there is none.
    ///
    /// Setting puts one field in the place of all of that name, or removes them with `nil`; in the place of a secret it
    /// is one too. `Set-Cookie` can't be read joined: use ``values(for:)``.
    public subscript(name: HTTPHeaderName) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            var value = fields[first].value
            for field in fields[(first + 1)...] where field.name == name {
                value += ", " + field.value
            }
            return value
        }
        set {
            guard let newValue else { return fields.removeAll { $0.name == name } }
            guard let first = fields.firstIndex(where: { $0.name == name }) else {
                return fields.append(Field(name: name, value: newValue))
            }
            fields[first].value = newValue
            fields[first].isSecret = fields[first...].contains { $0.isSecret && $0.name == name }
            let rest = fields[(first + 1)...].filter { $0.name != name }
            fields.replaceSubrange((first + 1)..., with: rest)
        }
    }

    /// Each value of a name, in order.
    public func values(for name: HTTPHeaderName) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Whether there is a field of that name.
    public func contains(_ name: HTTPHeaderName) -> Bool {
        fields.contains { $0.name == name }
    }

    /// Adds a field behind the others, and keeps those of the same name; see ``Field/isSecret`` for secrets.
    public mutating func append(_ name: HTTPHeaderName, _ value: String, isSecret: Bool = false) {
        fields.append(Field(name: name, value: value, isSecret: isSecret))
    }

    /// Removes the fields for which the condition holds.
    public mutating func removeAll(where shouldBeRemoved: (Field) throws -> Bool) rethrows {
        try fields.removeAll(where: shouldBeRemoved)
    }

    /// Puts the fields of another block in the place of those with the same names here; what takes the place of a
    /// secret is one too.
    public mutating func replace(with other: HTTPHeaders) {
        guard !other.isEmpty else { return }
        let names = Set(other.map(\.name))
        let secretNames = Set(fields.lazy.filter(\.isSecret).map(\.name))
        fields.removeAll { names.contains($0.name) }
        for var field in other.fields {
            if secretNames.contains(field.name) { field.isSecret = true }
            fields.append(field)
        }
    }

    /// Adds a field behind the others, and takes it over instead of counting further references to its texts.
    package mutating func append(_ field: consuming Field) {
        fields.append(field)
    }

    package mutating func reserveCapacity(_ capacity: Int) {
        fields.reserveCapacity(capacity)
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// Where the first field stands.
    public var startIndex: Int { fields.startIndex }
    /// One past the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a place.
    public subscript(position: Int) -> Field { fields[position] }
}
