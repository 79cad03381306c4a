/// Converts the values of a request's requirements into those of a catalogue.
struct ValueReader {
    let finder: RequirementFinder
    /// Static members by `Type.name`, without modules; ambiguous ones are omitted.
    private let members: [String: ConstValue]

    init(finder: RequirementFinder, types: [ConstType]) {
        self.finder = finder
        var members: [String: ConstValue?] = [:]
        for type in types {
            for property in type.properties where property.isStatic {
                let name = "\(TypeName().short(type.name)).\(property.name)"
                if let other = members[name], other != property.value {
                    members[name] = .some(nil)
                } else {
                    members[name] = property.value
                }
            }
        }
        self.members = members.compactMapValues { $0 }
    }

    func method(of type: ConstType) -> CatalogueValue {
        let supplied = finder.find(.method, in: type)
        if supplied.origin == .default { return CatalogueValue(value: "GET", origin: .default) }
        return makeValue(methodName(supplied.value), supplied.origin)
    }

    func path(of type: ConstType) -> CatalogueValue {
        let supplied = finder.find(.path, in: type)
        switch supplied.value {
        case .literal(let text): return makeValue(text, supplied.origin)
        case .interpolation(let segments):
            return makeValue(PathTemplate(segments).text(naming: sourceSegments(supplied.location)), supplied.origin)
        default: return makeValue(nil, supplied.origin)
        }
    }

    func keys(_ requirement: Requirement, of type: ConstType) -> CatalogueKeys {
        let supplied = finder.find(requirement, in: type)
        if supplied.origin == .default { return CatalogueKeys(keys: [], isComplete: true, origin: .default) }
        guard case .dictionary(let pairs) = supplied.value else {
            return CatalogueKeys(keys: [], isComplete: false, origin: supplied.origin == .stored ? .stored : .computed)
        }
        let keys = pairs.compactMap(\.key.literal)
        return CatalogueKeys(keys: keys, isComplete: keys.count == pairs.count, origin: supplied.origin)
    }

    func body(of type: ConstType) -> CatalogueValue {
        let supplied = finder.find(.body, in: type)
        if supplied.origin == .default { return CatalogueValue(value: "none", origin: .default) }
        switch supplied.value {
        case .nilLiteral: return makeValue("none", supplied.origin)
        // Any other static function that returns a body looks the same, so the names are compared.
        case .call(_, let name?, _) where Self.bodies.contains(name): return makeValue(name, supplied.origin)
        default: return makeValue(nil, supplied.origin)
        }
    }

    /// Whether a request needs a credential, if it says so itself, and not the same as its level of access.
    ///
    /// - Parameters:
    ///   - type: The request's type.
    ///   - access: Its level of access, without the module.
    /// - Returns: `true`, `false`, or an unknown value; `nil` if it is as the level says.
    func requiresAuthorization(of type: ConstType, access: String) -> CatalogueValue? {
        // A row for each private type, of which nothing inherited is known, would say nothing.
        guard finder.isKnownToSupply(.requiresAuthorization, in: type) else { return nil }
        let supplied = finder.find(.requiresAuthorization, in: type)
        let value = makeValue(supplied.value.literal, supplied.origin)
        let byAccess = access == "Public" || access == "AuthorizedIfPossible" ? "false" : "true"
        // An instance may have another value than the initial one.
        return value.value == byAccess && value.origin != .initial ? nil : value
    }

    func environment(of type: ConstType) -> CatalogueEnvironment {
        let supplied = finder.find(.environment, in: type)
        var name: String?
        if case .member(let type, let member) = supplied.value, Self.isType(type, .environment) { name = member }
        let baseURL = baseURL(supplied.value)
        let isKnown = name != nil || baseURL != nil
        return CatalogueEnvironment(
            name: name,
            baseURL: baseURL,
            origin: isKnown ? supplied.origin : unknown(supplied.origin),
        )
    }

