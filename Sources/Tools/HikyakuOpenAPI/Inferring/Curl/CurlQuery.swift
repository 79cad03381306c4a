/// The items of a query or of a form, by name: what kind of values they have.
struct CurlQuery {
    /// In the order of the line.
    private var items: [(name: String, values: [String?])] = []
    /// The names of items with credentials.
    private(set) var credentials: [String] = []
    /// Whether an item is only a value, which may be secret.
    private(set) var hasNamelessValue = false

    init(_ items: [(name: String, value: String?)]) {
        for (name, value) in items {
            if Self.isNameless(name, value) {
                hasNamelessValue = true
            } else if CurlSecrets.isCredential(name, value) {
                if !credentials.contains(name) { credentials.append(name) }
                append(name, value, isCredential: true)
            } else {
                append(name, value, isCredential: false)
            }
        }
    }

    /// Whether an item is a value without a name: `?c2VjcmV0MTI=`, or a sentence.
    ///
    /// - Parameters:
    ///   - name: What is before the first `=`.
    ///   - value: What is after it; `nil` if there is none.
    /// - Returns: Whether the name says what the item is.
    static func isNameless(_ name: String, _ value: String?) -> Bool {
        // Base64 ends with up to two `=`.
        if value == "=" || SampleKey.isCode(name) { return true }
        // A word such as `hunter2` may be a flag as `acl` is.
        if value == nil, name.utf8.count >= 6, name.utf8.contains(where: { 0x30...0x39 ~= $0 }) { return true }
        guard value ?? "" == "" else { return false }
        let isValue = CurlSecrets.markedName(name) != nil || CurlSecrets.isValue(name)
        return name.utf8.count > 40 || name.has(" ") || isValue
    }

    private mutating func append(_ name: String, _ value: String?, isCredential: Bool) {
        if let index = items.firstIndex(where: { $0.name == name }) {
            items[index].values.append(value)
        } else {
            items.append((name, [value]))
        }
    }

    /// The parameters of a query, without credentials.
    var parameters: [Parameter] {
        items.filter { !credentials.contains($0.name) }.map { item in
            Self.parameter(item.name, .query, Self.list(item, at: "#/request/query/\(item.name)"))
        }
    }

    /// The members of a form; those with credentials are secrets.
    var formSchema: Schema {
        var schema = Schema(origin: SchemaOrigin(position: SourcePosition(), pointer: "#/request/form"))
        schema.types = .object
        schema.properties = items.map { item in
            let value = Self.list(item, at: "#/request/form/\(item.name)")
            return Schema.Property(name: item.name, isRequired: true, position: SourcePosition(), schema: value)
        }
        return schema
    }

    private static func list(_ item: (name: String, values: [String?]), at pointer: String) -> Schema {
        let value = schema(of: item.values, name: item.name, at: pointer)
        guard item.values.count > 1 || item.name.hasSuffix("[]") else { return value }
        var list = Schema(origin: SchemaOrigin(position: SourcePosition(), pointer: pointer + "/list"))
        (list.types, list.items) = (.array, value)
        return list
    }

    // MARK: Schemas

    /// The schema of texts that stand for values.
    static func schema(of texts: [String?], name: String, at pointer: String) -> Schema {
        var schema = Schema(origin: SchemaOrigin(position: SourcePosition(), pointer: pointer))
        (schema.types, schema.format) = type(of: texts.map { $0 ?? "" }, name: name)
        return schema
    }

    private static func type(of texts: [String], name: String) -> (SchemaTypes, String?) {
        if SampleKey.isSecret(name), !texts.contains("") || texts.count == 1 { return secret(texts, name) }
        if texts.allSatisfy({ $0 == "true" || $0 == "false" }) { return (.boolean, nil) }
        if texts.allSatisfy(isNumber), !isVersion(name) {
            var numbers = SampleNumbers()
            for text in texts { numbers.add(text) }
            if let type = numbers.type { return type }
        }
        var facts = SampleTexts()
        for text in texts { facts.add(text) }
        return (.string, facts.format)
    }

    private static func secret(_ texts: [String], _ name: String) -> (SchemaTypes, String?) {
        // A number is hardly a credential: `max_tokens=100`.
        texts.allSatisfy { isNumber($0) && $0.utf8.count < 6 } ? (.integer, nil) : (.string, "password")
    }

