/// Writes models.
struct ModelRenderer {
    let plan: Plan
    let options: GeneratorOptions
    private var access: String { options.access.modifier }

    init(_ plan: Plan, _ options: GeneratorOptions) {
        (self.plan, self.options) = (plan, options)
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
        case .union(let union): renderUnion(type, union, &text)
        case .alias(let target): text.line("\(access)typealias \(type.name) = \(name(of: target))")
        }
    }

    private func name(of type: SwiftType) -> String { TypeText.text(of: type, plan.typeNames) }

    /// A text that only public declarations need.
    private func publicly(_ text: String) -> String? { options.access == .public ? text : nil }

    // MARK: Objects

    private func renderObject(
        _ type: TypePlan,
        _ properties: [PropertyPlan],
        _ others: OthersPlan?,
        _ text: inout SourceText,
    ) {
        let conformances = ["JSONModel"] + (isIdentifiable(properties) ? ["Identifiable"] : [])
        text.block("\(access)nonisolated struct \(type.name): \(conformances.joined(separator: ", "))") { text in
            for property in properties { renderProperty(property, &text) }
            if let others {
                text.document(publicly("The other members."))
                text.line("\(access)var \(others.name): [String: \(name(of: others.type))] = [:]")
            }
            if hasInit(type, properties) { renderInit(properties, others, &text) }
        }
        text.gap()
        // In an extension, so that the compiler makes the initializer with all properties.
        text.block("nonisolated extension \(type.name)") { text in
            renderReading(type, properties, others, &text)
            renderWriting(properties, others, &text)
        }
    }

    /// Whether the initializer that the compiler makes can't be called where values are created.
    private func hasInit(_ type: TypePlan, _ properties: [PropertyPlan]) -> Bool {
        type.isCreated && (options.access != .internal || properties.contains(where: \.isBoxed))
    }

    private func renderProperty(_ property: PropertyPlan, _ text: inout SourceText) {
        let (quoted, type) = (SwiftName.quoted(property.name), name(of: property.type))
        text.document(
            property.documentation ?? publicly("The member `\(property.key)`."),
            isDeprecated: property.isDeprecated,
        )
        guard property.isBoxed else { return text.line("\(access)var \(quoted): \(type)") }
        let mark = property.type.isOptional ? "?" : ""
        text.block("\(access)var \(quoted): \(type)") { text in
            text.line("get { \(boxName(property))\(mark).value }")
            let value = property.type.isOptional ? "newValue.map(Boxed.init)" : "Boxed(newValue)"
            text.line("set { \(boxName(property)) = \(value) }")
        }
        text.line("private var \(boxName(property)): Boxed<\(name(of: property.type.withoutOptional))>\(mark)")
    }

    private func boxName(_ property: PropertyPlan) -> String {
        "boxed" + (property.name.first.map { String($0).uppercased() } ?? "") + property.name.dropFirst()
    }

    private func isIdentifiable(_ properties: [PropertyPlan]) -> Bool {
        guard let id = properties.first(where: { $0.name == "id" }), !id.isBoxed else { return false }
        switch id.type {
        case .standard(let name): return ["String", "Int", "Int64", "UUID", "URL"].contains(name)
        case .model(let id):
            if case .values = plan.types.first(where: { $0.id == id })?.kind { return true }
            return false
        default: return false
        }
    }

    private func renderInit(_ properties: [PropertyPlan], _ others: OthersPlan?, _ text: inout SourceText) {
        var arguments = properties.map { property in
            let defaultValue = property.type.isOptional ? " = nil" : ""
            return "\(SwiftName.quoted(property.name)): \(name(of: property.type))\(defaultValue)"
        }
        if let others { arguments.append("\(others.name): [String: \(name(of: others.type))] = [:]") }
        text.gap()
        text.document(publicly("Creates a value."))
        text.call("\(access)init", arguments, " {")
        text.indented { text in
            for property in properties {
                let quoted = SwiftName.quoted(property.name)
                guard property.isBoxed else {
                    text.line("self.\(property.name) = \(quoted)")
                    continue
                }
                let value = property.type.isOptional ? "\(quoted).map(Boxed.init)" : "Boxed(\(quoted))"
                text.line("\(boxName(property)) = \(value)")
            }
            if let others { text.line("self.\(others.name) = \(others.name)") }
        }
        text.line("}")
    }

    /// Writes the reading of all members into one call.
    ///
    /// If one of several assignments can fail, the compiler keeps a copy of the value, and its functions get larger.
    private func renderReading(
        _ type: TypePlan,
        _ properties: [PropertyPlan],
        _ others: OthersPlan?,
        _ text: inout SourceText,
    ) {
        let hasInit = hasInit(type, properties)
        var arguments = properties.map { property in
            let name = property.isBoxed && !hasInit ? boxName(property) : SwiftName.label(property.name)
            return "\(name): try reader.member(\(SourceText.key(property.key)))"
        }
        if let others { arguments.append("\(others.name): try reader.otherMembers()") }
        text.gap()
        text.document(publicly("Reads the value."))
        text.block("\(access)init(from reader: inout JSONReader) throws") { text in
            text.line("try reader.beginObject()")
            text.call("self.init", arguments, "")
            text.line("try reader.endObject()")
        }
    }

    private func renderWriting(_ properties: [PropertyPlan], _ others: OthersPlan?, _ text: inout SourceText) {
        text.gap()
        text.document(publicly("Writes the value."))
        text.block("\(access)func write(to writer: inout JSONWriter) throws") { text in
            text.line("try writer.beginObject()")
            for property in properties {
                let name = property.isBoxed ? boxName(property) : SwiftName.quoted(property.name)
                text.line("try writer.member(\(SourceText.literal(property.key)), \(safe(name)))")
            }
            if let others { text.line("try writer.otherMembers(\(others.name))") }
            text.line("try writer.endObject()")
        }
    }

    /// The name where a parameter could have the same one.
    private func safe(_ name: String) -> String {
        name == "reader" || name == "writer" ? "self." + name : name
    }

    // MARK: Values

    private func renderValues(_ type: TypePlan, _ rawType: String, _ values: [ValuePlan], _ text: inout SourceText) {
        text.block("\(access)nonisolated struct \(type.name): OpenValue") { text in
            text.document(publicly("The value as documents have it."))
            text.line("\(access)var rawValue: \(rawType)")
            text.gap()
            for value in values {
                text.document(value.documentation ?? publicly("The value `\(value.literal.filter { $0 != "`" })`."))
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

    // MARK: Unions

    private func renderUnion(_ type: TypePlan, _ union: UnionPlan, _ text: inout SourceText) {
        let indirect = type.isIndirect ? "indirect " : ""
        text.block("\(access)nonisolated \(indirect)enum \(type.name): JSONModel") { text in
            for item in union.cases {
                text.document(publicly("A value of the type `\(name(of: item.type))`."))
                text.line("case \(SwiftName.quoted(item.name))(\(name(of: item.type)))")
            }
            text.line("/// Anything else.")
            text.line("case unknown(JSONValue)")
            text.gap()
            text.document(publicly("Reads the value."))
            text.block("\(access)init(from reader: inout JSONReader) throws") { text in
                renderChoice(union, &text)
            }
            text.gap()
            text.document(publicly("Writes the value."))
            text.block("\(access)func write(to writer: inout JSONWriter) throws") { text in
                text.line("switch self {")
                for item in union.cases {
                    text.switchCase([".\(SwiftName.quoted(item.name))(let value)"], "try writer.write(value)")
                }
                text.line("case .unknown(let value): try writer.write(value)")
                text.line("}")
            }
        }
    }

    private func renderChoice(_ union: UnionPlan, _ text: inout SourceText) {
        if let key = union.discriminator {
            text.line("switch try reader.textMember(\(SourceText.key(key))) {")
            var seen: Set<String> = []
            for item in union.cases {
                let tags = item.tags.filter { seen.insert($0).inserted }.map(SourceText.literal)
                guard !tags.isEmpty else { continue }
                text.switchCase(tags, "self = .\(SwiftName.quoted(item.name))(try reader.read())")
            }
            text.line("default: self = .unknown(try reader.read())")
            text.line("}")
            return
        }
        var isFirst = true
        for item in Self.trialOrder(union.cases) {
            let head = isFirst ? "if" : "} else if"
            text.condition("\(head) let value: \(name(of: item.type)) = reader.readIfPossible()")
            text.indented { $0.line("self = .\(SwiftName.quoted(item.name))(value)") }
            isFirst = false
        }
        text.line("} else {")
        text.indented { $0.line("self = .unknown(try reader.read())") }
        text.line("}")
    }

    /// The order in which alternatives are tried: those that demand more first.
    static func trialOrder(_ cases: [UnionCasePlan]) -> [UnionCasePlan] {
        cases.enumerated().sorted { one, other in
            let first = (rank(one.element), -one.element.requiredKeys.count, one.offset)
            return first < (rank(other.element), -other.element.requiredKeys.count, other.offset)
        }.map(\.element)
    }

    private static func rank(_ item: UnionCasePlan) -> Int {
        switch item.type {
        case .standard("Bool"), .standard("Int"), .standard("Int64"): 0
        case .standard("Date"), .standard("UUID"): 0
        case .standard("JSONValue"): 9
        case .standard("String"): 5
        case .standard: 1
        case .dictionary: 6
        case .model, .array, .optional: 2
        }
    }
}
