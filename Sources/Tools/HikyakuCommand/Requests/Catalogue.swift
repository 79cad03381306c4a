/// The requests of a package, as a page lists them.
///
/// In JSON, the keys are the names of these properties; unknown and missing values are omitted.
struct Catalogue: Equatable, Sendable, Encodable {
    /// The version of the JSON format, which changes only if readers of the old one can't read it.
    var version = 1
    let package: String
    /// Sorted by module and name, an outer namespace before inner ones.
    let chapters: [Chapter]
    /// Members of requests whose names are probably misspelled; `nil` if there are none.
    var misspelled: [MisspelledName]?

    /// The requests in one namespace.
    struct Chapter: Equatable, Sendable, Encodable {
        let module: String
        /// The names of the types that the requests are nested in, outermost first; empty at the top level.
        let path: [String]
        /// The namespace's comment.
        let documentation: String?
        /// Sorted by file and line.
        let requests: [CatalogueRequest]
    }

    var requestCount: Int { chapters.reduce(0) { $0 + $1.requests.count } }
}

/// A request type.
struct CatalogueRequest: Equatable, Sendable, Encodable {
    /// The type's own name, with its generic parameters.
    let name: String
    /// The comment's text.
    let documentation: String?
    /// The file, relative to the package's folder.
    let file: String
    let line: Int

    let method: CatalogueValue
    let path: CatalogueValue
    let query: CatalogueKeys
    /// The parameters, which are sent in the query or in a JSON body, depending on the method.
    let parameters: CatalogueKeys
    /// The kind of body: `json`, `form` and the like, or `none`.
    let body: CatalogueValue
    let environment: CatalogueEnvironment

    let access: String
    /// Whether it needs a credential, if that isn't as ``access`` says: `true` or `false`; `nil` if it is.
    var requiresAuthorization: CatalogueValue?
    let response: String
    let failure: String
}

/// Where a value comes from, which decides how certain it is.
enum CatalogueOrigin: String, Equatable, Sendable, Encodable {
    /// Declared by the type itself.
    case declared
    /// The initial value of a stored property; an instance may have another one.
    case initial
    /// Supplied by a protocol's extension, for all requests of a service.
    case inherited
    /// The library's default.
    case `default`
    /// A stored property without an initial value.
    case stored
    /// Known only when the program runs.
    case computed
}

/// A value as text.
struct CatalogueValue: Equatable, Sendable, Encodable {
    /// The text; `nil` if the origin is `stored` or `computed`.
    let value: String?
    let origin: CatalogueOrigin
}

/// The names in a query.
struct CatalogueKeys: Equatable, Sendable, Encodable {
    let keys: [String]
    /// Whether these are all keys: others may be computed.
    let isComplete: Bool
    let origin: CatalogueOrigin
}

/// The environment of a request.
struct CatalogueEnvironment: Equatable, Sendable, Encodable {
    /// The name of the static member; `nil` if it isn't one.
    let name: String?
    let baseURL: String?
    let origin: CatalogueOrigin
}
