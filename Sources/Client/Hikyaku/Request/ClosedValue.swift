/// A value of a set that does not grow: an enumeration whose cases are all that a service has.
///
/// ```swift
/// enum Side: String, ClosedValue {
///     case left, right
/// }
/// ```
/// A value that is none of the cases can't be decoded. It can be in a model, in a query, in a path and in a form. For
/// a set that may grow, use ``OpenValue``.
public protocol ClosedValue: RawRepresentable, CaseIterable, JSONReadable, JSONWritable, Codable, Hashable, QueryValue,
    PathComponent
where RawValue: JSONReadable & JSONWritable & Codable & Hashable & QueryValue & PathComponent {}

extension CalendarDate: QueryValue, PathComponent {
    /// The day in ISO 8601: `2026-11-21`.
    public var queryItemValue: QueryItemValue { description.queryItemValue }

    /// The day in ISO 8601: `2026-11-21`.
    public var pathComponent: String { description }
}

extension NumberText: QueryValue, PathComponent {
    /// The number.
    public var queryItemValue: QueryItemValue { description.queryItemValue }

    /// The number.
    public var pathComponent: String { description }
}
