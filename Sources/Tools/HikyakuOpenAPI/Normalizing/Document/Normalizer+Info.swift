extension Normalizer {
    /// The version of OpenAPI, by `openapi` or `swagger`, or else by what the document has.
    func readVersion() -> APIDocument.Version {
        if let version = text(root["openapi"], "'openapi'") {
            if version.hasPrefix("3.0") || version == "3" { return .v3_0 }
            if version.hasPrefix("3.1") { return .v3_1 }
            if version.hasPrefix("3.2") { return .v3_2 }
            if version.hasPrefix("2.") { return .v2_0 }
            reportVersion(version, "3.2")
            return .v3_2
        }
        if let version = text(root["swagger"], "'swagger'") {
            if !version.hasPrefix("2") { reportVersion(version, "2.0") }
            return .v2_0
        }
        let guess: APIDocument.Version = root["definitions"] != nil || root["host"] != nil ? .v2_0 : .v3_1
        findings.add(
            .error,
            .unknownVersion,
            at: root.position,
            "the document has neither 'openapi' nor 'swagger'",
            action: "it is read as OpenAPI \(guess.rawValue)",
        )
        return guess
    }

    private func reportVersion(_ version: String, _ guess: String) {
        findings.warn(
            .unknownVersion,
            at: (root["openapi"] ?? root["swagger"] ?? root).position,
            "the version \(version.quoted) of OpenAPI is unknown",
            action: "it is read as \(guess)",
        )
    }

    func info(_ cursor: Cursor?) -> APIDocument.Info {
        guard let cursor = object(cursor, "'info'") else {
            report(.missingMember, root, "the document has no 'info'", action: "the API has no title")
            return APIDocument.Info(title: "", version: "")
        }
        var info = APIDocument.Info(
            title: text(cursor["title"], "'title'") ?? "",
            version: text(cursor["version"], "'version'") ?? "",
        )
        info.summary = text(cursor["summary"], "'summary'")
        info.description = text(cursor["description"], "'description'")
        info.termsOfService = text(cursor["termsOfService"], "'termsOfService'")
        info.licenseName = text(resolved(cursor["license"])?["name"], "'name'")
        info.extensions = extensions(of: cursor)
        countInfo(cursor)
        return info
    }

    /// The declared tags, and then those that operations use without a declaration.
    func tags(_ cursor: Cursor?) -> [Tag] {
        var tags: [Tag] = []
        var names: Set<String> = []
        for element in list(cursor, "'tags'") {
            guard let element = resolved(element), let tag = tag(element) else { continue }
            guard names.insert(tag.name).inserted else {
                report(
                    .duplicateKey,
                    element,
                    "the tag \(tag.name.quoted) is declared twice",
                    action: "the first one is used",
                )
                continue
            }
            tags.append(tag)
        }
        for name in usedTags where names.insert(name).inserted {
            tags.append(Tag(name: name, isDeclared: false, extensions: []))
        }
        return tags
    }

    private func tag(_ cursor: Cursor) -> Tag? {
        if let name = cursor.node.scalarText { return Tag(name: name, isDeclared: true, extensions: []) }
        guard cursor.node.object != nil, let name = text(cursor["name"], "'name'") else {
            report(.missingMember, cursor, "a tag has no name", action: "it is left out")
            return nil
        }
        countTag(cursor)
        return Tag(
            name: name,
            summary: text(cursor["summary"], "'summary'") ?? text(cursor["x-displayName"], "'x-displayName'"),
            description: text(cursor["description"], "'description'"),
            parent: text(cursor["parent"], "'parent'"),
            kind: text(cursor["kind"], "'kind'"),
            isDeclared: true,
            extensions: extensions(of: cursor),
        )
    }
}
