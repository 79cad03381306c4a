/// A value of a set that may grow: an open enumeration of texts or numbers.
///
/// ```swift
/// struct Status: OpenValue {
///     var rawValue: String
///     static let open = Self(rawValue: "open")
///     static let closed = Self(rawValue: "closed")
/// }
/// ```
/// A value that the app doesn't know is kept. It can be in a model, in a query, in a path and in a form.
public protocol OpenValue: RawRepresentable, JSONReadable, JSONWritable, Codable, Hashable, QueryValue, PathComponent
where RawValue: JSONReadable & JSONWritable & Codable & Hashable & QueryValue & PathComponent {
    /// Creates any value.
    init(rawValue: RawValue)
}
