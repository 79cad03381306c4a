/// Writes models.
struct ModelRenderer {
    let plan: Plan
    let options: GeneratorOptions
    var access: Code { options.access.modifier }

    /// The ids of sets of values.
    private let sets: Set<String>

    init(_ plan: Plan, _ options: GeneratorOptions) {
        (self.plan, self.options) = (plan, options)
        sets = Set(plan.types.filter { if case .values = $0.kind { true } else { false } }.map(\.id))
    }

    func render(_ type: TypePlan, to text: inout SourceText) {
        text.gap()
        text.document(
            type.documentation ?? publicly("The type `\(type.name)` of the API."),
            isDeprecated: type.isDeprecated,
        )
        switch type.kind {
        case .object(let properties, let others): renderObject(type, properties, others, &text)
        case .values(let rawType, let values): renderValues(type, rawType, values, &text)
        case .tuple(let tuple): renderTuple(type, tuple, &text)
        case .union(let union): renderUnion(type, union, &text)
        case .alias(let target): text.line("\(access)typealias \(SwiftName.bare(type.name)) = \(name(of: target))")
        }
    }

    func name(of type: SwiftType) -> Code { TypeText.text(of: type, plan.typeNames) }

    /// A text that only public declarations need.
    func publicly(_ text: String) -> String? { options.access == .public ? text : nil }

    // MARK: Objects

    private func renderObject(
        _ type: TypePlan,
        _ properties: [PropertyPlan],
        _ others: OthersPlan?,
        _ text: inout SourceText,
    ) {
        let identity: Code = isIdentifiable(properties) ? ", Identifiable" : ""
        let conformances: Code = "\(conformances(of: type))\(identity)"
        text.block("\(access)struct \(SwiftName.bare(type.name)): \(conformances)") { text in
            let showsDefaults = !hasInit(type, properties)
            for property in properties { renderProperty(property, &text, showsDefault: showsDefaults) }
            if let others {
                text.document(publicly("The other members."))
                let value: Code = showsDefaults ? " = [:]" : ""
                text.line("\(access)var \(SwiftName.bare(others.name)): [String: \(name(of: others.type))]\(value)")
            }
            if hasInit(type, properties) { renderInit(properties, others, &text) }
        }
        text.gap()
        // In an extension, so that the compiler makes the initializer with all properties.
        text.block("extension \(SwiftName.bare(type.name))") { text in
            renderReading(properties, others, &text)
            renderWriting(properties, others, &text)
        }
    }

    /// Whether the initializer that the compiler makes can't be called, or takes what no value may have.
    private func hasInit(_ type: TypePlan, _ properties: [PropertyPlan]) -> Bool {
        options.access != .internal || properties.contains { $0.isBoxed || $0.hasNoDefault }
    }

    /// What a model conforms to: the compiler synthesizes nothing, or only what compares values.
    func conformances(of type: TypePlan) -> Code { type.isCompared ? "JSONCodable, Hashable" : "JSONModel" }

    func renderProperty(
        _ property: PropertyPlan,
        _ text: inout SourceText,
        _ description: String? = nil,
        showsDefault: Bool = false,
    ) {
        let (quoted, type) = (SwiftName.quoted(property.name), name(of: property.type))
        text.document(
            property.documentation ?? publicly(description ?? "The member \(MarkdownText(code: property.key).text)."),
            isDeprecated: property.isDeprecated,
        )
        let value: Code = showsDefault ? property.defaultValue.map { " = \($0)" } ?? "" : ""
        guard let boxName = property.boxName else { return text.line("\(access)var \(quoted): \(type)\(value)") }
        let mark: Code = property.type.isOptional ? "?" : ""
        let box = SwiftName.bare(boxName)
        text.block("\(access)var \(quoted): \(type)") { text in
            text.line("get { \(box)\(mark).value }")
            let value: Code = property.type.isOptional ? "newValue.map(Boxed.init)" : "Boxed(newValue)"
            text.line("set { \(box) = \(value) }")
        }
        text.line("private var \(box): Boxed<\(name(of: property.type.withoutOptional))>\(mark)")
    }

    /// The name of the property that has the value or its box.
    func stored(_ property: PropertyPlan) -> Identifier { SwiftName.bare(property.boxName ?? property.name) }

    /// An argument, in a box if the property has one.
    func boxed(_ property: PropertyPlan) -> Code {
        let quoted = SwiftName.quoted(property.name)
        guard property.isBoxed else { return "\(quoted)" }
        return property.type.isOptional ? "\(quoted).map(Boxed.init)" : "Boxed(\(quoted))"
    }

    private static let identifiers: Set<Code> = [
        "String", "Int", "Int64", "UInt64", "UUID", "URL", "NumberText<Int64>",
    ]

    func isIdentifiable(_ properties: [PropertyPlan]) -> Bool {
        guard let id = properties.first(where: { $0.name == "id" }), !id.isBoxed else { return false }
        switch id.type {
        case .standard(let name): return Self.identifiers.contains(name)
        case .model(let id):
            return sets.contains(id)
        default: return false
        }
    }

