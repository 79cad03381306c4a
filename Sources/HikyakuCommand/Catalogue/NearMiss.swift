import HikyakuBase

/// A misspelled name in a request, such as `typealias Acces` for `Access`, which has no effect.
///
/// A static property with the name of a requirement has no effect either: its `name` is right, and is what is `meant`.
/// The same goes for a function whose declaration is not the requirement's, and for the body of a request by GET.
struct MisspelledName: Equatable, Sendable, Encodable {
    /// What has the name.
    enum Kind: String, Equatable, Sendable, Encodable {
        case `typealias`, type, property
        case staticProperty = "static property"
        case function
        /// The body of a request with the method GET.
        case body
    }

    let kind: Kind
    /// The name in the source.
    let name: String
    /// The probably intended name; the right declaration of a function.
    let meant: String
    /// The type, with the types that it is nested in.
    let type: String
    /// The file; relative to the package's folder in a catalogue.
    let file: String
    let line: Int

    /// A warning in the format of compilers, which editors and CI systems recognize.
    var warning: String {
        let place = "\(file):\(line): warning:"
        let advice: String
        switch kind {
        case .typealias, .type, .property: advice = "did you mean \(meant)?"
        case .staticProperty: advice = "remove static"
        case .function: advice = "write \(meant)"
        case .body:
            let question = meant == "method" ? "did you forget method?" : "did you mean \(meant)?"
            return "\(place) property body in \(type) is sent by GET, and GET has no body: \(question)"
        }
        return "\(place) \(kind.rawValue) \(name) in \(type) is ignored by APIRequest: \(advice)"
    }

    /// The same in a file that is named differently.
    func inFile(_ file: String) -> Self {
        Self(kind: kind, name: name, meant: meant, type: type, file: file, line: line)
    }
}

/// The names that `APIRequest` has a meaning for, besides those of functions.
enum RequestName {
    static let associatedTypes = ["Response", "Definition", "Access", "Failure"]

    /// The properties, and how the types end that a person would give them.
    static let properties: KeyValuePairs = [
        "environment": ["APIEnvironment"],
        "method": ["HTTPMethod", "String"],
        "path": ["RequestPath", "String"],
        "query": ["RequestQuery", dictionary],
        "parameters": ["RequestQuery", dictionary],
        "headers": ["HTTPHeaders", dictionary],
        "body": ["RequestBody"],
        "decoder": ["Decoder"],
        "diagnosisDetail": ["DiagnosisDetail"],
        "encoder": ["Encoder"],
        "timeout": ["Duration", "Double", "Int", "TimeInterval"],
        "requiresAuthorization": ["Bool"],
        "requiredScopes": ["Set<String>", "[String]"],
        "redirectPolicy": ["RedirectPolicy"],
        "sharesExchange": ["Bool"],
        "isIdempotent": ["Bool"],
        "idempotencyKey": ["IdempotencyKey", "String", "UUID"],
        "limitGroup": ["LimitGroup"],
    ]
    private static let dictionary = "[:]"

    /// The further properties of requests of a special kind, by the name of its protocol.
    static let furtherProperties: [String: KeyValuePairs<String, [String]>] = [
        "FileRequest": ["destination": ["FileDestination"]],
        "EventStreamRequest": [
            "terminator": ["EventStreamTerminator"], "reconnection": ["RetryPolicy"], "idleTimeout": ["Duration"],
        ],
        "PagedRequest": ["paging": ["Paging"]],
    ]

    private static func properties(of protocols: Set<String>) -> [(key: String, value: [String])] {
        Array(properties) + protocols.sorted().flatMap { furtherProperties[$0].map(Array.init) ?? [] }
    }

    /// The name that a similar name of a member probably means; `nil` for a known name, and for one that is another
    /// word.
    ///
    /// The first letter must match, ignoring case: a name that differs there is usually another word. One letter in
    /// five may be wrong. `header`, `methods` and `encoded` are ordinary words as well: such a property is reported
    /// only if it has the type that is written for the known name, and such a nested type is not.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - kind: The member's kind.
    ///   - type: The short name of a property's type; `nil` if it is unknown.
    ///   - protocols: The request's protocols, of which those of ``furtherProperties`` count.
    /// - Returns: The known name.
    static func meant(
        by name: String,
        _ kind: MisspelledName.Kind,
        type: String?,
        of protocols: Set<String> = [],
    ) -> String? {
        let properties = properties(of: protocols)
        if kind == .staticProperty { return properties.contains { $0.key == name } ? name : nil }
        let known = kind == .property ? properties.map(\.key) : associatedTypes
        guard let first = name.utf8.first, !known.contains(name) else { return nil }
        return known.first { candidate in
            let mistakesMax = min(max((candidate.utf8.count + 1) / 5, 1), 3)
            guard ASCII.lowercased(candidate.utf8[candidate.utf8.startIndex]) == ASCII.lowercased(first),
                let mistakes = Spelling.mistakes(in: name, for: candidate, max: mistakesMax)
            else { return false }
            if isSlip(name, for: candidate, mistakes) { return true }
            // A short name is near to too many words: `path` to `patch`, `body` to `boy`.
            if candidate.utf8.count < 5 { return false }
            switch kind {
            case .typealias: return true
            case .type: return name != candidate + "s" && name + "s" != candidate
            case .property:
                let endings = properties.first { $0.key == candidate }?.value ?? []
                return type.map { isPlausible($0, endings) } ?? false
            case .staticProperty, .function, .body: return false
            }
        }
    }

    /// Whether a name is no other word: it differs in case, or by a letter that is swapped or doubled.
    private static func isSlip(_ name: String, for candidate: String, _ mistakes: Int) -> Bool {
        let (name, candidate) = (name.lowercased(), candidate.lowercased())
        return mistakes == 0 || mistakes == 1 && Set(name) == Set(candidate) && name != candidate + "s"
    }

