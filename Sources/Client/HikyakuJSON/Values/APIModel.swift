/// A value that requests and responses carry, in a module of any default isolation.
///
/// It has no requirements. In a module that isolates to the main actor, as new app projects do, a type is isolated too,
/// unless its own declaration names a protocol that is `Sendable`: this one is made to be named.
/// ```swift
/// struct Article: APIModel, Codable, Hashable {
///     let id: String
///     var tags: [Tag]
///
///     struct Tag: Codable, Hashable { var name: String }
/// }
///
/// struct NewArticle: APIModel, Encodable { var title: String }
/// ```
/// - `extension Article: APIModel {}` doesn't help: the compiler looks at the declaration alone. Nor do `Sendable` and
///   `Codable` in the declaration.
/// - Requests, ``JSONCodable``, ``JSONModel`` and this package's other protocols do the same, so that a type that names
///   one of them needs nothing else.
public protocol APIModel: Sendable {}
