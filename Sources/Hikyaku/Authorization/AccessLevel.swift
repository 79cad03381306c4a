/// How far a client is authorized, or a request needs it to be, as a type.
///
/// Levels form a chain: each includes the one below it, down to ``Public``. A client can send what its level includes;
/// sending anything else doesn't compile. A level of one's own is an enum without cases, in a chain of at most four:
/// ```swift
/// enum Admin: AccessLevel { typealias Includes = Authorized }
/// ```
/// A client can't be authorized for a fifth. Generic code says so: `where Level.Includes.Includes.Includes == Public`.
public protocol AccessLevel: SendableMetatype {
    /// The level below.
    associatedtype Includes: AccessLevel
}

/// A level that every client includes: ``Public`` and ``AuthorizedIfPossible``.
public protocol OpenLevel: AccessLevel {}

/// The lowest level: no credential is needed, and none is sent.
public enum Public: OpenLevel {
    /// The chain ends here.
    public typealias Includes = Public
}

/// The level of a request that any client can send, and that goes with a credential where the client has one.
///
/// Where there is none for its environment, or its token is missing or empty, it goes without.
public enum AuthorizedIfPossible: OpenLevel {
    /// The level below.
    public typealias Includes = Public
}

/// The level of a client that has a credential.
public enum Authorized: AccessLevel {
    /// The level below.
    public typealias Includes = Public
}

/// What a request wants of a client's credentials.
enum AuthorizationNeed: Sendable {
    case none
    /// A credential goes with it where there is one.
    case optional
    case required

    init<R: APIRequest>(_ request: borrowing R) {
        self =
            request.requiresAuthorization ? .required : R.Access.self == AuthorizedIfPossible.self ? .optional : .none
    }
}

extension AccessLevel {
    /// Whether a client of this level may send requests of another.
    static func includes(_ other: any AccessLevel.Type) -> Bool {
        var level: any AccessLevel.Type = self
        // A chain that is longer than the gate's overloads can't be bound; one that leads back to itself has no end.
        for _ in 0..<8 where level != other {
            level = level.below
        }
        return level == other || other is any OpenLevel.Type
    }

    private static var below: any AccessLevel.Type { Includes.self }
}
