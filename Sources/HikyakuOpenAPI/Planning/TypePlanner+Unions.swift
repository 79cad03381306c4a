import HikyakuJSON

extension TypePlanner {
    // MARK: Unions

    func unionKind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        let variants = variants(of: schema)
        if let merged = mergedValues(of: variants, id: id, named: name) { return merged }
        var discriminator = schema.discriminator
        if discriminator == nil { discriminator = impliedDiscriminator(of: variants) }
        var cases: [UnionCasePlan] = []
        var names = memberNames(of: name)
        for variant in variants {
            let whole = withMembers(of: schema, variant)
            let label = label(of: variant, whole, discriminator)
            let type = type(of: whole, named: name.appending(label, variant.reference?.text ?? label)).withoutOptional
            let tags = tags(of: variant, discriminator)
            if let index = cases.firstIndex(where: { $0.type == type }) {
                cases[index].tags += tags
                continue
            }
            let target = resolved(whole)
            var item = UnionCasePlan(
                name: names.take(label),
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
        if cases.count == 1 { return .alias(cases[0].type) }
        // A text beside an open set of texts is one of its values.
        let texts = cases.filter { $0.kind == .string }
        if texts.count == cases.count, let set = texts.first(where: { $0.type.storedModel != nil }), texts.count == 2,
            texts.contains(where: { $0.type == .text })
        {
            return .alias(set.type)
        }
        var plan = UnionPlan(discriminator: usable(discriminator, of: schema, &cases), cases: cases)
        plan.hasLiteralTags = plan.discriminator.map { hasLiterals($0, variants) } ?? false
        return .union(plan)
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
        return valuesKind(of: whole, id: id, named: name)
    }

    /// The property by whose value objects can be told apart, if the document doesn't name one: each alternative has
    /// texts of its own for it.
    private func impliedDiscriminator(of variants: [Schema]) -> Schema.Discriminator? {
        let objects = objects(of: variants)
        guard objects.count > 1, let first = objects.first else { return nil }
        let candidates = first.properties.filter(\.isRequired).map(\.name).sorted()
        let found = candidates.first { name in
            var seen: Set<String> = []
            return objects.allSatisfy { object in
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
        return objects(of: variants, &seen)
    }

    private func objects(of variants: [Schema], _ seen: inout Set<String>) -> [Schema] {
        variants.flatMap { variant in
            let schema = resolved(variant)
            let inner = self.variants(of: schema)
            if inner.count > 1 {
                // Choices that refer to each other have very many paths.
                return seen.insert(schema.origin.pointer).inserted ? objects(of: inner, &seen) : []
            }
            return schema.properties.isEmpty ? [] : [schema]
        }
    }

    /// The texts that a schema allows, if it doesn't allow others.
    private func fixedTexts(of schema: Schema) -> [String] {
        let schema = resolved(schema)
        var texts: [String] = []
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

    /// The alternative with the members that the schema has beside its alternatives.
    private func withMembers(of schema: Schema, _ variant: Schema) -> Schema {
        let known = Set(resolved(variant).properties.map(\.name))
        guard schema.properties.contains(where: { !known.contains($0.name) }) else { return variant }
        var base = schema
        (base.oneOf, base.anyOf, base.discriminator) = ([], [], nil)
        var whole = Schema(origin: variant.origin)
        whole.origin.pointer += "/whole"
        whole.allOf = [base, variant]
        whole.title = variant.title
        return whole
    }

    /// The key of the discriminator, if it tells any alternative apart; the others are tried one after another.
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
                "the discriminator \(discriminator.propertyName.quoted) doesn't tell all alternatives apart",
                action: "the others are tried one after another",
            )
        }
        return cases.allSatisfy(\.tags.isEmpty) ? nil : discriminator.propertyName
    }

    /// The texts of the discriminator for an alternative.
    private func tags(of variant: Schema, _ discriminator: Schema.Discriminator?) -> [String] {
        var seen: Set<String> = []
        return tags(of: variant, discriminator, &seen)
    }

    private func tags(
        of variant: Schema,
        _ discriminator: Schema.Discriminator?,
        _ seen: inout Set<String>,
    ) -> [String] {
        guard let discriminator else { return [] }
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
            return inner.flatMap { tags(of: $0, own, &seen) }
        }
        // A document that names no discriminator doesn't mean that its texts are names of schemas.
        guard !discriminator.isImplied else { return [] }
        return variant.reference.flatMap { document[$0]?.name }.map { [$0] } ?? []
    }

    /// The schema without references and with its parts merged.
    func resolved(_ schema: Schema) -> Schema {
        var schema = merged(schema)
        var steps = 0
        while let key = schema.reference, let target = document[key]?.schema, steps < 32 {
            schema = merged(target)
            steps += 1
        }
        return schema
    }

    private func label(of variant: Schema, _ whole: Schema, _ discriminator: Schema.Discriminator?) -> String {
        if let key = variant.reference, let named = document[key] { return options.renames[named.name] ?? named.name }
        if let title = variant.title, !title.isEmpty { return title }
        if let label = fixedLabel(of: variant, discriminator) { return label }
        let schema = merged(variant)
        if let value = schema.constant?.scalarText { return value }
        if let values = schema.values, values.count == 1, let value = values[0].value.scalarText { return value }
        if schema.items != nil || schema.types.withoutNull == .array {
            if let key = schema.items?.reference, let named = document[key] {
                return (options.renames[named.name] ?? named.name) + " list"
            }
            return schema.items.map { resolved($0) }.flatMap(Self.typeLabel).map { $0 + "s" } ?? "array"
        }
        if let label = Self.typeLabel(schema) { return label }
        if schema.isUnrestricted { return "anything" }
        let required = schema.properties.first(where: \.isRequired) ?? schema.properties.first
        return required.map { "with " + $0.name } ?? "object"
    }

    /// The only text of a member that tells the alternative from others.
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

    private static func typeLabel(_ schema: Schema) -> String? {
        let types = schema.types.withoutNull
        if schema.values != nil, types == .string { return "value" }
        if types == .string { return schema.format == "date-time" ? "date" : "text" }
        if types == .integer { return "integer" }
        if types == .number { return "number" }
        return types == .boolean ? "boolean" : nil
    }

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
