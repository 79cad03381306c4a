/// A generic type of the standard library that is encoded without its usual containers.
protocol StreamedEncodable {
    /// Whether its keys stay as they are, whatever the strategy for keys.
    static var keepsKeys: Bool { get }

    /// Writes the value at an empty frame.
    func stream(at position: Position, in session: EncodingSession) throws
}

extension StreamedEncodable {
    static var keepsKeys: Bool { false }

    /// Writes a value that is known to have this type, which the compiler can't prove; the pointer saves a copy.
    static func stream(
        valueAt pointer: UnsafeRawPointer,
        at position: Position,
        in session: EncodingSession,
    ) throws {
        try pointer.assumingMemoryBound(to: Self.self).pointee.stream(at: position, in: session)
    }
}

extension Optional: StreamedEncodable where Wrapped: Encodable {
    func stream(at position: Position, in session: EncodingSession) throws {
        try session.beginSingleValue(at: position)
        switch self {
        case .none: session.writer.pointee.bytes.append("null")
        case .some(let wrapped):
            try session.encodeChild(wrapped, session.kinds.kind(of: Wrapped.self), place: .none)
        }
    }
}

extension Array: StreamedEncodable where Element: Encodable {
    func stream(at position: Position, in session: EncodingSession) throws {
        let position = session.open(.array, at: position)
        let kind = session.kinds.kind(of: Element.self)
        try withUnsafeBufferPointer { elements in
            for index in elements.indices {
                try session.beginElement(at: position)
                try session.encodeChild(elements[index], kind, place: .none)
            }
        }
    }
}

extension Dictionary: StreamedEncodable where Key: CodingKeyRepresentable, Value: Encodable {
    static var keepsKeys: Bool { Key.self == String.self }

    func stream(at position: Position, in session: EncodingSession) throws {
        let position = session.open(.object, at: position)
        let kind = session.kinds.kind(of: Value.self)
        for (key, value) in self {
            let codingKey = Self.codingKey(of: key)
            if Self.keepsKeys {
                try session.beginDictionaryMember(codingKey.stringValue, at: position)
            } else {
                try session.beginMember(codingKey.stringValue, at: position)
            }
            try withUnsafePointer(to: codingKey) { codingKey in
                try session.encodeChild(value, kind, place: .key(codingKey, JSONCodingKey.self))
            }
        }
    }

    private static func codingKey(of key: Key) -> JSONCodingKey {
        // Both types are the same in this branch, which the compiler can't prove.
        if keepsKeys { return JSONCodingKey(unsafeBitCast(key, to: String.self)) }
        let codingKey = key.codingKey
        return JSONCodingKey(codingKey)
    }
}

/// The fastest way to encode values of a type.
enum TypeKind {
    /// By their `encode(to:)`.
    case plain
    /// By themselves.
    case writable(any JSONWritable.Type)
    /// Directly, as a collection or an Optional of the standard library.
    case streamed(any StreamedEncodable.Type)

    fileprivate init<Value>(_ type: Value.Type) {
        if let writable = type as? any JSONWritable.Type {
            self = .writable(writable)
        } else if let streamed = type as? any StreamedEncodable.Type {
            self = .streamed(streamed)
        } else {
            self = .plain
        }
    }
}

/// A cache of the kinds of types, since a lookup by the runtime takes about 50 nanoseconds.
///
/// Types whose identifiers collide share a slot, which has the last one.
struct TypeKinds: ~Copyable {
    private struct Entry {
        var type: ObjectIdentifier?
        var kind: TypeKind
    }

    private static var size: Int { 32 }
    private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Self.size)

    init() {
        entries.initialize(repeating: Entry(type: nil, kind: .plain), count: Self.size)
    }

    deinit {
        entries.deallocate()
    }

    @inline(__always) func kind<Value>(of type: Value.Type) -> TypeKind {
        let identifier = ObjectIdentifier(type)
        // Metadata is aligned to eight bytes, and that of adjacent types is some hundred bytes apart.
        let bits = UInt(bitPattern: identifier)
        let entry = entries + Int(bitPattern: (bits >> 4 ^ bits >> 9) & UInt(Self.size - 1))
        if entry.pointee.type == identifier { return entry.pointee.kind }
        entry.pointee = Entry(type: identifier, kind: TypeKind(type))
        return entry.pointee.kind
    }
}
