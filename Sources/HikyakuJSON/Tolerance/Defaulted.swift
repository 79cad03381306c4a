#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Property wrappers for keys that may be missing, or `null`: a default is taken then.
///
/// ```swift
/// struct Article: Codable {
///     var id: Int
///     @Defaulted.Empty var tags: [String]
///     @Defaulted.Zero var likes: Int
///     @Defaulted.False var isPinned: Bool
///     @Defaulted.FirstCase var state: State
///     @Defaulted.To<OnePage> var pages: Int
/// }
///
/// enum OnePage: DefaultProvider {
///     static var defaultValue: Int { 1 }
/// }
/// ```
/// They work with any decoder. A value that is there and can't be read is still an error.
/// ``HikyakuJSONDecoder/onDrift`` is called for each default that is taken.
///
/// The compiler refuses property wrappers in a type that is marked `nonisolated` itself; in a module that isolates to
/// the main actor by default, put the type into an `enum` or an extension that is.
///
/// The file that declares the type has to import this module, since the compiler looks there for the way to decode such
/// a property. Where the memberwise initializer is to have a default too, the property is given one as any other:
/// `@Defaulted.Empty var tags: [String] = []`.
public enum Defaulted {
    /// Nothing in it: an empty text, array, dictionary, set.
    public typealias Empty<Value: EmptyInitializable> = To<EmptyProvider<Value>>
    /// 0, or whatever adds nothing.
    public typealias Zero<Value: AdditiveArithmetic> = To<ZeroProvider<Value>>
    /// `false`.
    public typealias False = To<FalseProvider>
    /// `true`.
    public typealias True = To<TrueProvider>
    /// The case of an enumeration that is declared first.
    public typealias FirstCase<Value: CaseIterable> = To<FirstCaseProvider<Value>>

    /// A default of one's own, which a type names.
    @propertyWrapper
    public struct To<Provider: DefaultProvider> {
        /// The value, or its default.
        public var wrappedValue: Provider.Value

        /// Takes a value.
        @inlinable
        public init(wrappedValue: Provider.Value) {
            self.wrappedValue = wrappedValue
        }

        /// The default.
        ///
        /// No initializer without arguments: the memberwise one would ask for wrappers then, not for values.
        @usableFromInline static var provided: Self { Self(wrappedValue: Provider.defaultValue) }
    }
}

extension Defaulted.To: Equatable where Provider.Value: Equatable {}

extension Defaulted.To: Hashable where Provider.Value: Hashable {}

extension Defaulted.To: Sendable where Provider.Value: Sendable {}

extension Defaulted.To: Decodable where Provider.Value: Decodable {
    /// Reads a value or `null`; what is read by a key that may be missing goes another way.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard container.decodeNil() else {
            self.init(wrappedValue: try container.decode(Provider.Value.self))
            return
        }
        self = .provided
        (decoder as? ValueDecoder)?.drift(.defaultedKey, Provider.Value.self)
    }
}

extension Defaulted.To: Encodable where Provider.Value: Encodable {
    /// Writes the value, also where it is the default.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Defaulted.To: JSONReadable where Provider.Value: JSONReadable {
    /// Reads a value or `null`.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        let start = reader.offset
        guard try reader.readNull() else {
            self.init(wrappedValue: try Provider.Value(from: &reader))
            return
        }
        self = .provided
        reader.noteDrift(.defaultedKey, at: start, Provider.Value.self)
    }
}

extension KeyedDecodingContainer {
    /// Reads the value of a key that may be missing, or `null`.
    ///
    /// The initializer that the compiler writes for a `Decodable` type calls this one for properties with a
    /// ``Defaulted`` wrapper.
    ///
    /// - Throws: What the value throws where it is there.
    public func decode<Provider>(
        _ type: Defaulted.To<Provider>.Type,
        forKey key: Key,
    ) throws -> Defaulted.To<Provider> where Provider.Value: Decodable {
        try decodeIfPresent(type, forKey: key) ?? .provided
    }
}