    /// Whether a text is a number that is written again in the same way.
    private static func isNumber(_ text: String) -> Bool {
        if let value = Int64(text) { return String(value) == text }
        let parts = text.parts(by: ".")
        guard parts.count == 2, let whole = Int64(parts[0]), !parts[1].isEmpty, parts[1].utf8.count <= 12 else {
            return false
        }
        let isZero = parts[0] == "0" || parts[0] == "-0"
        return (isZero || String(whole) == parts[0]) && parts[1].utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    private static func isVersion(_ name: String) -> Bool {
        let last = SwiftName.words(of: name).last?.lowercased() ?? ""
        return ["version", "v", "ver", "phone", "zip", "postcode", "pin"].contains(last)
    }

    static func parameter(_ name: String, _ location: Parameter.Location, _ schema: Schema) -> Parameter {
        Parameter(
            name: name,
            location: location,
            style: location == .query ? .form : .simple,
            isExploded: location == .query,
            allowsReserved: false,
            allowsEmptyValue: false,
            isRequired: location == .path,
            isDeprecated: false,
            schema: schema,
            examples: [],
            isImplied: false,
            extensions: [],
            position: SourcePosition(),
        )
    }
}

/// The header fields of a cURL line: credentials, constants, properties, and what others set.
struct CurlFields {
    /// The media type of the body; `nil` if the line has none.
    private(set) var contentType: String?
    /// The media type of the response.
    private(set) var acceptedType = "application/json"
    private(set) var constants: [(name: String, value: String)] = []
    private(set) var parameters: [Parameter] = []
    private(set) var notes: [CurlLine.Note] = []
    private var providers: [Code] = []

    /// The expression of a provider for all credentials; `nil` if there is none.
    var provider: Code? {
        switch providers.count {
        case 0: nil
        case 1: providers[0]
        default: ".all(\(providers.joined(separator: ", ")))"
        }
    }

    var providerCount: Int { providers.count }

    /// The media type of a response in JSON.
    var jsonType: String { MediaTypeName(acceptedType).kind == .json ? acceptedType : "application/json" }

    mutating func credential(_ provider: Code) {
        if !providers.contains(provider) { providers.append(provider) }
    }

    mutating func add(_ fields: [(name: String, value: String)]) {
        var automatic: [String] = []
        for (name, value) in fields {
            switch name.lowercased() {
            case "content-type":
                // A header field without a type may have anything, such as a token.
                let type = MediaTypeName(value)
                if type.isValid, !SampleKey.isCode(type.essence) { contentType = type.essence }
            case "accept": accept(value)
            default: break
            }
            guard Self.isName(name) else {
                notes.append(.init(message: "a header field has no valid name", action: "it is left out"))
                continue
            }
            switch CurlSecrets.kind(ofField: name, value) {
            case .credential(let provider):
                credential(provider)
                guard CurlSecrets.isComputed(value) else { continue }
                let message = "the credential of 'Authorization' is computed for each request"
                notes.append(.init(message: message, action: "make a RequestSigner, and authorize the client by it"))
            case .automatic where ["content-type", "accept", "content-length", "host"].contains(name.lowercased()):
                break
            case .automatic: automatic.append(name.lowercased())
            case .constant: constants.append((name, value))
            case .property(let isSecret): addProperty(name, isSecret: isSecret)
            }
        }
        guard !automatic.isEmpty else { return }
        let names = automatic.joined(separator: ", ")
        notes.append(.init(message: "fields that a client or a browser sets are left out: \(names)", action: ""))
    }

    private mutating func addProperty(_ name: String, isSecret: Bool) {
        guard !parameters.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
        var schema = Schema(origin: SchemaOrigin(position: SourcePosition(), pointer: "#/request/headers/\(name)"))
        schema.types = .string
        if isSecret { schema.format = "password" }
        parameters.append(CurlQuery.parameter(name, .header, schema))
    }

    /// Takes the first media type of `Accept`; browsers prefer pages, or anything.
    private mutating func accept(_ value: String) {
        let first = MediaTypeName(value.parts(by: ",").first?.parts(by: ";").first?.trimmedOfSpaces ?? "")
        guard first.isValid, !first.essence.has("*"), first.essence != "text/html", first.kind != .any else { return }
        acceptedType = first.essence
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 100
            && text.utf8.allSatisfy {
                0x41...0x5A ~= $0 & 0xDF || 0x30...0x39 ~= $0 || "-_.!#$%&'*+^`|~".utf8.contains($0)
            }
    }
}
