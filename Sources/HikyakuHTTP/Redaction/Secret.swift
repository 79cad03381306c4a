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

extension Secret: Equatable where Value: Equatable {
    /// Compares the values, texts by their bytes.
    public static func == (left: Self, right: Self) -> Bool {
        guard let leftText = left.value as? String, let rightText = right.value as? String else {
            return left.value == right.value
        }
        return leftText.hasSameBytes(as: rightText)
    }
}

extension Secret: Hashable where Value: Hashable {
    /// Feeds the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `‹redacted›`.
    public var description: String { Redaction.placeholder }
    /// `‹redacted›`.
    public var debugDescription: String { Redaction.placeholder }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
