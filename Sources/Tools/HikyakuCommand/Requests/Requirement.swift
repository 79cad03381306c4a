/// A requirement of `APIRequest` that a catalogue shows.
enum Requirement: String, Sendable {
    case environment, method, path, query, parameters, body, requiresAuthorization

    /// Its type, without modules.
    var type: String {
        switch self {
        case .environment: "APIEnvironment"
        case .method: "HTTPMethod"
        case .path: "RequestPath"
        case .query, .parameters: "RequestQuery"
        case .body: "RequestBody?"
        case .requiresAuthorization: "Bool"
        }
    }

    /// Whether a property with this name and a type satisfies it.
    ///
    /// For a requirement with a default in the library, a property of another type is converted, or the program doesn't
    /// compile.
    func takes(_ type: String) -> Bool {
        switch self {
        // A property of another type that isn't converted has no effect.
        case .environment, .path, .requiresAuthorization: type == self.type
        case .method, .query, .parameters, .body: true
        }
    }
}

/// The value of a request's requirement, and its location.
struct Supplied: Equatable, Sendable {
    var value: ConstValue
    var origin: CatalogueOrigin
    /// The location in the source; `nil` for the library's default.
    var location: SymbolGraph.Location?

    /// A value that is known only when the program runs.
    static let computed = Supplied(value: .runtime, origin: .computed)
}

/// Finds what supplies a request's requirements: the type, an extension of a protocol, or the library.
struct RequirementFinder {
    let symbols: SymbolIndex
    /// The source files that are listed, with their modules.
    let sources: [String: String]
    let files: SourceFiles

    func find(_ requirement: Requirement, in type: ConstType) -> Supplied {
        let own = own(requirement, in: type)
        // Several are in conditional extensions, each for some instances of a generic type.
        guard own.count < 2 else { return .computed }
        if let own = own.first { return supplied(by: own) }
        guard let symbol = symbols.symbol(of: type) else { return .computed }
        switch symbols.inherited(requirement.rawValue, by: symbol, in: sources[type.file] ?? "") {
        case .unclear: return .computed
        case .from(let location): return inherited(requirement, at: location)
        // A class may inherit it from its superclass, which isn't in the compiler's list.
        case .nothing where type.kind.hasSuffix("class"): return .computed
        case .nothing: return Supplied(value: .runtime, origin: .default)
        }
    }

    /// Whether a type or an extension is known to have it, which isn't known of what private types and classes inherit.
    func isKnownToSupply(_ requirement: Requirement, in type: ConstType) -> Bool {
        if !own(requirement, in: type).isEmpty { return true }
        guard let symbol = symbols.symbol(of: type) else { return false }
        return symbols.inherited(requirement.rawValue, by: symbol, in: sources[type.file] ?? "") != .nothing
    }

    private func own(_ requirement: Requirement, in type: ConstType) -> [ConstProperty] {
        type.properties.filter {
            $0.name == requirement.rawValue && !$0.isStatic && $0.getter == .plain
                && requirement.takes(TypeName().short($0.type))
        }
    }

    private func supplied(by property: ConstProperty) -> Supplied {
        let location = SymbolGraph.Location(file: property.file, line: property.line)
        let origins: (unknown: CatalogueOrigin, known: CatalogueOrigin) =
            property.isComputed || property.isConstant ? (.computed, .declared) : (.stored, .initial)
        let origin = property.value == .runtime ? origins.unknown : origins.known
        return Supplied(value: property.value, origin: origin, location: location)
    }

    private func inherited(_ requirement: Requirement, at location: SymbolGraph.Location) -> Supplied {
        guard let source = source(requirement, at: location),
            requirement.takes(TypeName().short(source.type).split(separator: ".").last.map(String.init) ?? "")
        else { return .computed }
        let value = source.expression.value(ofType: requirement.type)
        return Supplied(value: value, origin: .inherited, location: location)
    }

    /// The requirement as it is written in the source.
    func source(_ requirement: Requirement, at location: SymbolGraph.Location) -> SourceProperty? {
        files[location.file].flatMap { SourceProperty(requirement.rawValue, line: location.line, in: $0) }
    }
}
