/// The requests of a package, as a page lists them.
///
/// As JSON its keys are the names of the properties here; what isn't there or isn't known is left out.
struct Catalogue: Equatable, Sendable, Encodable {
    /// Of the form of the JSON: a reader that knows 1 can read it as long as this says 1.
    var version = 1
    let package: String
    /// In the order of modules and names, an outer one before those inside.
    let chapters: [Chapter]
    /// Type aliases that the library doesn't know, though it knows one of nearly the same name; `nil` where there are
    /// none.
    var misspelled: [MisspelledAlias]?

    /// What one namespace holds.
    struct Chapter: Equatable, Sendable, Encodable {
        let module: String
        /// The names of the types that the requests are nested in, outermost first; none for those at the top level.
        let path: [String]
        /// The namespace's comment.
        let documentation: String?
        /// In the order of files and lines.
        let requests: [CatalogueRequest]
    }

    var requestCount: Int { chapters.reduce(0) { $0 + $1.requests.count } }
}

/// A request type.
struct CatalogueRequest: Equatable, Sendable, Encodable {
    /// The type's own name, with its generic parameters.
    let name: String
    /// The comment, as it is written.
    let documentation: String?
    /// The file, relative to the package's folder.
    let file: String
    let line: Int

    let method: CatalogueValue
    let path: CatalogueValue
    let query: CatalogueKeys
    /// What goes to the query or into a JSON body, by the method.
    let parameters: CatalogueKeys
    /// The kind of body: `json`, `form` and the like, or `none`.
    let body: CatalogueValue
    let environment: CatalogueEnvironment

    let access: String
    let response: String
    let failure: String
}

/// A `typealias Acces` in a request, which means `Access` and says nothing.
struct MisspelledAlias: Equatable, Sendable, Encodable {
    /// The name that is there.
    let name: String
    /// The name that is meant.
    let meant: String
    /// The type, with those that it is nested in.
    let type: String
    /// The file, relative to the package's folder.
    let file: String
    let line: Int

    /// As compilers say it, so that editors and servers that read them find the place.
    var warning: String {
        "\(file):\(line): warning: typealias \(name) in \(type) says nothing to APIRequest: is \(meant) meant?"
    }
}

/// Where a value comes from, and so how far it can be relied on.
enum CatalogueOrigin: String, Equatable, Sendable, Encodable {
    /// The type says so.
    case declared
    /// A stored property begins with it; an instance may have another.
    case initial
    /// An extension of a protocol says so for all requests of a service.
    case inherited
    /// Nothing is said, so the library's default holds.
    case `default`
    /// A stored property, whose value each instance has for itself.
    case stored
    /// Only a running program knows.
    case computed
}

/// A value that can be told as text.
struct CatalogueValue: Equatable, Sendable, Encodable {
    /// The text; `nil` where the origin is `stored` or `computed`.
    let value: String?
    let origin: CatalogueOrigin
}

/// The names in a query.
struct CatalogueKeys: Equatable, Sendable, Encodable {
    let keys: [String]
    /// Whether these are all: a key may be computed too.
    let isComplete: Bool
    let origin: CatalogueOrigin
}

/// Where requests go.
struct CatalogueEnvironment: Equatable, Sendable, Encodable {
    /// The static member's name, where it is one.
    let name: String?
    let baseURL: String?
    let origin: CatalogueOrigin
}
