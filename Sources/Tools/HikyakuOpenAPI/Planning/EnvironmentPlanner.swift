import HikyakuBase

/// Plans the places of a service.
struct EnvironmentPlanner {
    private let document: APIDocument
    private let options: GeneratorOptions
    private let findings: Findings
    private let apiName: String
    private let others: OtherNames

    init(
        _ document: APIDocument,
        _ options: GeneratorOptions,
        _ findings: Findings,
        _ apiName: String,
        _ others: OtherNames,
    ) {
        (self.document, self.options, self.findings, self.apiName) = (document, options, findings, apiName)
        self.others = others
    }

    func plans() -> [EnvironmentPlan] {
        let base = SwiftName.member(apiName)
        guard !document.servers.isEmpty else {
            let url = options.baseURL ?? "https://localhost"
            if options.baseURL == nil {
                let message = "the document has no server"
                findings.warn(
                    .invalidServer,
                    at: SourcePosition(),
                    message,
                    action: "the environment is \(url); use --base-url",
                )
            }
            return [EnvironmentPlan(name: base, url: [.text(url)], variables: [])]
        }
        let known = document.servers.map { others.name(of: $0.url, in: "servers") }
        var used = Set(known.compactMap(\.self))
        return document.servers.enumerated().map { index, server in
            if let name = known[index], known.firstIndex(of: name) == index { return plan(server, named: name) }
            var name = index == 0 ? base : base + SwiftName.part(server.name ?? server.description ?? server.url)
            if name.count > 50 || index > 0 && name == base { name = base + SwiftName.suffix(server.url) }
            if !used.insert(name).inserted {
                name = base + SwiftName.suffix(server.url)
                while !used.insert(name).inserted { name += "x" }
            }
            return plan(server, named: name)
        }
    }

    private func plan(_ server: Server, named name: String) -> EnvironmentPlan {
        others.keep(name, of: server.url, in: "servers")
        return plan(server, name)
    }

    /// The environments of operations that have servers of their own, with the server's plan for each.
    func plan(_ server: Server, _ name: String) -> EnvironmentPlan {
        var server = server
        if Self.isURL(Self.filled(String(server.url.prefix { $0 != "?" && $0 != "#" }), server)),
            !isUsable(server.url, server)
        {
            let message = "the server \(server.url.quoted) has a query or a fragment"
            findings.warn(.invalidServer, at: server.position, message, action: "it is left out")
            server.url = String(server.url.prefix { $0 != "?" && $0 != "#" })
        }
        let text = absolute(server)
        var plan = EnvironmentPlan(name: name, url: [.text(text)], variables: [])
        plan.documentation = Documentation.line(server.description)
        guard isUsable(text, server) else {
            let message = "the server \(server.url.quoted) is not a URL of http or https"
            let url = options.baseURL ?? "https://localhost"
            findings.warn(.invalidServer, at: server.position, message, action: "the environment is \(url)")
            plan.url = [.text(url)]
            return plan
        }
        var names = others.members(of: "variables of \(server.url)")
        for variable in server.variables { _ = names.take(variable.name) }
        others.keep(names, of: "variables of \(server.url)")
        let pieces = Self.pieces(of: text)
        let places = Set(pieces.compactMap(\.name))
        var indexes: [String: Int] = [:]
        for (variable, label) in zip(server.variables, names.names()) {
            guard places.contains(variable.name), indexes[variable.name] == nil else { continue }
            indexes[variable.name] = plan.variables.count
            plan.variables.append(self.variable(variable, label, values(of: variable, server.url), name))
        }
        plan.url = pieces.map { piece in
            piece.name.flatMap { indexes[$0] }.map(EnvironmentPlan.URLPart.variable) ?? .text(piece.text)
        }
        return plan
    }

    // MARK: Variables

    private func variable(
        _ variable: Server.Variable,
        _ label: String,
        _ values: [ValuePlan],
        _ environment: String,
    ) -> EnvironmentPlan.Variable {
        let defaultName = values.first { $0.literal == "\(Literal(variable.defaultValue))" }?.name
        return EnvironmentPlan.Variable(
            name: label,
            type: values.isEmpty ? nil : SwiftName.type(environment) + SwiftName.part(label),
            values: values,
            defaultValue: defaultName.map { ".\(SwiftName.quoted($0))" } ?? "\(Literal(variable.defaultValue))",
            defaultText: variable.defaultValue,
            documentation: Documentation.line(variable.description),
        )
    }

