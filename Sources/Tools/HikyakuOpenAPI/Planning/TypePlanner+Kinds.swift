extension TypePlanner {
    // MARK: Objects

    func objectKind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        var names = memberNames(of: name)
        let owner = name.exact ?? name.name
        noteMembers(of: schema)
        var properties: [PropertyPlan] = []
        for property in schema.properties {
            let value = merged(property.schema)
            var type = type(of: property.schema, named: name.appending(property.name, property.name))
            if !property.isRequired, type != .anything { type = type.asOptional }
            if type == .anything, !property.isRequired || allowsNull(property.schema) { type = .optional(.anything) }
            let text = renamed("\(owner).\(property.name)") ?? property.name
            properties.append(
                PropertyPlan(
                    name: names.take(text),
                    key: property.name,
                    type: type,
                    documentation: line(property.schema.description ?? value.description),
                    isDeprecated: property.schema.isDeprecated,
                    isConstant: value.constant != nil,
                    isReadOnly: property.schema.isReadOnly || value.isReadOnly,
                    isWriteOnly: property.schema.isWriteOnly || value.isWriteOnly,
                    isRequired: property.isRequired,
                    allowsNull: allowsNull(property.schema),
                    defaultNode: defaultNode(of: property, value),
                )
            )
        }
        let others = othersType(of: schema, named: name)
        if others != nil { names.takeOthers("additionalProperties") }
        names.resolve(&properties)
        keep(names, of: id)
        for (index, property) in properties.enumerated() {
            guard let chosen = options.renames["\(owner).\(property.key)"].map(SwiftName.member) else { continue }
            guard chosen != property.name else { continue }
            let message = "the chosen name \(chosen.quoted) is that of another property"
            let position = schema.properties[index].position
            findings.warn(.unusedOption, at: position, message, action: "the property is called \(property.name)")
        }
        return .object(properties, others: others.map { OthersPlan(name: names.names().last ?? "", type: $0) })
    }

    /// Notes what a document says of members without declaring them as properties.
    private func noteMembers(of schema: Schema) {
        if !schema.furtherRequired.isEmpty {
            let names = schema.furtherRequired.prefix(5).map(\.quoted).joined(separator: ", ")
            let position = schema.origin.position
            let message = "members are required that are not properties: \(names)"
            let action = "the model doesn't require them"
            findings.add(.note, .invalidRequired, at: position, message, action: action)
        }
        for property in schema.properties where property.schema.boolean == false {
            let message = "the schema of the property \(property.name.quoted) allows no value"
            findings.add(.note, .notGenerated, at: property.position, message, action: "it may be any value")
        }
    }

    /// The default of a property, or its only value.
    private func defaultNode(of property: Schema.Property, _ value: Schema) -> DocumentNode? {
        if let own = property.schema.defaultValue ?? value.defaultValue { return own }
        let target = resolved(property.schema)
        // A further value of an enumeration must not take the default away, so it is only for a constant.
        return target.defaultValue ?? (property.isRequired ? target.constant : nil)
    }

    // MARK: Values

    func isEnumeration(_ schema: Schema) -> Bool {
        rawType(of: schema) != nil
    }

    /// The type of the values, if all are texts or all are integers.
    private func rawType(of schema: Schema) -> Code? {
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
                    literal: rawType == "Int" ? "\(Int(text) ?? 0)" : "\(Literal(text))",
                    documentation: Documentation.line(value.description),
                )
            )
        }
        names.resolve(&plans)
        keep(names, of: id)
        return .values(rawType: rawType, plans)
    }
}