    private static func isPlausible(_ type: String, _ endings: [String]) -> Bool {
        var type = type[...]
        while type.last == "?" { type.removeLast() }
        let generic = type.prefix { $0 != "<" }
        return endings.contains { ending in
            if ending == dictionary { return type.first == "[" && type.contains(":") }
            return type.hasSuffix(ending) || generic.hasSuffix(ending)
        }
    }
}

/// Finds misspelled names in requests, and in the protocols of services.
///
/// A name is left alone if the type also has the known one: then it means something else. So is the property that
/// another protocol requires.
struct NearMissFinder {
    let symbols: SymbolIndex
    /// The requests.
    let types: [ConstType]
    /// The source files that are listed, with their modules.
    let sources: [String: String]

    private static let propertyKind = "swift.property"
    private static let staticPropertyKind = "swift.type.property"
    private static let kinds = SymbolIndex.typeKinds.union(["swift.typealias", propertyKind, staticPropertyKind])

    func found() -> [MisspelledName] {
        let members = symbols.membersOfRequests(Self.kinds)
        let names = Dictionary(grouping: members, by: \.owner.identifier).mapValues { members in
            Set(members.compactMap(\.member.path.last))
        }
        return types.flatMap { misspelledProperties(of: $0, names) }
            + members.compactMap { member, owner in
                misspelled(member, of: owner, names[owner.identifier] ?? [])
                    ?? staticProperty(member, of: owner, members)
            }
    }

    /// An alias or a type in a request or protocol, or a property of a protocol.
    private func misspelled(
        _ member: SymbolGraph.Symbol,
        of owner: SymbolGraph.Symbol,
        _ names: Set<String>,
    ) -> MisspelledName? {
        let kind: MisspelledName.Kind
        switch member.kind {
        case "swift.typealias": kind = .typealias
        // The compiler's constant values have the properties of types, of private ones as well.
        case Self.propertyKind where owner.kind != "swift.protocol", Self.staticPropertyKind: return nil
        case Self.propertyKind: kind = .property
        default: kind = .type
        }
        guard let name = member.path.last, let location = member.location, sources[location.file] != nil,
            let meant = RequestName.meant(
                by: name,
                kind,
                type: Self.type(in: member.declaration),
                of: symbols.libraryProtocols(of: owner),
            ),
            !names.contains(meant)
        else { return nil }
        return MisspelledName(
            kind: kind,
            name: name,
            meant: meant,
            type: member.path.dropLast().joined(separator: "."),
            file: location.file,
            line: location.line,
        )
    }

    /// A static property in an extension of a service's protocol, unless a property of the same name may use it.
    private func staticProperty(
        _ member: SymbolGraph.Symbol,
        of owner: SymbolGraph.Symbol,
        _ members: [(member: SymbolGraph.Symbol, owner: SymbolGraph.Symbol)],
    ) -> MisspelledName? {
        // A static requirement is there to be used.
        guard member.kind == Self.staticPropertyKind, owner.kind == "swift.protocol", member.extendedModule != nil,
            let name = member.path.last, let location = member.location, sources[location.file] != nil,
            RequestName.meant(by: name, .staticProperty, type: nil, of: symbols.libraryProtocols(of: owner)) != nil
        else { return nil }
        let protocols = symbols.protocols(of: owner)
        let isRequired = members.contains { other in
            other.member.path.last == name && other.member.identifier != member.identifier
                && (protocols.contains(other.owner.identifier) || other.owner.identifier == owner.identifier)
        }
        let isUsed = types.contains { type in
            guard let symbol = symbols.symbol(of: type) else { return false }
            return symbols.protocols(of: symbol).contains(owner.identifier)
                && type.properties.contains { $0.name == name && !$0.isStatic }
        }
        guard !isRequired, !isUsed else { return nil }
        return MisspelledName(
            kind: .staticProperty,
            name: name,
            meant: name,
            type: member.path.dropLast().joined(separator: "."),
            file: location.file,
            line: location.line,
        )
    }

    private func misspelledProperties(of type: ConstType, _ names: [String: Set<String>]) -> [MisspelledName] {
        let own = Set(type.properties.filter { !$0.isStatic }.map(\.name))
        let symbol = symbols.symbol(of: type)
        let required = symbol.map(symbols.protocols)?.compactMap { names[$0] } ?? []
        let path = symbol?.path ?? Array(TypeName.components(of: type.name).dropFirst())
        let ofLibrary = Set(type.conformances.filter { $0.hasPrefix("Hikyaku.") }.map { String($0.dropFirst(8)) })
        return type.properties.compactMap { property in
            let short = TypeName(genericParametersOf: type.name).short(property.type)
            let kind: MisspelledName.Kind = property.isStatic ? .staticProperty : .property
            guard sources[property.file] != nil,
                let meant = RequestName.meant(by: property.name, kind, type: short, of: ofLibrary),
                !own.contains(meant),
                !required.contains(where: { $0.contains(property.name) })
            else { return nil }
            return MisspelledName(
                kind: kind,
                name: property.name,
                meant: meant,
                type: path.joined(separator: "."),
                file: property.file,
                line: property.line,
            )
        }
    }

    /// The type in `var name: Type { get }`; `nil` if there is none.
    private static func type(in declaration: String) -> String? {
        guard let colon = declaration.firstRange(of: ": ") else { return nil }
        return String(
            declaration[colon.upperBound...].prefix { $0 != "{" && $0 != "=" }.reversed().drop(while: \.isWhitespace)
                .reversed()
        )
    }
}
