/// Header fields in the order in which they are sent, looked up without regard to case, with repeated names kept.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers[.userAgent] = "Menu/1.0"
/// ```
/// Printing shows the values of well-known harmless fields and only the names of all others.
///
/// [RFC 9110, section 5](https://www.rfc-editor.org/rfc/rfc9110#section-5)
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// One line of the header block.
    ///
    /// ```swift
    /// var headers: HTTPHeaders = ["Accept": "application/json"]
    /// headers.append("X-Session", userToken, isSecret: true)
    /// for field in headers where !field.isSecret { log(field.name, field.value) }
    /// ```
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public var name: HTTPHeaderName
        /// The field's value as it was given; recipients ignore white space around it.
        public var value: String
        /// Whether the value is a credential: it isn't sent to another origin by a redirect, and never shown.
        ///
        /// `Authorization`, `Proxy-Authorization` and `Cookie` always are credentials, whatever this value is.
        public var isSecret: Bool

        /// Makes a field from any name and value.
        ///
        /// A field that can't be sent is rejected as `.invalidRequest` when it is sent, not here.
        public init(name: HTTPHeaderName, value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }

        /// Compares names without regard to case, and values by their bytes.
        public static func == (left: Self, right: Self) -> Bool {
            left.isSecret == right.isSecret && left.name == right.name && left.value.hasSameBytes(as: right.value)
        }

        /// Feeds what is compared.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(ByteText(value))
            hasher.combine(isSecret)
        }
    }

    private enum Storage: Sendable {
        case fields([Field])
        case received(HeaderBlock)
    }

    private var storage = Storage.fields([])

    /// Makes an empty block.
    public init() {}

    /// Makes a block of a literal; names may repeat.
    public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
        storage = .fields(elements.map { Field(name: $0.0, value: $0.1) })
    }

    /// Makes a block of what was received.
    package init(_ block: HeaderBlock) {
        storage = .received(block)
    }

    /// The value of a field, several of one name joined by `", "` (RFC 9110, section 5.2); `nil` if there is none.
    ///
    /// Setting replaces all fields of that name by one, or removes them with `nil`; a field that replaces a secret is a
    /// secret too. `Set-Cookie` can't be read joined: use ``values(for:)``.
    public subscript(name: HTTPHeaderName) -> String? {
        get {
            guard let first = indices.first(where: { isNamed(name, at: $0) }) else { return nil }
            return indices[(first + 1)...].reduce(into: value(at: first)) { joined, position in
                if isNamed(name, at: position) { joined += ", " + value(at: position) }
            }
        }
        set {
            change { fields in
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
    }

    /// Each value of a name, in order.
    public func values(for name: HTTPHeaderName) -> [String] {
        indices.filter { isNamed(name, at: $0) }.map { value(at: $0) }
    }

    /// Whether there is a field of that name.
    public func contains(_ name: HTTPHeaderName) -> Bool {
        switch storage {
        case .fields(let fields):
            // By indices and lengths, since a field that is passed to a closure, or compared, is copied.
            fields.indices.contains {
                fields[$0].name.rawName.utf8.count == name.rawName.utf8.count && fields[$0].name == name
            }
        case .received(let block): block.contains(name)
        }
    }

    /// Adds a field after the others, and keeps those of the same name; see ``Field/isSecret`` for secrets.
    public mutating func append(_ name: HTTPHeaderName, _ value: String, isSecret: Bool = false) {
        change { $0.append(Field(name: name, value: value, isSecret: isSecret)) }
    }

    /// Removes the fields for which the condition holds.
    public mutating func removeAll(where shouldBeRemoved: (Field) throws -> Bool) rethrows {
        try change { try $0.removeAll(where: shouldBeRemoved) }
    }

    /// Replaces the fields whose names another block has by those of that block; a field that replaces a secret is a
    /// secret too.
    public mutating func replace(with other: HTTPHeaders) {
        guard !other.isEmpty else { return }
        let names = Set(other.map(\.name))
        change { fields in
            let secretNames = Set(fields.lazy.filter(\.isSecret).map(\.name))
            fields.removeAll { names.contains($0.name) }
            for var field in other {
                if secretNames.contains(field.name) { field.isSecret = true }
                fields.append(field)
            }
        }
    }

    /// The block with the fields of another, which replace those of the same names.
    ///
    /// - Parameter other: The fields that take precedence.
    /// - Returns: The block with both.
    public func replacing(with other: HTTPHeaders) -> HTTPHeaders {
        var headers = self
        headers.replace(with: other)
        return headers
    }

    /// Changes the fields in place; received fields are made first.
    private mutating func change<Outcome>(_ body: (inout [Field]) throws -> Outcome) rethrows -> Outcome {
        var fields =
            switch storage {
            case .fields(let fields): fields
            case .received: Array(self)
            }
        // So that `fields` is the only reference, and nothing is copied.
        storage = .fields([])
        defer { storage = .fields(fields) }
        return try body(&fields)
    }

    private func isNamed(_ name: HTTPHeaderName, at position: Int) -> Bool {
        switch storage {
        case .fields(let fields): fields[position].name == name
        case .received(let block): block.isNamed(name, at: position)
        }
    }

    private func value(at position: Int) -> String {
        switch storage {
        case .fields(let fields): fields[position].value
        case .received(let block): block.value(at: position)
        }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The index of the first field.
    public var startIndex: Int { 0 }
    /// One past the last field.
    public var endIndex: Int {
        switch storage {
        case .fields(let fields): fields.count
        case .received(let block): block.count
        }
    }
    /// The field at an index.
    public subscript(position: Int) -> Field {
        switch storage {
        case .fields(let fields): fields[position]
        case .received(let block): Field(name: block.name(at: position), value: block.value(at: position))
        }
    }
}

extension HTTPHeaders: Hashable {
    /// Compares the fields in order; names without regard to case.
    public static func == (left: Self, right: Self) -> Bool {
        left.elementsEqual(right)
    }

    /// Feeds the fields in order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for field in self { hasher.combine(field) }
    }
}

extension HTTPHeaders {
    /// A block of one field that is a secret: `var headers: HTTPHeaders { .secret("X-Api-Key", key) }`.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The credential; see ``Field/isSecret`` for what marking it means.
    /// - Returns: The block, to which more can be added: `.secret("X-Api-Key", key).secret("X-App-Secret", secret)`.
    public static func secret(_ name: HTTPHeaderName, _ value: String) -> HTTPHeaders {
        HTTPHeaders().secret(name, value)
    }

    /// The same block with a secret that replaces all fields of that name.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The credential.
    /// - Returns: The block.
    public func secret(_ name: HTTPHeaderName, _ value: String) -> HTTPHeaders {
        var headers = self
        headers.setSecret(name, value)
        return headers
    }

    /// Replaces all fields of that name with one secret field; fields from literals and subscripts are not secret.
    public mutating func setSecret(_ name: HTTPHeaderName, _ value: String) {
        removeAll { $0.name == name }
        append(name, value, isSecret: true)
    }
}

extension HTTPHeaders.Field {
    /// Whether the field is for one origin alone: marked as a secret, or a credential by its name.
    package var isCredential: Bool {
        isSecret || name == .authorization || name == .cookie || name == "Proxy-Authorization"
    }
}
