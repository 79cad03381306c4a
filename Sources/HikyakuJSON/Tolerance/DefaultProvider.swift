#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
