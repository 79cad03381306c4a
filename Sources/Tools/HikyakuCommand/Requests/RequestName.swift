import HikyakuBase

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
        "timeouts": ["TransportTimeouts"],
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
            "streamTypes": ["Set<String>", "[String]"],
        ],
        "PagedRequest": ["paging": ["Paging"]],
    ]

    /// The names that other libraries have for a property, and how the types end that make it likely.
    ///
    /// If a type has one of the known names, it may use the other one there.
    private static let otherNames: KeyValuePairs<String, (known: [String], types: [String])> = [
        "httpMethod": (["method"], ["HTTPMethod"]),
        "queryItems": (["query", "parameters"], ["RequestQuery", dictionary, "[URLQueryItem]"]),
        "queryParameters": (["query", "parameters"], ["RequestQuery", dictionary, "[URLQueryItem]"]),
        "params": (["parameters", "query"], ["RequestQuery", dictionary]),
        "httpHeaders": (["headers"], ["HTTPHeaders", dictionary]),
        "headerFields": (["headers"], ["HTTPHeaders", dictionary]),
        "scopes": (["requiredScopes"], ["Set<String>"]),
        "timeoutInterval": (["timeout"], ["Duration", "Double", "TimeInterval"]),
        "httpBody": (["body"], ["RequestBody"]),
        "postBody": (["body"], ["RequestBody"]),
        "baseURL": (["environment"], ["APIEnvironment"]),
    ]

    /// The known names that a name of other libraries probably means, the most likely first.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - type: The short name of its type; `nil` if it is unknown.
    /// - Returns: The names; none if it is another word, or a property of another type.
    static func meant(byOtherName name: String, type: String?) -> [String] {
        guard let other = otherNames.first(where: { $0.key == name })?.value, let type else { return [] }
        return isPlausible(type, other.types) ? other.known : []
    }

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
            default: return false
            }
        }
    }

    /// Whether a name is not another word: it differs in case, or by a letter that is swapped or doubled.
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
