extension Normalizer {
    /// What the operations of a path share.
    struct PathContext {
        var path: PathTemplate
        var cursor: Cursor
        var parameters: [Parameter]
        var servers: [Server]
        var summary: String?
        var description: String?
        /// Whether variables of the path need parameters: not in webhooks and callbacks.
        var isCalled = true
    }

    func operations(ofPaths cursor: Cursor?) -> [APIOperation] {
        if cursor == nil, version == .v2_0 || version == .v3_0 {
            report(.missingMember, root, "the document has no 'paths'", action: "it has no operations")
        }
        var operations: [APIOperation] = []
        for (key, keyPosition, value) in map(cursor, "'paths'") where !key.hasPrefix("x-") {
            var path = PathTemplate(key)
            if !key.begins(with: "/") {
                let action = "a slash is added"
                findings.warn(
                    .invalidPath,
                    at: keyPosition,
                    "the path \(key.quoted) doesn't begin with a slash",
                    action: action,
                )
                path = PathTemplate("/" + key)
            }
            if path.hasLooseBraces {
                findings.warn(
                    .invalidPath,
                    at: keyPosition,
                    "the path \(key.quoted) has a brace without its counterpart",
                    action: "it is read as text",
                )
            }
            reportParts(of: key, at: keyPosition)
            if value.node.isNull {
                let message = "the path \(key.quoted) is empty"
                findings.warn(.missingMember, at: keyPosition, message, action: "it has no operations")
            }
            operations += self.operations(of: value, path)
        }
        counts.operations = operations.count
        return operations
    }

    /// Diagnoses what a path has that isn't sent as a part of it.
    private func reportParts(of path: String, at position: SourcePosition) {
        if path.has("#") {
            let message = "the path \(path.quoted) has a fragment, which is never sent"
            findings.warn(.invalidPath, at: position, message, action: "it is left out")
        }
        if path.has("?") {
            let message = "the path \(path.quoted) has a query"
            findings.add(.note, .invalidPath, at: position, message, action: "its items are always sent")
        }
        let segments = path.split(separator: "/")
        if segments.contains(".") || segments.contains("..") {
            let message = "the path \(path.quoted) has segments of dots"
            findings.warn(.invalidPath, at: position, message, action: "requests can't be sent to it")
        }
    }

    /// The operations of a path item.
    func operations(of item: Cursor, _ path: PathTemplate, isCalled: Bool = true) -> [APIOperation] {
        guard let cursor = object(item, "a path item") else { return [] }
        // Beside a reference, further members may add to the path item.
        let own = item.reference == nil ? [] : item.members.filter { $0.key != "$ref" }
        var context = PathContext(
            path: path,
            cursor: cursor,
            parameters: parameterList(cursor["parameters"])
                + (item.reference == nil ? [] : parameterList(item["parameters"])),
            servers: servers(cursor["servers"] ?? item["servers"]),
            summary: text(item["summary"] ?? cursor["summary"], "'summary'"),
            description: text(item["description"] ?? cursor["description"], "'description'"),
        )
        context.isCalled = isCalled
        var operations: [APIOperation] = []
        for (key, keyPosition, value) in cursor.members + own where !key.hasPrefix("x-") {
            if value.node.isNull, Self.methods[key.lowercased()] != nil {
                let message = "the operation \(key.quoted) is empty"
                findings.warn(.missingMember, at: keyPosition, message, action: "it is left out")
            } else if let method = Self.methods[key] {
                operations += operation(method, value, context).map { [$0] } ?? []
            } else if key == "additionalOperations" {
                for further in map(value, "'additionalOperations'") {
                    operations += operation(further.key, further.value, context).map { [$0] } ?? []
                }
            } else if let method = Self.methods[key.lowercased()] {
                let message = "the method \(key.quoted) is not in lower case"
                findings.warn(.unknownValue, at: keyPosition, message, action: "it is read as \(method)")
                operations += operation(method, value, context).map { [$0] } ?? []
            } else if !Self.itemMembers.contains(key) {
                let message = "a path item has no member \(key.quoted)"
                findings.add(.note, .ignoredMember, at: keyPosition, message, action: "it is ignored")
            }
        }
        return operations
    }

    private static let methods = Dictionary(
        uniqueKeysWithValues: [
            "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
        ].map { ($0, $0.uppercased()) }
    )

    private static let itemMembers: Set<String> = ["$ref", "summary", "description", "servers", "parameters"]

    func webhooks() -> [Webhook] {
        let members = map(root["webhooks"], "'webhooks'") + map(root["x-webhooks"], "'x-webhooks'")
        let webhooks = members.filter { !$0.key.hasPrefix("x-") }.map { name, _, value in
            Webhook(name: name, operations: operations(of: value, PathTemplate(""), isCalled: false))
        }
        counts.payloadOperations += webhooks.reduce(0) { $0 + $1.operations.count }
        return webhooks
    }

    func callbacks(_ cursor: Cursor?) -> [Callback] {
        guard depth < 3 else { return [] }
        depth += 1
        defer { depth -= 1 }
        return map(cursor, "'callbacks'").filter { !$0.key.hasPrefix("x-") }.flatMap { name, _, value in
            map(value, "a callback").filter { !$0.key.hasPrefix("x-") }.map { expression, _, item in
                let operations = operations(of: item, PathTemplate(expression), isCalled: false)
                counts.payloadOperations += operations.count
                return Callback(name: name, expression: expression, operations: operations)
            }
        }
    }
}
