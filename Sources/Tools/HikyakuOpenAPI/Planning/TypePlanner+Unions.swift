import HikyakuJSON

extension TypePlanner {
    // MARK: Unions

    func unionKind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        let variants = variants(of: schema)
        if let merged = mergedValues(of: variants, id: id, named: name) { return merged }
        var discriminator = schema.discriminator
        if discriminator == nil { discriminator = impliedDiscriminator(of: variants) }
        var cases: [UnionCasePlan] = []
        var names = memberNames(of: name, reserved: ["unknown", "isUnknown"])
        let alternatives = variants.map { alternative($0, discriminator) }
        let called = AlternativeTexts(alternatives, known: names.history)
        for (index, variant) in variants.enumerated() {
            let (label, text) = (called.labels[index], called.texts[index])
            let whole = withMembers(of: schema, variant)
            let wish = name.appending(label, variant.reference?.text ?? label, variant.reference?.text ?? text)
            let type = type(of: whole, named: wish).withoutOptional
            let tags = tags(of: variant, discriminator)
            guard takeMembers(tags, besides: 1, at: schema) else { return .alias(.anything) }
            if let index = cases.firstIndex(where: { $0.type == type }) {
                cases[index].tags += tags
                continue
            }
            let target = resolved(whole)
            var item = UnionCasePlan(
                name: names.take(text, spelled: label),
                type: type,
                tags: tags,
                kind: jsonKind(of: type, target),
            )
            item.requiredKeys = (target.properties.filter(\.isRequired).map(\.name) + target.furtherRequired).sorted()
            item.keys = target.properties.map(\.name)
            for property in target.properties where property.isRequired {
                let texts = fixedTexts(of: property.schema)
                let isText = resolved(property.schema).types.withoutNull == .string
                if texts.count == 1, isText { item.fixedTexts[property.name] = texts[0] }
            }
            item.isFallback = variant.reference != nil && variant.reference == schema.discriminator?.defaultMapping
            cases.append(item)
        }
        names.resolve(&cases)
        keep(names, of: id)
        removeUnreachable(&cases)
        if cases.count == 1 { return .alias(cases[0].type) }
        // A text beside an open set of texts is one of its values.
        let texts = cases.filter { $0.kind == .string }
        if texts.count == cases.count, let set = texts.first(where: { $0.type.storedModel != nil }), texts.count == 2,
            texts.contains(where: { $0.type == .text })
        {
            return .alias(set.type)
        }
        var plan = UnionPlan(discriminator: usable(discriminator, of: schema, &cases), cases: cases)
        for index in plan.cases.indices {
            let item = plan.cases[index]
            guard let key = plan.discriminator, schema.discriminator != nil, item.kind == .object, !item.isFallback,
                !item.keys.contains(key), case .model = item.type
            else { continue }
            plan.cases[index].writtenTag = item.tags.first
        }
        plan.hasLiteralTags = plan.discriminator.map { hasLiterals($0, variants) } ?? false
        return .union(plan)
    }

    /// Leaves out alternatives of which another one reads every value: an open set of texts is any text.
    private func removeUnreachable(_ cases: inout [UnionCasePlan]) {
        func isSet(_ type: SwiftType, of raw: Code) -> Bool {
            guard case .model(let id) = type, case .values(raw, _) = plans[id]?.kind else { return false }
            return options.closedEnums.isEmpty
        }
        if cases.contains(where: { isSet($0.type, of: "String") }) { cases.removeAll { $0.type == .text } }
        if cases.contains(where: { isSet($0.type, of: "Int") }) { cases.removeAll { $0.type == .standard("Int") } }
        guard let large = cases.firstIndex(where: { $0.type == .standard("Int64") }) else { return }
        guard let small = cases.firstIndex(where: { $0.type == .standard("Int") }) else { return }
        // The smaller one is tried first, and what it can't hold would be another case.
        cases[min(small, large)].type = .standard("Int64")
        cases.remove(at: max(small, large))
    }

    /// One set of all values, if the alternatives are nothing but sets of values: no text would be of the second one.
    private func mergedValues(of variants: [Schema], id: String, named name: NameWish) -> TypePlan.Kind? {
        let sets = variants.map { resolved($0) }
        guard let first = sets.first, first.values != nil, sets.allSatisfy(isEnumeration) else { return nil }
        guard sets.allSatisfy({ $0.types.withoutNull == first.types.withoutNull }) else { return nil }
        var whole = first
        var seen: Set<JSONValue> = []
        whole.values = sets.flatMap { set in
            set.values ?? set.constant.map { [Schema.EnumValue(value: $0)] } ?? []
        }.filter { seen.insert($0.value.jsonValue).inserted }
        guard takeMembers(whole.memberTexts, at: whole) else { return .alias(.anything) }
        return valuesKind(of: whole, id: id, named: name)
    }

    /// The property by whose value objects can be distinguished, if the document doesn't name one: each alternative has
    /// texts of its own for it.
    private func impliedDiscriminator(of variants: [Schema]) -> Schema.Discriminator? {
        let objects = objects(of: variants)
        guard objects.count > 1, let first = objects.first else { return nil }
        let candidates = first.properties.filter(\.isRequired).map(\.name).sorted()
        let found = candidates.first { name in
            var seen: Set<String> = []
            return objects.allSatisfy { object in
                guard step(1 + object.properties.count / 8, at: object) else { return false }
                guard let property = object.properties.first(where: { $0.name == name }), property.isRequired else {
                    return false
                }
                let texts = fixedTexts(of: property.schema)
                return !texts.isEmpty && texts.allSatisfy { seen.insert($0).inserted }
            }
        }
        return found.map { Schema.Discriminator(propertyName: $0, mapping: [], defaultMapping: nil, isImplied: true) }
    }

    /// The alternatives that are objects, and those of alternatives that are choices themselves.
    private func objects(of variants: [Schema]) -> [Schema] {
        var seen: Set<String> = []
        return objects(of: variants, &seen, 0)
    }

    private func objects(of variants: [Schema], _ seen: inout Set<String>, _ depth: Int) -> [Schema] {
        variants.flatMap { variant -> [Schema] in
            guard depth < Self.choicesMax, step(at: variant) else { return [] }
            let schema = resolved(variant)
            let inner = self.variants(of: schema)
            if inner.count > 1 {
                // Choices that refer to each other have very many paths.
                return seen.insert(schema.origin.pointer).inserted ? objects(of: inner, &seen, depth + 1) : []
            }
            return schema.properties.isEmpty ? [] : [schema]
        }
    }

    /// The texts that a schema allows, if it doesn't allow others.
    private func fixedTexts(of schema: Schema) -> [String] {
        let schema = resolved(schema)
        var texts: [String] = []
        guard step(schema.values?.count ?? 1, at: schema) else { return [] }
        for value in schema.values?.map(\.value) ?? schema.constant.map({ [$0] }) ?? [] {
            guard let text = Self.literalText(value) else { return [] }
            texts.append(text)
        }
        return texts
    }

    /// The text by which a constant is compared.
    private static func literalText(_ value: DocumentNode) -> String? {
        switch value.content {
        case .string(let text): text
        case .number: value.number?.int.map { String($0) }
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Whether a discriminator isn't always a string.
    private func hasLiterals(_ name: String, _ variants: [Schema]) -> Bool {
        variants.contains { variant in
            let property = resolved(variant).properties.first { $0.name == name }
            guard let types = property.map({ resolved($0.schema).types.withoutNull }) else { return false }
            return !types.intersection([.integer, .number, .boolean]).isEmpty
        }
    }

    /// The alternative with what the schema has beside its alternatives: members, and further choices.
    private func withMembers(of schema: Schema, _ variant: Schema) -> Schema {
        let target = resolved(variant)
        let types = target.types.withoutNull
        guard types.isEmpty || types.contains(.object), !variant.isNull else { return variant }
        let known = Set(target.properties.map(\.name))
        var isOpen = !schema.patternProperties.isEmpty
        if case .schema = schema.additionalProperties { isOpen = true }
        let hasMembers = schema.properties.contains { !known.contains($0.name) }
        guard hasMembers || isOpen || choices(of: schema).count > 1 else { return variant }
        var base = schema
        base.discriminator = nil
        if schema.oneOf.isEmpty { base.anyOf = [] } else { base.oneOf = [] }
        var whole = Schema(origin: variant.origin)
        // Two choices that both apply share alternatives, and make different types of them.
        whole.origin.pointer = "\(schema.origin.pointer)/whole\(variant.origin.pointer)"
        whole.allOf = [base, variant]
        whole.title = variant.title
        // Choices inside of choices have as many combinations as both together.
        let count = (combinations[schema.origin.pointer] ?? 1) * variants(of: schema).count
        combinations[whole.origin.pointer] = min(count, Self.combinationsMax)
        return whole
    }

    /// How many alternatives each choice has that applies to a schema, apart from null.
    private func choices(of schema: Schema) -> [Int] {
        let parts = [schema.oneOf, schema.anyOf] + schema.allOf.flatMap { [$0.oneOf, $0.anyOf] }
        return parts.map { part in part.count { !$0.isNull } }.filter { $0 > 0 }
    }

    /// How many types choices that apply to one schema make together: more is a list of all their pairs.
    private static let pairsMax = 64
    /// How many types choices inside of choices make together, each of which is a type of its own.
    private static let combinationsMax = 1_024
    /// How deep the choices in choices are whose objects are distinguished by one property.
    private static let choicesMax = 32

    /// The limit that is exceeded if choices that all apply make more types together than anyone would want.
    func exceededCombinations(of schema: Schema) -> Int? {
        let choices = choices(of: schema)
        let outer = combinations[schema.origin.pointer] ?? 1
        guard choices.count > 1 || outer > 1 else { return nil }
        var count = 1
        for alternatives in choices {
            count *= alternatives
            if choices.count > 1 && count > Self.pairsMax { return Self.pairsMax }
            if outer * count > Self.combinationsMax { return Self.combinationsMax }
        }
        return nil
    }

    /// The key of the discriminator, if it distinguishes any alternative; the others are tried one after another.
    private func usable(
        _ discriminator: Schema.Discriminator?,
        of schema: Schema,
        _ cases: inout [UnionCasePlan],
    ) -> String? {
        guard let discriminator else { return nil }
        for index in cases.indices {
            var seen: Set<String> = []
            let isObject = cases[index].kind == .object || cases[index].kind == nil
            cases[index].tags = isObject ? cases[index].tags.filter { seen.insert($0).inserted } : []
        }
        let unknown = cases.filter { $0.tags.isEmpty && !$0.isFallback && $0.kind == .object }
        if !unknown.isEmpty, schema.discriminator != nil {
            findings.warn(
                .notGenerated,
                at: schema.origin.position,
                "the discriminator \(discriminator.propertyName.quoted) doesn't distinguish all alternatives",
                action: "the others are tried one after another",
            )
        }
        return cases.allSatisfy(\.tags.isEmpty) ? nil : discriminator.propertyName
    }

    /// The texts of the discriminator for an alternative.
    private func tags(of variant: Schema, _ discriminator: Schema.Discriminator?) -> [String] {
        var seen: Set<String> = []
        return tags(of: variant, discriminator, &seen, 0)
    }

    private func tags(
        of variant: Schema,
        _ discriminator: Schema.Discriminator?,
        _ seen: inout Set<String>,
        _ depth: Int,
    ) -> [String] {
        guard let discriminator, depth < Self.choicesMax, step(at: variant) else { return [] }
        let mapped = discriminator.mapping.filter { $0.key == variant.reference }.map(\.value)
        if !mapped.isEmpty { return mapped }
        let target = resolved(variant)
        if let property = target.properties.first(where: { $0.name == discriminator.propertyName }) {
            let texts = fixedTexts(of: property.schema)
            if texts.count == 1 || !texts.isEmpty && (variant.reference == nil || discriminator.mapping.isEmpty) {
                return texts
            }
        }
        // An alternative may be a choice among others itself.
        let inner = variants(of: target)
        if inner.count > 1 {
            var own = target.discriminator ?? discriminator
            if own.propertyName != discriminator.propertyName { own = discriminator }
            guard seen.insert(target.origin.pointer).inserted else { return [] }
            return inner.flatMap { tags(of: $0, own, &seen, depth + 1) }
        }
        // A document that names no discriminator doesn't mean that its texts are names of schemas.
        guard !discriminator.isImplied else { return [] }
        return variant.reference.flatMap { document[$0]?.name }.map { [$0] } ?? []
    }

    /// The schema without references and with its parts merged.
    func resolved(_ schema: Schema) -> Schema {
        var schema = merged(schema)
        var steps = 0
        while let key = schema.reference, let target = document[key]?.schema, steps < 32, step(at: schema) {
            schema = merged(target)
            steps += 1
        }
        return schema
    }

    /// What an alternative is called by itself, so that a further one doesn't rename it.
    private func alternative(
        _ variant: Schema,
        _ discriminator: Schema.Discriminator?,
    ) -> AlternativeTexts.Alternative {
        if let key = variant.reference, let named = document[key] {
            return .init(label: renamed(named.name) ?? named.name)
        }
        let schema = merged(variant)
        func object(_ label: String, isVague: Bool = false) -> AlternativeTexts.Alternative {
            let details = schema.properties.map(detail)
            return .init(label: label, keys: schema.properties.map(\.name), details: details, isVague: isVague)
        }
        // The name of a type as a title says less than what is looked up below.
        if let title = variant.title, !title.isEmpty, !SchemaTypes.names.contains(where: { $0.name == title }) {
            return object(title)
        }
        if let label = fixedLabel(of: variant, discriminator) { return object(label) }
        if let value = schema.constant?.scalarText { return .init(label: value) }
        if let values = schema.values, values.count == 1, let value = values[0].value.scalarText {
            return .init(label: value)
        }
        if schema.items != nil || schema.types.withoutNull == .array { return list(of: schema) }
        if let label = typeLabel(schema) { return .init(label: label) }
        if schema.isUnrestricted { return .init(label: "anything") }
        let shown = schema.properties.first(where: \.isRequired) ?? schema.properties.first
        return object(shown.map { "with " + $0.name } ?? "object", isVague: true)
    }

    /// A property with what its value is.
    private func detail(of property: Schema.Property) -> String {
        let texts = fixedTexts(of: property.schema).prefix(2)
        guard texts.isEmpty else { return property.name + " " + texts.joined(separator: " ") }
        let schema = resolved(property.schema)
        if let items = schema.items { return property.name + " " + (typeLabel(resolved(items)) ?? "object") + "s" }
        return property.name + " " + (typeLabel(schema) ?? "object")
    }

    private func list(of schema: Schema, _ depth: Int = 0) -> AlternativeTexts.Alternative {
        // A list may be one of itself.
        guard let items = schema.items, depth < 16 else { return .init(label: "array") }
        if let key = items.reference, let named = document[key] {
            return .init(label: (renamed(named.name) ?? named.name) + " list")
        }
        let element = resolved(items)
        if let label = typeLabel(element) { return .init(label: label == "data" ? "data list" : label + "s") }
        if element.items != nil {
            let inner = list(of: element, depth + 1)
            let label = inner.label == "array" ? "arrays" : "lists of " + inner.label
            return .init(label: label, keys: inner.keys, details: inner.details, isVague: inner.isVague)
        }
        let details = element.properties.map(detail)
        return .init(label: "array", keys: element.properties.map(\.name), details: details, isVague: true)
    }

    /// The only text of a member that distinguishes the alternative from others.
    ///
    /// It depends on the alternative alone, so that a further one doesn't rename it.
    private func fixedLabel(of variant: Schema, _ discriminator: Schema.Discriminator?) -> String? {
        let properties = resolved(variant).properties
        let name = discriminator?.isImplied == false ? discriminator?.propertyName : nil
        let named = properties.filter { $0.name == name }
        for property in named + properties.filter(\.isRequired).sorted(by: { $0.name < $1.name }) {
            let texts = fixedTexts(of: property.schema)
            // A number or a boolean says nothing without the name.
            let isText = resolved(property.schema).types.withoutNull == .string
            if texts.count == 1 { return isText ? texts[0] : "\(property.name) \(texts[0])" }
        }
        return nil
    }

    /// What a value is that is neither an object nor a list, by the type of Swift that it becomes.
    private func typeLabel(_ schema: Schema) -> String? {
        let types = schema.types.withoutNull
        if schema.values != nil, types == .string { return "value" }
        if types == .string {
            guard case .standard(let name) = stringType(of: schema), name != "String" else { return "text" }
            return Self.typeLabels[name.text] ?? schema.format ?? "text"
        }
        let isUsual = schema.format.flatMap { options.typeMap[$0] } == nil
        if types == .integer { return isUsual ? "integer" : schema.format }
        if types == .number { return isUsual ? "number" : schema.format }
        return types == .boolean ? "boolean" : nil
    }

    private static let typeLabels = [
        "Date": "date", "CalendarDate": "day", "UUID": "uuid", "URL": "url", "Data": "data",
        "Secret<String>": "secret",
    ]

    func jsonKind(of type: SwiftType, _ schema: Schema) -> JSONKind? {
        switch type {
        case .array: return .array
        case .dictionary: return .object
        case .optional(let type): return jsonKind(of: type, schema)
        case .standard(let name):
            switch name {
            case "Int", "Int64", "UInt64", "Double", "Float", "Decimal": return .number
            case "Data", "Secret<String>": return .string
            case "Bool": return .boolean
            case "JSONValue": return nil
            default: return .string
            }
        case .model(let id):
            switch plans[id]?.kind {
            case .values(let rawType, _): return rawType == "Int" ? .number : .string
            case .object: return .object
            case .tuple: return .array
            case .alias, .union, nil: return schema.properties.isEmpty ? nil : .object
            }
        }
    }
}
