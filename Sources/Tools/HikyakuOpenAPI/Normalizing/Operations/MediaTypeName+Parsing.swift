import HikyakuBase

extension MediaTypeName {
    /// Reads a media type, whatever it is; ``isValid`` says whether it has the form of one.
    init(_ text: String) {
        let essence = (text.parts(by: ";").first ?? "").lowercased().filter { !$0.isWhitespace }
        self.init(text: text, essence: essence, kind: Self.kind(of: essence))
    }

    /// Whether type and subtype have the form of [RFC 6838](https://www.rfc-editor.org/rfc/rfc6838#section-4.2).
    var isValid: Bool {
        let parts = essence.parts(by: "/")
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isToken) }
    }

    /// Whether it is JSON that needs no further name: `application/json`, possibly with a charset, or a wildcard.
    var isUsualJSON: Bool {
        guard kind == .json, !text.contains("*") else { return kind == .json }
        let parameters = text.parts(by: ";").dropFirst().map { $0.lowercased().filter { !$0.isWhitespace } }
        return essence == "application/json" && parameters.allSatisfy { $0.hasPrefix("charset=") || $0.isEmpty }
    }

    /// Whether it says how a change is written, so that another one means something else by the same value.
    var isPatch: Bool { essence.contains("patch") }

    private static func kind(of essence: String) -> Kind {
        switch essence {
        case "*/*", "*": return .any
        case "application/x-www-form-urlencoded": return .form
        case "text/event-stream": return .eventStream
        case "application/jsonl", "application/x-jsonl", "application/json-lines", "application/jsonlines",
            "application/x-jsonlines", "application/ndjson", "application/x-ndjson", "application/stream+json",
            "application/x-json-stream", "text/jsonl", "text/ndjson":
            return .jsonLines
        case "application/yaml", "application/x-yaml", "application/javascript", "application/graphql",
            "application/toml":
            return .text
        default: break
        }
        let subtype = essence.parts(by: "/").last ?? ""
        if essence.hasPrefix("multipart/") { return .multipart }
        if subtype == "json" || subtype.hasSuffix("+json") || essence == "text/json" { return .json }
        if subtype == "xml" || subtype.hasSuffix("+xml") { return essence.hasPrefix("image/") ? .binary : .xml }
        if essence.hasPrefix("text/") { return .text }
        // A name such as `application/vnd.api.json` is not a media type of JSON, but it is hardly anything else.
        return essence.hasSuffix("json") ? .json : .binary
    }
}
