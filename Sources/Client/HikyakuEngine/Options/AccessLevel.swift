/// The level of authorization that a client has, or a request needs, as a type.
///
/// Levels form a chain: each includes the one below it, down to ``Public``. A client can send requests of the levels
/// that its level includes; sending any other request doesn't compile. Your own level is an enum without cases, in a
/// chain of at most four levels:
/// ```swift
/// enum Admin: AccessLevel { typealias Includes = Authorized }
/// ```
/// A client can't be authorized for a fifth level. Generic code needs the constraint
/// `where Level.Includes.Includes.Includes == Public`.
public protocol AccessLevel: SendableMetatype {
    /// The level below.
    associatedtype Includes: AccessLevel
}

/// A level that every client includes: ``Public`` and ``AuthorizedIfPossible``.
public protocol OpenLevel: AccessLevel {}

/// The lowest level: no credential is needed, and none is sent.
///
/// ```swift
/// struct Menu: Shop.Request {
///     typealias Response = [Dish]
///     typealias Access = Public       // the default: any client can send it
///     var path: RequestPath { "/dishes" }
/// }
/// let client: APIClient<Public> = APIClient()
/// let dishes = try await client.send(Menu())
/// ```
public enum Public: OpenLevel {
    /// The chain ends here.
    public typealias Includes = Public
}

/// The level of a request that any client can send, with a credential if the client has one.
///
/// ```swift
/// struct Recommended: Shop.Request {
///     typealias Response = [Dish]
///     typealias Access = AuthorizedIfPossible       // those of the signed-in guest, or else of the season
///     var path: RequestPath { "/dishes/recommended" }
/// }
/// let forAnyone = try await APIClient().send(Recommended())
/// ```
/// If the client has none for its environment, or its token is missing or empty, the request is sent without one.
public enum AuthorizedIfPossible: OpenLevel {
    /// The level below.
    public typealias Includes = Public
}

/// The level of a client that has a credential.
///
/// ```swift
/// struct MyOrders: Shop.Request {
///     typealias Response = [Order]
///     typealias Access = Authorized       // APIClient().send(MyOrders()) does not compile
///     var path: RequestPath { "/me/orders" }
/// }
/// let client: APIClient<Authorized> = APIClient().authorized(by: .bearer(userToken), for: .shop)
/// let orders = try await client.send(MyOrders())
/// ```
public enum Authorized: AccessLevel {
    /// The level below.
    public typealias Includes = Public
}

/// Whether a request needs a client's credential.
package enum AuthorizationNeed: Sendable {
    case none
    /// It is sent with a credential if there is one.
    case optional
    case required

}

extension AccessLevel {
    /// Whether a client of this level may send requests of another.
    static func includes(_ other: any AccessLevel.Type) -> Bool {
        var level: any AccessLevel.Type = self
        // A chain that is longer than the gate's overloads can't be bound; a circular chain has no end.
        for _ in 0..<8 where level != other {
            level = level.below
        }
        return level == other || other is any OpenLevel.Type
    }

    private static var below: any AccessLevel.Type { Includes.self }
}
