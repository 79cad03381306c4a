extension Normalizer {
    func servers(_ cursor: Cursor?) -> [Server] {
        list(cursor, "'servers'").compactMap { element in
            guard let element = object(element, "a server") else { return nil }
            guard let url = text(element["url"], "'url'") else {
                report(.invalidServer, element, "a server has no 'url'", action: "it is left out")
                return nil
            }
            return Server(
                url: url,
                name: text(element["name"], "'name'"),
                description: text(element["description"], "'description'"),
                variables: variables(of: url, element),
                extensions: extensions(of: element),
                position: element.position,
            )
        }
    }

    private func variables(of url: String, _ server: Cursor) -> [Server.Variable] {
        let declared = map(server["variables"], "'variables'")
        var names: Set<String> = []
        let variables = PathTemplate(url).variables.filter { names.insert($0).inserted }.map { name in
            guard let found = declared.first(where: { $0.key == name }) else {
                report(
                    .invalidServer,
                    server,
                    "the variable \(name.quoted) of the server's URL is not declared",
                    action: "its default is an empty text",
                )
                return Server.Variable(name: name, defaultValue: "", values: [], description: nil)
            }
            return variable(name, found.value)
        }
        for unused in declared where !names.contains(unused.key) {
            note(
                .invalidServer,
                unused.value,
                "the server's URL has no variable \(unused.key.quoted)",
                action: "it is ignored",
            )
        }
        return variables
    }

    private func variable(_ name: String, _ cursor: Cursor) -> Server.Variable {
        guard let cursor = object(cursor, "a variable") else {
            return Server.Variable(name: name, defaultValue: "", values: [], description: nil)
        }
        let values = texts(cursor["enum"], "'enum'")
        let defaultValue = text(cursor["default"], "'default'")
        if defaultValue == nil {
            report(
                .invalidServer,
                cursor,
                "the variable \(name.quoted) has no default",
                action: values.isEmpty ? "it is an empty text" : "it is the first allowed value",
            )
        } else if let defaultValue, !values.isEmpty, !values.contains(defaultValue) {
            note(
                .invalidServer,
                cursor,
                "the default \(defaultValue.quoted) is none of the allowed values",
                action: "it is kept",
            )
        }
        return Server.Variable(
            name: name,
            defaultValue: defaultValue ?? values.first ?? "",
            values: values,
            description: text(cursor["description"], "'description'"),
        )
    }

    /// The servers of 2.0, one for each of `schemes`.
    func serversOfSwagger() -> [Server] {
        let path = text(root["basePath"], "'basePath'") ?? ""
        guard let host = text(root["host"], "'host'"), !host.isEmpty else {
            return path.isEmpty || path == "/" ? [] : [server("/" + path.drop { $0 == "/" })]
        }
        let all = texts(root["schemes"], "'schemes'").map { $0.lowercased() }
        // The first one is what requests are sent to.
        let schemes = all.filter { $0 == "https" } + all.filter { $0 != "https" }
        let prefix = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        let base = path == "/" ? "" : path
        return (schemes.isEmpty ? ["https"] : schemes).map { server("\($0)://\(host)\(prefix)\(base)") }
    }

    private func server(_ url: String) -> Server {
        Server(url: url, variables: [], extensions: [], position: (root["host"] ?? root["basePath"] ?? root).position)
    }
}
