/// A key for a value in a ``RequestContext``.
///
/// ```swift
/// enum CacheHits: RequestContextKey { static let defaultValue = 0 }
///
/// let context = RequestContext()
/// context[CacheHits.self] = 1
/// ```
public protocol RequestContextKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value if none was stored.
    static var defaultValue: Value { get }
}
