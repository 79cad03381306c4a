/// How the values of a type are encoded best.
enum TypeKind {
    /// By their `encode(to:)`.
    case plain
    /// By themselves.
    case writable(any JSONWritable.Type)
    /// As a collection or an Optional of the standard library, without its containers.
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

/// The kinds of the types of one document, each of them looked up once: to ask the runtime takes some 50 nanoseconds.
///
/// There is one place for all types whose identifiers end alike; the last of them has it.
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
        // Metadata is aligned to eight bytes, and that of neighbours some hundred bytes apart.
        let bits = UInt(bitPattern: identifier)
        let entry = entries + Int(bitPattern: (bits >> 4 ^ bits >> 9) & UInt(Self.size - 1))
        if entry.pointee.type == identifier { return entry.pointee.kind }
        entry.pointee = Entry(type: identifier, kind: TypeKind(type))
        return entry.pointee.kind
    }
}
