/// How far a client is authorized, or a request needs it to be, as a type.
///
/// Levels form a chain: each includes the one below it, down to ``Public``. A client can send what its level includes;
/// sending anything else doesn't compile. A level of one's own is an enum without cases, in a chain of at most four:
/// ```swift
/// enum Admin: AccessLevel { typealias Includes = Authorized }
/// ```
public protocol AccessLevel {
    /// The level below.
    associatedtype Includes: AccessLevel
}

/// The lowest level: no credential is needed, and none is sent.
public enum Public: AccessLevel {
    /// The chain ends here.
    public typealias Includes = Public
}

/// The level of a client that has a credential.
public enum Authorized: AccessLevel {
    /// The level below.
    public typealias Includes = Public
}
