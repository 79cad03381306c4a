#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Property wrappers with a default value for keys that may be missing or `null`.
///
/// ```swift
/// enum Blog {
///     struct Article: Codable {
///         var id: Int
///         @Defaulted.Empty var tags: [String]
///         @Defaulted.Zero var likes: Int
///         @Defaulted.False var isPinned: Bool
///         @Defaulted.FirstCase var state: State
///         @Defaulted.To<OnePage> var pages: Int
///     }
///
///     enum State: String, Codable, CaseIterable { case draft, published }
///
///     enum OnePage: DefaultProvider {
///         static var defaultValue: Int { 1 }
///     }
/// }
/// ```
/// They work with any decoder. A value that is present but can't be decoded is still an error.
/// ``HikyakuJSONDecoder/onDrift`` is called each time a default is used.
///
/// The compiler rejects property wrappers in a type that is itself marked `nonisolated`. In a module with main-actor
/// isolation by default, put the type into a `nonisolated` `enum` or extension.
///
/// The file that declares the type must import this module, because the compiler looks there for the function that
/// decodes such a property. To give the memberwise initializer a default too, initialize the property:
/// `@Defaulted.Empty var tags: [String] = []`.
public enum Defaulted {
    /// Defaults to an empty value: an empty string, array, dictionary or set.
    public typealias Empty<Value: EmptyInitializable> = To<_EmptyProvider<Value>>
    /// Defaults to 0, or to the type's additive identity.
    public typealias Zero<Value: AdditiveArithmetic> = To<_ZeroProvider<Value>>
    /// Defaults to `false`.
    public typealias False = To<_FalseProvider>
    /// Defaults to `true`.
    public typealias True = To<_TrueProvider>
    /// Defaults to the first declared case of an enumeration.
    public typealias FirstCase<Value: CaseIterable> = To<_FirstCaseProvider<Value>>

    /// Defaults to the value of a custom ``DefaultProvider``.
    ///
    /// ```swift
    /// enum OneGuest: DefaultProvider {
    ///     static var defaultValue: Int { 1 }
    /// }
    /// enum Restaurant {
    ///     struct Table: Codable {
    ///         @Defaulted.To<OneGuest> var guestCount: Int
    ///     }
    /// }
    /// ```
    @propertyWrapper
    public struct To<Provider: DefaultProvider> {
        /// The decoded value, or the default.
        public var wrappedValue: Provider.Value

        /// Creates a wrapper with a value.
        @inlinable
        public init(wrappedValue: Provider.Value) {
            self.wrappedValue = wrappedValue
        }

        /// The default.
        ///
        /// It is not an initializer without arguments, because the memberwise initializer would then take wrappers,
        /// not values.
        @usableFromInline static var provided: Self { Self(wrappedValue: Provider.defaultValue) }
    }
}

extension Defaulted.To: Equatable where Provider.Value: Equatable {}

extension Defaulted.To: Hashable where Provider.Value: Hashable {}

extension Defaulted.To: Sendable where Provider.Value: Sendable {}

extension Defaulted.To: Decodable where Provider.Value: Decodable {
    /// Reads a value or `null`; a key that may be missing is decoded by the keyed container's `decode` instead.
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
    /// Writes the value, even if it is the default.
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

    /// The default, as the value of a member that is missing.
    @inlinable public static var missingMember: Self? { .provided }
}

extension KeyedDecodingContainer {
    /// Decodes the value of a key that may be missing or `null`.
    ///
    /// The synthesized initializer of a `Decodable` type calls this method for properties with a ``Defaulted``
    /// wrapper.
    ///
    /// - Throws: Errors of decoding the value, if it is present.
    public func decode<Provider>(
        _ type: Defaulted.To<Provider>.Type,
        forKey key: Key,
    ) throws -> Defaulted.To<Provider> where Provider.Value: Decodable {
        try decodeIfPresent(type, forKey: key) ?? .provided
    }
}

extension Defaulted.To: DefaultTaking {
    static var valueType: any Any.Type { Provider.Value.self }
}

extension JSONReader {
    @usableFromInline
    func noteDrift(_ kind: JSONDrift.Kind, at offset: Int, _ type: any Any.Type) {
        context.drift(kind, at: offset, type)
    }
}

/// Provides the default value of a property: see ``Defaulted/To``.
///
/// ```swift
/// enum OnePage: DefaultProvider {
///     static var defaultValue: Int { 1 }
/// }
/// ```
public protocol DefaultProvider: SendableMetatype {
    /// The type of the property.
    associatedtype Value

    /// The default value; it is read each time that the default is used, from any thread.
    static var defaultValue: Value { get }
}

/// A type with an empty value: for ``Defaulted/Empty``.
///
/// ```swift
/// struct Tags: APIModel, Codable {
///     var names: [String] = []
/// }
/// nonisolated extension Tags: EmptyInitializable {}
///
/// enum Blog {
///     struct Article: Codable {
///         @Defaulted.Empty var tags: Tags
///     }
/// }
/// ```
/// A custom collection conforms with an empty extension, because it already has an initializer without arguments.
public protocol EmptyInitializable: SendableMetatype {
    /// Creates the empty value.
    init()
}

extension String: EmptyInitializable {}
extension Array: EmptyInitializable {}
extension Dictionary: EmptyInitializable {}
extension Set: EmptyInitializable {}
extension Data: EmptyInitializable {}
extension LossyArray: EmptyInitializable {}

extension Defaulted {
    /// Provides an empty value: see ``Empty``.
    public enum _EmptyProvider<Value: EmptyInitializable>: DefaultProvider {
        /// The empty value.
        public static var defaultValue: Value { Value() }
    }

    /// Provides the additive identity: see ``Zero``.
    public enum _ZeroProvider<Value: AdditiveArithmetic>: DefaultProvider {
        /// 0.
        public static var defaultValue: Value { .zero }
    }

    /// Provides `false`: see ``False``.
    public enum _FalseProvider: DefaultProvider {
        /// `false`.
        public static var defaultValue: Bool { false }
    }

    /// Provides `true`: see ``True``.
    public enum _TrueProvider: DefaultProvider {
        /// `true`.
        public static var defaultValue: Bool { true }
    }

    /// Provides the first declared case: see ``FirstCase``.
    public enum _FirstCaseProvider<Value: CaseIterable>: DefaultProvider {
        /// The first of all cases; a type without cases has no values either.
        public static var defaultValue: Value { Value.allCases[Value.allCases.startIndex] }
    }
}

extension Defaulted.To: JSONWritable where Provider.Value: JSONWritable {
    /// Writes the value, even if it is the default.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try wrappedValue.write(to: &writer)
    }
}
