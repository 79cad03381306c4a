extension ModelRenderer {
    /// Writes a struct as one writes it by hand, with what the compiler synthesizes.
    func renderCodable(_ type: TypePlan, _ properties: [PropertyPlan], to text: inout SourceText) {
        text.gap()
        text.document(
            type.documentation ?? publicly("The type `\(type.name)` of the API."),
            isDeprecated: type.isDeprecated,
        )
        let identity: Code = isIdentifiable(properties) ? ", Identifiable" : ""
        let conformances: Code = "APIModel, Codable, Hashable\(identity)"
        text.block("\(access)struct \(SwiftName.bare(type.name)): \(conformances)") { text in
            for property in properties { renderProperty(property, &text) }
            if properties.contains(where: { $0.name != $0.key }) { renderKeys(properties, &text) }
            if options.access != .internal { renderInit(properties, nil, &text) }
        }
    }

    /// The keys of documents, those in a row that are the names themselves on one line.
    private func renderKeys(_ properties: [PropertyPlan], _ text: inout SourceText) {
        text.gap()
        text.block("private enum CodingKeys: String, CodingKey") { text in
            var line: Code = ""
            func flush(_ text: inout SourceText) {
                if !line.isEmpty { text.line(line) }
                line = ""
            }
            for property in properties {
                let name: Code = "\(SwiftName.quoted(property.name))"
                if property.name != property.key {
                    flush(&text)
                    text.line("case \(name) = \(Literal(property.key))")
                } else if line.isEmpty || line.utf8Count + name.utf8Count + 3 > text.width {
                    flush(&text)
                    line = "case \(name)"
                } else {
                    line = "\(line), \(name)"
                }
            }
            flush(&text)
        }
    }
}

extension Plan {
    /// The ids of types that must read themselves: choices, boxes and tuples, and all that these contain.
    var directTypes: Set<String> {
        var direct: Set<String> = []
        let byID = Dictionary(types.map { ($0.id, $0) }) { first, _ in first }
        var open = types.filter(\.mustBeDirect).map(\.id)
        while let id = open.popLast() {
            guard direct.insert(id).inserted, let type = byID[id] else { continue }
            open += type.usedTypes.flatMap(\.models)
        }
        return direct
    }

    /// The types in the order in which one reads them: from those that something begins with to those inside.
    func readingOrder(from first: [String]) -> [TypePlan] {
        let byID = Dictionary(types.map { ($0.id, $0) }) { first, _ in first }
        var order: [TypePlan] = []
        var seen: Set<String> = []
        func visit(_ start: String) {
            var open = [start]
            while let id = open.popLast() {
                guard seen.insert(id).inserted, let type = byID[id] else { continue }
                order.append(type)
                open += type.usedTypes.flatMap(\.models).reversed()
            }
        }
        for id in first { visit(id) }
        for type in types { visit(type.id) }
        return order
    }
}

extension TypePlan {
    /// The types of properties, cases and elements.
    var usedTypes: [SwiftType] {
        switch kind {
        case .object(let properties, let others): properties.map(\.type) + [others?.type].compactMap(\.self)
        case .tuple(let tuple): tuple.elements.map(\.type) + [tuple.others?.type].compactMap(\.self)
        case .union(let union): union.cases.map(\.type)
        case .alias(let type): [type]
        case .values: []
        }
    }

    fileprivate var mustBeDirect: Bool {
        switch kind {
        case .object(let properties, let others):
            others != nil || properties.contains { $0.isBoxed || $0.hasNoDefault || $0.isDefaulted }
        case .tuple, .union: true
        case .alias, .values: false
        }
    }
}
