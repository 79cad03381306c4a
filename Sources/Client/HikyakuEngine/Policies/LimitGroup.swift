/// Which requests share limits: ``APIRequest/limitGroup``.
///
/// ```swift
/// struct Search: Shop.Request {
///     typealias Response = [Dish]
///     var path: RequestPath { "/search" }
///     var limitGroup: LimitGroup { "search" }
/// }
/// ```
/// A named group has its own limits, in addition to those of the origin. Use one for requests that a service counts
/// separately, such as searches. It is one group for all origins, and for all clients that are derived from one client.
public struct LimitGroup: Sendable, Hashable {
    /// All requests to the origin (scheme, host and port) of the request's environment; the default.
    public static let origin = LimitGroup(ownName: nil)

    /// The name; `nil` for the group of the origin.
    package let name: String?

    private init(ownName: String?) {
        name = ownName
    }

    /// A group with a name of your own.
    public init(_ name: String) {
        self.name = name
    }
}

extension LimitGroup: ExpressibleByStringLiteral {
    /// A group with a name of your own.
    public init(stringLiteral name: String) {
        self.name = name
    }
}

extension LimitGroup: CustomStringConvertible {
    /// The name, or `origin`.
    public var description: String { name ?? "origin" }
}

/// A type for a request's ``APIRequest/limitGroup``: ``LimitGroup``, or `String`.
public protocol _RequestLimitGroup {
    /// The group.
    var _requestLimitGroup: LimitGroup { get }
}

extension LimitGroup: _RequestLimitGroup {
    /// The group itself.
    public var _requestLimitGroup: LimitGroup { self }
}

extension String: _RequestLimitGroup {
    /// The group with this name.
    public var _requestLimitGroup: LimitGroup { LimitGroup(self) }
}
