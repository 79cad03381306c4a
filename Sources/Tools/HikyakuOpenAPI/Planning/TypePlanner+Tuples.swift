extension TypePlanner {
    /// As many elements as a tuple may have.
    private static let elementsMax = 12

    /// Whether a schema is an array whose elements have types of their own, by their positions.
    func isTuple(_ schema: Schema) -> Bool {
        let types = schema.types.withoutNull
        return types.isEmpty || types == .array ? 1...Self.elementsMax ~= schema.prefixItems.count : false
    }

    func tupleKind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        let count = schema.prefixItems.count
        // A document that doesn't say how many elements there are means all of them.
        let countMin = min(count, schema.constraints?.itemsMin ?? count)
        var names = memberNames(of: name)
        var elements: [PropertyPlan] = []
        for (index, item) in schema.prefixItems.enumerated() {
            let label = resolved(item).title.flatMap { $0.isEmpty ? nil : $0 } ?? Self.ordinals[index]
            let type = type(of: item, named: name.appending(label, "prefixItems/\(index)"))
            elements.append(
                PropertyPlan(
                    name: names.take(label),
                    key: String(index),
                    type: index >= countMin || type == .anything && allowsNull(item) ? type.asOptional : type,
                    documentation: Documentation.line(item.description),
                    isDeprecated: item.isDeprecated,
                )
            )
        }
        var others: OthersPlan?
        let countMax = schema.constraints?.itemsMax ?? Int.max
        if let items = schema.items, schema.allowsFurtherItems, countMax > count {
            names.takeOthers("others")
            let type = type(of: items, named: name.appending("Item", "items"))
            others = OthersPlan(name: names.names().last ?? "", type: type)
        }
        names.resolve(&elements)
        keep(names, of: id)
        return .tuple(TuplePlan(elements: elements, others: others, countMin: countMin))
    }

    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ]
}