    /// The allowed values, if the document gives them together with a default that is one of them.
    private func values(of variable: Server.Variable, _ url: String) -> [ValuePlan] {
        guard !variable.values.isEmpty, variable.values.contains(variable.defaultValue) else { return [] }
        let group = "values of \(variable.name) in \(url)"
        var (names, seen): (MemberNames, Set<String>) = (others.members(of: group), [])
        var plans: [ValuePlan] = []
        for value in variable.values where seen.insert(value).inserted {
            plans.append(ValuePlan(name: names.take(value), literal: "\(Literal(value))"))
        }
        names.resolve(&plans)
        others.keep(names, of: group)
        return plans
    }

    // MARK: URLs

    /// The URL with a host, from the base URL if it has none of its own.
    private func absolute(_ server: Server) -> String {
        // A variable may have the whole origin.
        guard !Self.filled(server.url, server).contains("://") else { return server.url }
        let base = options.baseURL ?? "https://localhost"
        let origin = base.hasSuffix("/") ? String(base.dropLast()) : base
        if server.url.hasPrefix("//") { return "https:" + server.url }
        let path = server.url.hasPrefix("./") ? String(server.url.dropFirst()) : server.url
        let text = path.isEmpty || path == "/" ? origin : origin + (path.hasPrefix("/") ? path : "/" + path)
        if options.baseURL == nil {
            let message = "the server \(server.url.quoted) has no host"
            let action = "the environment is \(text); use --base-url"
            findings.warn(.invalidServer, at: server.position, message, action: action)
        }
        return text
    }

    /// Whether an environment can have the URL, with the defaults of its variables.
    private func isUsable(_ text: String, _ server: Server) -> Bool {
        Self.isURL(Self.filled(text, server))
    }

    /// Whether a text is a URL of http or https that an environment can have.
    static func isURL(_ url: String) -> Bool {
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "http" || parts[0].lowercased() == "https" else {
            return false
        }
        return String(parts[1].prefix { $0 != "/" }).isURLAuthority
            && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"{}<>\"\\^`|?#@".utf8.contains($0) }
    }

    /// As many bytes as the values in a URL may have; with a brace that is left it is not a URL.
    private static let lengthMax = 16_384

    /// The URL with the defaults of its variables; one without a default is given by the caller.
    private static func filled(_ text: String, _ server: Server) -> String {
        let values = Dictionary(server.variables.map { ($0.name, $0.defaultValue) }) { first, _ in first }
        var left = lengthMax
        return pieces(of: text).map { piece in
            guard let name = piece.name, let value = values[name], value.utf8.count <= left else { return piece.text }
            left -= value.utf8.count
            return value.isEmpty ? "x" : value
        }.joined()
    }

    /// A text of a URL, or a name between braces.
    private struct Piece {
        var text: String
        /// The name of a variable, if it is one in braces.
        var name: String?
    }

    /// The URL in pieces, of which a value never becomes one: it would double the text again and again.
    private static func pieces(of url: String) -> [Piece] {
        var (pieces, rest): ([Piece], _) = ([], url.unicodeScalars[...])
        while let end = rest.firstIndex(of: "}") {
            let next = rest.index(after: end)
            if let start = rest[..<end].lastIndex(of: "{") {
                if start > rest.startIndex { pieces.append(Piece(text: String(rest[..<start]))) }
                let name = String(rest[rest.index(after: start)..<end])
                pieces.append(Piece(text: String(rest[start..<next]), name: name))
            } else {
                pieces.append(Piece(text: String(rest[..<next])))
            }
            rest = rest[next...]
        }
        if !rest.isEmpty { pieces.append(Piece(text: String(rest))) }
        return pieces
    }
}

extension EnvironmentPlan {
    /// The URL with the defaults of the variables.
    var urlText: String {
        url.map { part in
            switch part {
            case .text(let text): text
            case .variable(let index): variables[index].defaultText
            }
        }.joined()
    }
}
