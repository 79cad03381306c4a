/// A value that prints as `‹redacted›` wherever it turns up: in descriptions, `dump`, debuggers and string
/// interpolation.
///
/// It is read by ``reveal()`` alone, so that a search for that word finds each place that does.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    /// Hides a value.
    public init(_ value: Value) {
        self.value = value
    }

    /// The value itself.
    public func reveal() -> Value { value }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `‹redacted›`.
    public var description: String { Redaction.placeholder }
    /// `‹redacted›`.
    public var debugDescription: String { Redaction.placeholder }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