/// A type-erased ``Defaulted/To``.
private protocol DefaultTaking {
    static var valueType: any Any.Type { get }
}

extension Defaulted.To: DefaultTaking {
    fileprivate static var valueType: any Any.Type { Provider.Value.self }
}

extension DecodingSession {
    /// Records that a default is used for a missing key or `null`, if the type has one.
    func noteAbsence(of key: some CodingKey, _ type: any Any.Type, in object: Int) {
        guard let type = type as? any DefaultTaking.Type else { return }
        if let null = value(of: key.stringValue, in: object) {
            drift(.defaultedKey, at: offset(of: null), type.valueType)
        } else {
            drift(.defaultedKey, at: offset(of: object), key: key.stringValue, type.valueType)
        }
    }
}

extension JSONReader {
    /// The value of a key that the object may lack, or the default: a ``Defaulted`` property of a type that reads
    /// itself.
    ///
    /// ```swift
    /// self.tags = reader.defaulted(tags, Key.tags, to: [])
    /// ```
    /// - Parameters:
    ///   - value: What was read, of the object that was read last.
    ///   - key: Its key.
    ///   - defaultValue: What is taken for `nil`; ``HikyakuJSONDecoder/onDrift`` is called then.
    /// - Returns: The value, or the default.
    @inlinable
    public func defaulted<Value, Key: RawRepresentable<String>>(
        _ value: Value?,
        _ key: Key,
        to defaultValue: @autoclosure () -> Value,
    ) -> Value {
        if let value { return value }
        noteMissing(key.rawValue, Value.self)
        return defaultValue()
    }

    @usableFromInline
    func noteMissing(_ key: String, _ type: any Any.Type) {
        context.drift(.defaultedKey, at: lastObject - context.bytes, key: key, type)
    }

    @usableFromInline
    func noteDrift(_ kind: JSONDrift.Kind, at offset: Int, _ type: any Any.Type) {
        context.drift(kind, at: offset, type)
    }
}

/// Names the default of a property: see ``Defaulted/To``.
///
/// ```swift
/// enum OnePage: DefaultProvider {
///     static var defaultValue: Int { 1 }
/// }
/// ```
public protocol DefaultProvider {
    /// What the property is.
    associatedtype Value

    /// Asked for each time that the default is taken, from any thread.
    static var defaultValue: Value { get }
}

/// A type with a value that has nothing in it: for ``Defaulted/Empty``.
///
/// A collection of one's own conforms in one line, since its initializer without arguments is there.
public protocol EmptyInitializable {
    /// Makes the empty value.
    init()
}

extension String: EmptyInitializable {}
extension Array: EmptyInitializable {}
extension Dictionary: EmptyInitializable {}
extension Set: EmptyInitializable {}
extension Data: EmptyInitializable {}
extension LossyArray: EmptyInitializable {}

extension Defaulted {
    /// Provides what is empty: see ``Empty``.
    public enum EmptyProvider<Value: EmptyInitializable>: DefaultProvider {
        /// Nothing in it.
        public static var defaultValue: Value { Value() }
    }

    /// Provides what adds nothing: see ``Zero``.
    public enum ZeroProvider<Value: AdditiveArithmetic>: DefaultProvider {
        /// 0.
        public static var defaultValue: Value { .zero }
    }

    /// Provides `false`: see ``False``.
    public enum FalseProvider: DefaultProvider {
        /// `false`.
        public static var defaultValue: Bool { false }
    }

    /// Provides `true`: see ``True``.
    public enum TrueProvider: DefaultProvider {
        /// `true`.
        public static var defaultValue: Bool { true }
    }

    /// Provides the case that is declared first: see ``FirstCase``.
    public enum FirstCaseProvider<Value: CaseIterable>: DefaultProvider {
        /// The first of all cases; a type that has none can't have a value either.
        public static var defaultValue: Value { Value.allCases[Value.allCases.startIndex] }
    }
}

extension Defaulted.To: JSONWritable where Provider.Value: JSONWritable {
    /// Writes the value, also where it is the default.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try wrappedValue.write(to: &writer)
    }
}