    func renderInit(_ properties: [PropertyPlan], _ others: OthersPlan?, _ text: inout SourceText) {
        var arguments = properties.map { property -> Code in
            let type = property.hasNoDefault ? property.type.withoutOptional : property.type
            let value: Code? = property.defaultValue ?? (type.isOptional ? "nil" : nil)
            let suffix: Code = value.map { " = \($0)" } ?? ""
            return "\(SwiftName.quoted(property.name)): \(name(of: type))\(suffix)"
        }
        if let others { arguments.append("\(SwiftName.bare(others.name)): [String: \(name(of: others.type))] = [:]") }
        text.gap()
        text.document(publicly("Creates a value."))
        text.call("\(access)init", arguments, " {")
        text.indented { text in
            for property in properties {
                let owner: Code = property.isBoxed ? "" : "self."
                text.line("\(owner)\(stored(property)) = \(boxed(property))")
            }
            if let others { text.line("self.\(SwiftName.bare(others.name)) = \(SwiftName.bare(others.name))") }
        }
        text.line("}")
    }

    /// Writes the reading of all members into one call.
    ///
    /// If one of several assignments can fail, the compiler keeps a copy of the value, and its functions get larger.
    private func renderReading(_ properties: [PropertyPlan], _ others: OthersPlan?, _ text: inout SourceText) {
        text.gap()
        text.document(publicly("Reads the value."))
        text.block("\(access)init(from reader: inout JSONReader) throws") { text in
            text.line("try reader.beginObject()")
            if properties.contains(where: \.hasNoDefault) {
                // A document may lack what the initializer requires.
                for property in properties {
                    text.line("\(safe(property)) = \(reading(property))")
                }
                if let others { text.line("\(SwiftName.bare(others.name)) = try reader.otherMembers()") }
            } else {
                var arguments = properties.map { "\(SwiftName.label($0.name)): \(reading($0))" as Code }
                if let others { arguments.append("\(SwiftName.bare(others.name)): try reader.otherMembers()") }
                text.call("self.init", arguments, "")
            }
            text.line("try reader.endObject()")
        }
    }

    private func reading(_ property: PropertyPlan) -> Code {
        let absent: Code = property.isDefaulted ? property.defaultValue.map { ", or: \($0)" } ?? "" : ""
        return "try reader.member(\(Literal(jsonKey: property.key))\(absent))"
    }

    private func renderWriting(_ properties: [PropertyPlan], _ others: OthersPlan?, _ text: inout SourceText) {
        text.gap()
        text.document(publicly("Writes the value."))
        text.block("\(access)func write(to writer: inout JSONWriter) throws") { text in
            text.line("try writer.beginObject()")
            for property in properties {
                let function: Code =
                    property.isLeftOut ? "readOnlyMember" : property.isNullable ? "nullableMember" : "member"
                text.line("try writer.\(function)(\(Literal(property.key)), \(safe(property)))")
            }
            if let others { text.line("try writer.otherMembers(\(SwiftName.bare(others.name)))") }
            text.line("try writer.endObject()")
        }
    }

    /// The name where a parameter could have the same one.
    private func safe(_ property: PropertyPlan) -> Code {
        if let name = property.boxName { return "\(SwiftName.bare(name))" }
        let name = SwiftName.quoted(property.name)
        return property.name == "reader" || property.name == "writer" ? "self.\(name)" : "\(name)"
    }

    // MARK: Values

    private func renderValues(_ type: TypePlan, _ rawType: Code, _ values: [ValuePlan], _ text: inout SourceText) {
        if type.isClosed { return renderCases(type, rawType, values, &text) }
        text.block("\(access)struct \(SwiftName.bare(type.name)): OpenValue") { text in
            text.document(publicly("The value as documents have it."))
            text.line("\(access)var rawValue: \(rawType)")
            text.gap()
            for value in values {
                text.document(
                    value.documentation ?? publicly("The value \(MarkdownText(code: value.literal.text).text).")
                )
                text.constant(
                    "\(access)static let \(SwiftName.quoted(value.name))",
                    "Self",
                    "rawValue: \(value.literal)",
                )
            }
            guard options.access != .internal else { return }
            text.gap()
            text.document(publicly("Creates any value."))
            text.line("\(access)init(rawValue: \(rawType)) { self.rawValue = rawValue }")
        }
    }

    /// A set of values that doesn't grow.
    private func renderCases(_ type: TypePlan, _ rawType: Code, _ values: [ValuePlan], _ text: inout SourceText) {
        text.block("\(access)enum \(SwiftName.bare(type.name)): \(rawType), ClosedValue") { text in
            for value in values {
                let raw: Code = value.literal == "\(Literal(value.name))" ? "" : " = \(value.literal)"
                let line: Code = "case \(SwiftName.quoted(value.name))\(raw)"
                // The comment that allows a long line must be the only one.
                if line.utf8Count <= text.width {
                    text.document(
                        value.documentation ?? publicly("The value \(MarkdownText(code: value.literal.text).text).")
                    )
                }
                text.line(line)
            }
        }
    }
}
