/// What is generated of a document, and how.
package struct GeneratorOptions: Sendable {
    /// The access of generated declarations.
    package enum Access: String, Sendable, CaseIterable {
        case `internal`, `package`, `public`

        /// The modifier with a space; nothing for `internal`.
        var modifier: Code {
            switch self {
            case .internal: ""
            case .package: "package "
            case .public: "public "
            }
        }
    }

    /// The name of the API; `nil` to make one of the document's title.
    package var name: String?
    package var access = Access.internal
    /// The operations to generate, by tag, path or id; all if it is empty.
    package var filters: [Filter] = []
    /// Swift types by formats, or by names of schemas.
    package var typeMap: [String: Code] = [:]
    /// Names by what they replace: `Pet`, `Pet.user_name`, or an operation's id.
    package var renames: [String: String] = [:]
    /// The names of sets of values that don't grow, or `all`.
    package var closedEnums: Set<String> = []
    /// The names of types whose `==` and `hash(into:)` the compiler synthesizes, or `all`.
    package var synthesizedEquality: Set<String> = []
    /// Whether a call whose token is known to lack a scope of its operation fails before it is sent.
    package var checksScopes = false
    /// Whether the API gets a value with a closure for each request, which answers in tests.
    package var makesFake = false
    /// Further modules to import, for types of the type map.
    package var imports: [Code] = []
    /// The module that has the models and failures, if it is another one than that of the requests.
    package var modelsModule: String?
    /// How the pages of lists are requested, by the ids of operations, or by method and path: `GET /dishes`.
    package var pages: [String: PageRule] = [:]
    /// The URL that a relative server URL is appended to.
    package var baseURL: String?
    /// The names that an earlier run gave; `nil` to name everything anew.
    package var history: NameHistory?
    /// What a configuration says about files; the generator itself reads and writes none.
    package var files = Files()

    package init() {}

    /// Whether servers without a host can be below a URL.
    package static func isBaseURL(_ text: String) -> Bool { EnvironmentPlanner.isURL(text) }

    /// Chooses operations.
    package struct Filter: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable { case tag, path, operation }

        package var kind: Kind
        package var value: String

        /// Reads `tag:pets`, `path:/pets` or `operation:listPets`; `nil` for anything else.
        package init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else { return nil }
            self.kind = kind
            value = parts[1]
        }

        func includes(_ operation: APIOperation) -> Bool {
            switch kind {
            case .tag: operation.tags.contains(value)
            case .path: operation.path.text == value || operation.path.text.hasPrefix(value + "/")
            case .operation: operation.id == value
            }
        }
    }
}