    private func makeValue(_ text: String?, _ origin: CatalogueOrigin) -> CatalogueValue {
        CatalogueValue(value: text, origin: text == nil ? unknown(origin) : origin)
    }

    private func unknown(_ origin: CatalogueOrigin) -> CatalogueOrigin {
        origin == .stored ? .stored : .computed
    }

    private func sourceSegments(_ location: SymbolGraph.Location?) -> [SourceExpression.Segment]? {
        let expression = location.flatMap { finder.source(.path, at: $0) }?.expression
        return if case .string(let segments) = expression { segments } else { nil }
    }

    private static func isType(_ type: String, _ requirement: Requirement) -> Bool {
        TypeName().short(type) == requirement.type
    }

    private static let bodies: Set = ["json", "form", "multipart", "text", "bytes", "file", "stream"]
    private static let methods: Set = ["get", "head", "post", "put", "patch", "delete", "options", "trace"]

    private func methodName(_ value: ConstValue) -> String? {
        switch resolved(value) {
        case .literal(let word): word
        case .member(let type, let name) where Self.isType(type, .method) && Self.methods.contains(name):
            name.uppercased()
        case .call(let type, nil, let arguments) where Self.isType(type, .method): arguments.first?.value.literal
        default: nil
        }
    }

    private func baseURL(_ value: ConstValue) -> String? {
        switch resolved(value) {
        case .literal(let text): text
        case .call(let type, nil, let arguments) where Self.isType(type, .environment):
            arguments.first { $0.label == "baseURL" }?.value.literal
        default: nil
        }
    }

    /// Follows static members to their values, which may be members themselves.
    private func resolved(_ value: ConstValue) -> ConstValue {
        var value = value
        // The limit ends a cycle of members, which can't occur in a program that runs.
        for _ in 0..<8 {
            guard case .member(let type, let name) = value,
                let next = members["\(TypeName().short(type)).\(name)"], next != .runtime
            else { break }
            value = next
        }
        return value
    }
}

/// A path with gaps for interpolated values.
struct PathTemplate: Equatable, Sendable {
    /// Texts, and `nil` for gaps.
    private let parts: [String?]

    /// - Parameter segments: The segments of an interpolated string, as the compiler extracted them.
    init(_ segments: [ConstValue]) {
        parts = Self.joined(segments.map(\.literal))
    }

    private init(_ segments: [SourceExpression.Segment]) {
        parts = Self.joined(segments.map { if case .text(let text) = $0 { text } else { nil } })
    }

    /// The path, with `{name}` or `{…}` in its gaps.
    ///
    /// - Parameter source: The segments in the source, which contain the names. They are used only if all other
    ///   segments match the compiler's.
    /// - Returns: The path for readers.
    func text(naming source: [SourceExpression.Segment]?) -> String {
        var names: [String] = []
        if let source, PathTemplate(source) == self {
            names = source.compactMap { if case .value(let code) = $0 { Self.name(code) } else { nil } }
        }
        var rest = names[...]
        return parts.map { $0 ?? "{\(rest.popFirst() ?? "…")}" }.joined()
    }

    /// A plain name; `…` for any other expression.
    private static func name(_ code: String) -> String {
        var code = code[...]
        // The label of a secret isn't part of the name.
        if code.hasPrefix("secret:") { code = code.dropFirst(7).drop { $0 == " " } }
        if code.hasPrefix("self.") { code = code.dropFirst(5) }
        let isPlain = !code.isEmpty && code.allSatisfy { $0.isPartOfName || $0 == "." }
        return isPlain ? String(code) : "…"
    }

    /// The parts without empty texts, and with adjacent texts joined.
    private static func joined(_ parts: [String?]) -> [String?] {
        parts.reduce(into: []) { joined, part in
            if let part, let before = joined.last ?? nil {
                joined[joined.count - 1] = before + part
            } else if part != "" {
                joined.append(part)
            }
        }
    }
}
