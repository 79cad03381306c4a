extension OperationPlanner {
    /// The typed fields of the successful responses, in the order of the document, without `Link`, which the library
    /// reads.
    func headerFields(of operation: APIOperation) -> [HeadersPlan.Field] {
        var fields: [HeadersPlan.Field] = []
        var names = MemberNames()
        for response in operation.responses {
            guard response.status.isSuccess || response.status == .default else {
                note(response)
                continue
            }
            if let link = response.headers.first(where: { $0.name.lowercased() == "link" }) {
                count(
                    "a response has the field 'Link'",
                    at: link.position,
                    action: "APIResponse.links has its targets",
                )
            }
            for header in response.headers where !isUnneeded(header) {
                guard !fields.contains(where: { $0.key.lowercased() == header.name.lowercased() }) else { continue }
                let text = header.description ?? header.schema.description
                fields.append(
                    HeadersPlan.Field(
                        name: names.take(header.name),
                        key: header.name,
                        type: type(of: header),
                        documentation: types.line(text),
                        isDeprecated: header.isDeprecated,
                    )
                )
            }
        }
        for (index, name) in zip(fields.indices, names.names()) { fields[index].name = name }
        return fields.sorted { $0.key < $1.key }
    }

    /// Whether a field is for the library, or for browsers.
    private func isUnneeded(_ header: ResponseHeader) -> Bool {
        let name = header.name.lowercased()
        guard name.hasPrefix("access-control-") else { return name == "link" }
        count("a response has fields for browsers", at: header.position, action: "APIResponse.headers has them")
        return true
    }

    private func note(_ response: APIResponseDescription) {
        guard !response.headers.isEmpty else { return }
        let names = response.headers.map(\.name).joined(separator: ", ")
        let message = "the response, which is not a success, has the fields \(names)"
        findings.add(.note, .notGenerated, at: response.position, message, action: "the error's response has them")
    }

    private func type(of header: ResponseHeader) -> SwiftType {
        let wish = NameWish(header.componentName ?? header.name, rank: 4).appending("Header", header.name)
        let type = withoutSecrets(types.type(of: header.schema, named: wish)).withoutOptional
        if header.content == nil, let readable = readable(type) { return readable }
        let message = "the field \(header.name.quoted) is not a text, number, date, enumeration or list of these"
        findings.add(.note, .notGenerated, at: header.position, message, action: "it is a text")
        return .text
    }

    /// The type, without typealiases, if it can be read from a field.
    private func readable(_ type: SwiftType, isElement: Bool = false, _ depth: Int = 0) -> SwiftType? {
        switch type {
        case .standard(let name):
            let known: Set<Code> = [
                "String", "Int", "Int32", "Int64", "Double", "Float", "Bool", "Decimal", "Date", "UUID", "URL",
            ]
            return known.contains(name) ? type : nil
        case .array(let element): return isElement ? nil : readable(element, isElement: true).map(SwiftType.array)
        case .model(let id):
            switch types.plans[id]?.kind {
            case .values: return type
            // A choice of nothing but itself is another name of itself.
            case .alias(let target) where depth < 16: return readable(target, isElement: isElement, depth + 1)
            default: return nil
            }
        case .dictionary, .optional: return nil
        }
    }
}

/// Names the types of responses' fields, of which operations share equal ones.
struct HeaderNames {
    private(set) var plans: [HeadersPlan] = []
    private let others: OtherNames

    init(_ others: OtherNames) {
        self.others = others
    }

    /// The name of the type with these fields; `nil` if there are none.
    mutating func name(of fields: [HeadersPlan.Field]) -> String? {
        guard !fields.isEmpty else { return nil }
        if let known = plans.first(where: { Self.isSame($0.fields, fields) }) { return known.name }
        let content = fields.map { "\($0.key) \($0.type)" }.joined(separator: " ")
        let name = others.name(of: content, in: "headers") ?? newName(of: fields, content)
        others.keep(name, of: content, in: "headers")
        plans.append(HeadersPlan(name: name, fields: fields))
        return name
    }

    private func newName(of fields: [HeadersPlan.Field], _ content: String) -> String {
        var name = Self.name(fields.map(\.key))
        if name.count > 60 { name = String(name.prefix(48)) + SwiftName.suffix(content) }
        name += "Headers"
        let isTaken = plans.contains { $0.name == name } || others.isTaken(name, in: "headers")
        return isTaken ? name + SwiftName.suffix(content) : name
    }

    private static func isSame(_ one: [HeadersPlan.Field], _ other: [HeadersPlan.Field]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0.key == $1.key && $0.type == $1.type }
    }

    /// What the fields have in common, and then what distinguishes them: `RateLimitRemainingReset`.
    private static func name(_ keys: [String]) -> String {
        var words = keys.map { key in SwiftName.words(of: key).map { $0.lowercased() } }
        for index in words.indices where words[index].count > 1 && words[index][0] == "x" { words[index].removeFirst() }
        var common: [String] = []
        while let first = words.first?.first, words.count > 1, words.allSatisfy({ $0.count > 1 && $0[0] == first }) {
            common.append(first)
            for index in words.indices { words[index].removeFirst() }
        }
        return SwiftName.type((common + words.flatMap(\.self)).joined(separator: " "))
    }
}
