extension TypePlanner {
    // MARK: Objects

    func objectKind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        var names = memberNames(of: name)
        let owner = name.exact ?? name.name
        var properties: [PropertyPlan] = []
        for property in schema.properties {
            let value = merged(property.schema)
            var type = type(of: property.schema, named: name.appending(property.name, property.name))
            if !property.isRequired, type != .anything { type = type.asOptional }
            if type == .anything, !property.isRequired || allowsNull(property.schema) { type = .optional(.anything) }
            let text = options.renames["\(owner).\(property.name)"] ?? property.name
            properties.append(
                PropertyPlan(
                    name: names.take(text),
                    key: property.name,
                    type: type,
                    documentation: Documentation.line(property.schema.description ?? value.description),
                    isDeprecated: property.schema.isDeprecated,
                    isReadOnly: property.schema.isReadOnly || value.isReadOnly,
                    isWriteOnly: property.schema.isWriteOnly || value.isWriteOnly,
                )
            )
        }
        let others = othersType(of: schema, named: name)
        names.resolve(&properties)
        keep(names, of: id)
        return .object(
            properties,
            others: others.map { OthersPlan(name: names.free("additionalProperties"), type: $0) },
        )
    }

    // MARK: Values

    func isEnumeration(_ schema: Schema) -> Bool {
        rawType(of: schema) != nil
    }

    /// The type of the values, if all are texts or all are integers.
    private func rawType(of schema: Schema) -> String? {
        let values = (schema.values?.map(\.value) ?? schema.constant.map { [$0] } ?? []).filter { !$0.isNull }
        guard !values.isEmpty else { return nil }
        let types = schema.types.withoutNull
        if types.isEmpty || types == .string, values.allSatisfy({ $0.string != nil }) { return "String" }
        // YAML reads words such as `on` as other values.
        if types == .string, values.allSatisfy({ $0.scalarText != nil }) { return "String" }
        let areIntegers = values.allSatisfy { value in
            if case .number(let text) = value.content { Int(text) != nil } else { false }
        }
        return areIntegers && (types.isEmpty || types == .integer) ? "Int" : nil
    }

    func valuesKind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        let rawType = rawType(of: schema) ?? "String"
        let values = schema.values ?? schema.constant.map { [Schema.EnumValue(value: $0)] } ?? []
        var names = memberNames(of: name)
        var plans: [ValuePlan] = []
        for value in values {
            guard let text = value.value.scalarText else { continue }
            plans.append(
                ValuePlan(
                    name: names.take(value.name ?? text),
                    literal: rawType == "Int" ? text : SourceText.literal(text),
                    documentation: Documentation.line(value.description),
                )
            )
        }
        names.resolve(&plans)
        keep(names, of: id)
        return .values(rawType: rawType, plans)
    }

    // MARK: Unions

    func unionKind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        let discriminator = schema.discriminator
        var cases: [UnionCasePlan] = []
        var names = memberNames(of: name)
        for variant in variants(of: schema) {
            let whole = withMembers(of: schema, variant)
            let label = label(of: variant, whole)
            let type = type(of: whole, named: name.appending(label, variant.reference?.text ?? label)).withoutOptional
            if let index = cases.firstIndex(where: { $0.type == type }) {
                cases[index].tags += tags(of: variant, discriminator)
                continue
            }
            let target = resolved(whole)
            cases.append(
                UnionCasePlan(
                    name: names.take(label),
                    type: type,
                    tags: tags(of: variant, discriminator),
                    kind: jsonKind(of: type, target),
                    requiredKeys: (target.properties.filter(\.isRequired).map(\.name) + target.furtherRequired)
                        .sorted(),
                )
            )
        }
        names.resolve(&cases)
        keep(names, of: id)
        if cases.count == 1 { return .alias(cases[0].type) }
        // A text beside an open set of texts is one of its values.
        let texts = cases.filter { $0.kind == .string }
        if texts.count == cases.count, let set = texts.first(where: { $0.type.storedModel != nil }), texts.count == 2 {
            return .alias(set.type)
        }
        return .union(UnionPlan(discriminator: usableDiscriminator(of: schema, cases), cases: cases))
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

    private func usableDiscriminator(of schema: Schema, _ cases: [UnionCasePlan]) -> String? {
        guard let discriminator = schema.discriminator else { return nil }
        guard cases.allSatisfy({ !$0.tags.isEmpty && $0.kind == .object }) else {
            let message = "the discriminator \(discriminator.propertyName.quoted) doesn't tell all alternatives apart"
            findings.warn(
                .notGenerated,
                at: schema.origin.position,
                message,
                action: "alternatives are tried one after another",
            )
            return nil
        }
        return discriminator.propertyName
    }

    /// The texts of the discriminator for an alternative.
    private func tags(of variant: Schema, _ discriminator: Schema.Discriminator?) -> [String] {
        guard let discriminator else { return [] }
        let mapped = discriminator.mapping.filter { $0.key == variant.reference }.map(\.value)
        if !mapped.isEmpty { return mapped }
        let property = resolved(variant).properties.first { $0.name == discriminator.propertyName }
        if let schema = property.map({ resolved($0.schema) }) {
            let values = schema.values?.compactMap(\.value.scalarText) ?? schema.constant?.scalarText.map { [$0] } ?? []
            if values.count == 1 || !values.isEmpty && variant.reference == nil { return values }
        }
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

    private func label(of variant: Schema, _ whole: Schema) -> String {
        if let key = variant.reference, let named = document[key] { return options.renames[named.name] ?? named.name }
        if let title = variant.title, !title.isEmpty { return title }
        let schema = merged(variant)
        if let value = schema.constant?.scalarText { return value }
        if let values = schema.values, values.count == 1, let value = values[0].value.scalarText { return value }
        if schema.items != nil || schema.types.withoutNull == .array {
            return schema.items.map { resolved($0) }.flatMap(Self.typeLabel).map { $0 + "s" } ?? "array"
        }
        if let label = Self.typeLabel(schema) { return label }
        let required = schema.properties.first(where: \.isRequired) ?? schema.properties.first
        return required.map { "with " + $0.name } ?? "object"
    }

    private static func typeLabel(_ schema: Schema) -> String? {
        let types = schema.types.withoutNull
        if schema.values != nil { return "value" }
        if types == .string { return schema.format == "date-time" ? "date" : "text" }
        if types == .integer { return "integer" }
        if types == .number { return "number" }
        return types == .boolean ? "boolean" : nil
    }

    private func jsonKind(of type: SwiftType, _ schema: Schema) -> JSONKind? {
        switch type {
        case .array: return .array
        case .dictionary: return .object
        case .optional(let type): return jsonKind(of: type, schema)
        case .standard(let name):
            switch name {
            case "Int", "Int64", "Double", "Float", "Decimal": return .number
            case "Bool": return .boolean
            case "JSONValue": return nil
            default: return .string
            }
        case .model(let id):
            switch plans[id]?.kind {
            case .values(let rawType, _): return rawType == "Int" ? .number : .string
            case .object: return .object
            case .alias, .union, nil: return schema.properties.isEmpty ? nil : .object
            }
        }
    }
}
