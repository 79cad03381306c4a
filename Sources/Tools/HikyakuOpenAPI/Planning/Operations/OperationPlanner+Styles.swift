/// What a value is for a query, a path or a field.
enum ValueShape {
    /// A value that is a segment of a path by itself.
    case component
    /// Another one without parts.
    case scalar
    /// A list of these.
    case list
    case object
    /// A value that may be of several types, or a list of objects.
    case other
}

extension OperationPlanner {
    func shape(of type: SwiftType, _ depth: Int = 0) -> ValueShape {
        switch type {
        case .optional(let type): return shape(of: type, depth)
        case .dictionary: return .object
        case .array(let element):
            switch shape(of: element, depth) {
            case .component, .scalar: return .list
            case .list, .object, .other: return .other
            }
        case .standard(let name):
            if Self.components.contains(name) { return .component }
            return ["Bool", "Double", "Float", "Decimal", "Date", "URL"].contains(name) ? .scalar : .other
        case .model(let id):
            switch types.plans[id]?.kind {
            case .values: return .component
            case .object: return .object
            case .alias(let target) where depth < 16: return shape(of: target, depth + 1)
            case .alias, .union, .tuple, nil: return .other
            }
        }
    }

    private static let components: Set<Code> = [
        "String", "Int", "Int64", "UInt64", "UUID", "CalendarDate", "NumberText<Int>", "NumberText<Int64>",
        "NumberText<UInt64>", "NumberText<Double>", "NumberText<Decimal>", "Secret<String>",
    ]

    /// The type of what is written as text: a secret by itself is revealed then, and one inside of a value is a text.
    func written(_ type: SwiftType) -> SwiftType {
        type.withoutOptional == .secret ? type : withoutSecrets(type)
    }

    /// The type with plain texts instead of secrets.
    func withoutSecrets(_ type: SwiftType) -> SwiftType {
        switch type {
        case .secret: .text
        case .optional(let type): withoutSecrets(type).asOptional
        case .array(let element): .array(withoutSecrets(element))
        case .dictionary(let value): .dictionary(withoutSecrets(value))
        case .standard, .model: type
        }
    }

    /// The type of a parameter, and how it is written.
    func parameterType(
        _ parameter: Parameter,
        _ owner: String,
        _ place: ParameterPlan.Place,
    ) -> (SwiftType, ValueForm) {
        let own = wish(owner, rank: 3).appending(parameter.name, parameter.name, "\(place) \(parameter.name)")
        let name = parameter.componentName.map { NameWish($0, rank: 2) } ?? own
        if parameter.location == .querystring { return wholeQuery(parameter, name) }
        if let content = parameter.content {
            guard content.name.kind == .json else {
                let text = content.name.text
                degradeParameter(parameter, "is encoded as \(text)", "it is a text that the caller encodes")
                return (.text, form(of: parameter, .text, place))
            }
            let type = withoutSecrets(types.type(of: parameter.schema, named: name))
            return (type, ValueForm(kind: .json, pathStyle: place == .path ? ".simple()" : nil))
        }
        let type = written(types.type(of: parameter.schema, named: name))
        return (type, form(of: parameter, type, place))
    }

    /// A parameter that is the whole query.
    private func wholeQuery(_ parameter: Parameter, _ name: NameWish) -> (SwiftType, ValueForm) {
        let type = withoutSecrets(types.type(of: parameter.schema, named: name))
        if parameter.content?.name.kind == .form, shape(of: type) == .object {
            return (type, ValueForm(kind: .encoded(".exploded")))
        }
        degradeParameter(parameter, "is a whole query of a form that isn't supported", "it is an item of the query")
        return (.text, ValueForm())
    }

    private func form(of parameter: Parameter, _ type: SwiftType, _ place: ParameterPlan.Place) -> ValueForm {
        noteLimits(of: parameter, type, place)
        switch place {
        case .path: return pathForm(parameter, type)
        case .header, .body:
            let shape = shape(of: type)
            guard shape == .object || shape == .other else { return ValueForm() }
            return ValueForm(kind: .encoded(nil), isExploded: parameter.isExploded)
        case .query, .cookie:
            let style = parameter.style == .cookie ? .form : parameter.style
            var form = ValueForm(kind: itemKind(type, style, parameter.isExploded))
            form.allowsReserved = parameter.allowsReserved && place == .query
            return form
        }
    }

    private func pathForm(_ parameter: Parameter, _ type: SwiftType) -> ValueForm {
        let shape = shape(of: type)
        let isStructured = shape == .object || shape == .other
        let exploded = parameter.isExploded && (isStructured || parameter.style != .simple)
        let argument: Code = exploded && (isStructured || shape == .list) ? "exploded: true" : ""
        var form = ValueForm(kind: isStructured ? .encoded(nil) : .plain)
        switch parameter.style {
        case .label: form.pathStyle = ".label(\(argument))"
        case .matrix:
            let name = Literal(parameter.name)
            form.pathStyle = argument.isEmpty ? ".matrix(\(name))" : ".matrix(\(name), \(argument))"
        default: form.pathStyle = shape == .component ? nil : ".simple(\(argument))"
        }
        return form
    }

    /// How an item of a query, a cookie or a form is written.
    func itemKind(_ type: SwiftType, _ style: Parameter.Style, _ isExploded: Bool) -> ValueForm.Kind {
        switch shape(of: type) {
        case .component, .scalar: return .plain
        case .list:
            switch style {
            case .deepObject: return .list(".bracketed")
            case _ where isExploded: return .plain
            case .spaceDelimited: return .list(".spaceSeparated")
            case .pipeDelimited: return .list(".pipeSeparated")
            case .tabDelimited: return .list(".tabSeparated")
            default: return .list(".commaSeparated")
            }
        case .object, .other:
            // The objects of a list are bracketed, since nothing says how they are written.
            if case .array = type.withoutOptional { return .encoded(nil) }
            switch style {
            case .deepObject: return .encoded(nil)
            case _ where isExploded: return .encoded(".exploded")
            case .spaceDelimited: return .encoded(".spaceSeparated")
            case .pipeDelimited: return .encoded(".pipeSeparated")
            default: return .encoded(".commaSeparated")
            }
        }
    }

    // MARK: Findings

    /// Notes what a document says of a parameter without effect, or without saying what it means.
    private func noteLimits(of parameter: Parameter, _ type: SwiftType, _ place: ParameterPlan.Place) {
        func note(_ message: String, _ action: String) {
            let message = "the parameter \(parameter.name.quoted) \(message)"
            findings.add(.note, .notGenerated, at: parameter.position, message, action: action)
        }
        if parameter.allowsReserved, place != .query {
            note("allows reserved characters outside of the query", "they are percent-encoded")
        }
        if parameter.style == .cookie { note("has the style 'cookie'", "its value is percent-encoded") }
        let shape = shape(of: type)
        if parameter.allowsEmptyValue, type.withoutOptional != .text { note("may be empty", "it is left out then") }
        guard shape == .other else { return }
        if case .array(let element) = type.withoutOptional {
            let elements = Self.plural(element)
            note(
                "is a list of \(elements), for which OpenAPI has no form",
                "each is written with the parameter's name",
            )
        } else if place == .query, !parameter.isExploded, parameter.style != .deepObject {
            note("may be of several types", "a list among them repeats the name")
        }
    }

    /// What the elements of a list are that has no form of its own.
    static func plural(_ element: SwiftType) -> String {
        switch element.withoutOptional {
        case .array: "lists"
        case .standard("JSONValue"): "any values"
        default: "objects"
        }
    }

    func degradeParameter(_ parameter: Parameter, _ message: String, _ action: String) {
        findings.warn(
            .notGenerated,
            at: parameter.position,
            "the parameter \(parameter.name.quoted) \(message)",
            action: action,
        )
    }
}
