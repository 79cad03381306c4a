extension ModelRenderer {
    func renderUnion(_ type: TypePlan, _ union: UnionPlan, _ text: inout SourceText) {
        let indirect: Code = type.isIndirect ? "indirect " : ""
        let choice: Code = union.isNested ? ", JSONChoice" : ""
        let conformances: Code = "\(conformances(of: type))\(choice)"
        text.block("\(access)\(indirect)enum \(SwiftName.bare(type.name)): \(conformances)") { text in
            for item in union.cases {
                text.document(publicly("A value of the type `\(name(of: item.type))`."))
                text.line("case \(SwiftName.quoted(item.name))(\(name(of: item.type)))")
            }
            text.line("/// Anything else.")
            text.line("case unknown(JSONValue)")
            if union.isNested {
                text.gap()
                text.document(publicly("Whether it is none of the known alternatives."))
                text.line("\(access)var isUnknown: Bool { if case .unknown = self { true } else { false } }")
            }
            text.gap()
            text.document(publicly("Reads the value."))
            text.block("\(access)init(from reader: inout JSONReader) throws") { text in
                if let key = union.discriminator {
                    renderSwitch(union, key, &text)
                } else {
                    renderTrials(union.cases, &text)
                }
            }
            text.gap()
            text.document(publicly("Writes the value."))
            text.block("\(access)func write(to writer: inout JSONWriter) throws") { text in
                text.line("switch self {")
                for item in union.cases {
                    let tag = item.writtenTag.map { text -> Code in
                        ", tagged: \(Literal(jsonKey: union.discriminator ?? "")), \(Literal(text))"
                    }
                    let call: Code = "try writer.write(value\(tag ?? ""))"
                    text.switchCase([".\(SwiftName.quoted(item.name))(let value)"], call)
                }
                text.line("case .unknown(let value): try writer.write(value)")
                text.line("}")
            }
        }
    }

    /// Chooses by the text of a member, and tries the alternatives that it doesn't distinguish.
    private func renderSwitch(_ union: UnionPlan, _ key: String, _ text: inout SourceText) {
        let function: Code = union.hasLiteralTags ? "literalMember" : "textMember"
        text.line("switch try reader.\(function)(\(Literal(jsonKey: key))) {")
        for (tags, cases) in Self.byTags(union.cases) {
            let literals = tags.map { "\(Literal($0))" as Code }
            if cases.count == 1 {
                text.switchCase(literals, "self = .\(SwiftName.quoted(cases[0].name))(try reader.read())")
            } else {
                text.switchCase(literals)
                text.indented { renderTrials(cases, &$0) }
            }
        }
        let others = union.cases.filter { $0.tags.isEmpty || $0.isFallback || $0.isUnion }
        if others.isEmpty {
            text.line("default: self = .unknown(try reader.read())")
        } else {
            text.line("default:")
            text.indented { renderTrials(others, &$0) }
        }
        text.line("}")
    }

    /// The texts of the discriminator with the alternatives that have them, of which there may be several.
    private static func byTags(_ cases: [UnionCasePlan]) -> [(tags: [String], cases: [UnionCasePlan])] {
        var groups: [(tags: [String], cases: [UnionCasePlan])] = []
        var seen: Set<String> = []
        for tag in cases.flatMap(\.tags) where seen.insert(tag).inserted {
            let owners = cases.filter { $0.tags.contains(tag) }
            if let index = groups.firstIndex(where: { $0.cases.map(\.name) == owners.map(\.name) }) {
                groups[index].tags.append(tag)
            } else {
                groups.append(([tag], owners))
            }
        }
        return groups
    }

    /// Takes the first alternative that can be read.
    private func renderTrials(_ cases: [UnionCasePlan], _ text: inout SourceText) {
        var isFirst = true
        for trial in Trial.all(of: cases) {
            let head: Code = isFirst ? "if" : "} else if"
            let keys = trial.keys.map { "\(Literal(jsonKey: $0))" as Code }.joined(separator: ", ")
            var presence: Code = keys.isEmpty ? "" : " reader.hasMember(\(keys))"
            if let (key, value) = trial.fixed {
                presence = " try reader.textMember(\(Literal(jsonKey: key))) == \(Literal(value))"
            }
            text.condition("\(head)\(presence)", "let value: \(name(of: trial.item.type)) = reader.readIfPossible()")
            text.indented { $0.line("self = .\(SwiftName.quoted(trial.item.name))(value)") }
            isFirst = false
        }
        text.line("} else {")
        text.indented { $0.line("self = .unknown(try reader.read())") }
        text.line("}")
    }
}

/// An attempt to read a value as one of the alternatives.
///
/// The order is that of what the alternatives require, and then that of their names, so that it doesn't depend on the
/// order of the document.
struct Trial {
    var item: UnionCasePlan
    /// Members of which the object must have one.
    var keys: [String] = []
    /// A member and its text, which other alternatives don't have.
    var fixed: (key: String, value: String)?

    static func all(of cases: [UnionCasePlan]) -> [Trial] {
        let sorted = cases.sorted { one, other in
            let first = (rank(one), -one.requiredKeys.count, one.name)
            return first < (rank(other), -other.requiredKeys.count, other.name)
        }
        let objects = sorted.filter { $0.kind == .object && !$0.keys.isEmpty }
        let owners = Dictionary(objects.flatMap { Set($0.keys) }.map { ($0, 1) }, uniquingKeysWith: +)
        var trials: [Trial] = []
        var shared: [Trial] = []
        var last: [Trial] = []
        for item in sorted {
            if let fixed = fixed(item, objects) {
                trials.append(Trial(item: item, fixed: fixed))
                continue
            }
            let own = item.keys.filter { owners[$0] == 1 }.sorted()
            // Objects that require nothing of their own would be read as the first of them.
            let isVague = objects.count > 1 && item.kind == .object && Set(own).isDisjoint(with: item.requiredKeys)
            guard isVague else {
                trials.append(Trial(item: item))
                continue
            }
            let shown = Self.fitting(own)
            if !shown.isEmpty {
                trials.append(Trial(item: item, keys: shown))
            } else if own.isEmpty {
                let optional = Set(item.keys).subtracting(item.requiredKeys).filter { owners[$0] != objects.count }
                shared.append(Trial(item: item, keys: Self.fitting(optional.sorted())))
            }
            last.append(Trial(item: item))
        }
        // What can be anything is after all others.
        let anything = trials.firstIndex { rank($0.item) > 5 } ?? trials.endIndex
        trials.insert(contentsOf: shared.filter { !$0.keys.isEmpty } + last, at: anything)
        return trials
    }

    /// A member whose text distinguishes an object from another one of the alternatives.
    private static func fixed(_ item: UnionCasePlan, _ objects: [UnionCasePlan]) -> (key: String, value: String)? {
        item.fixedTexts.sorted { $0.key < $1.key }.first { key, value in
            key.utf8.count + value.utf8.count < 60
                && objects.contains { $0.fixedTexts[key].map { $0 != value } ?? false }
        }
    }

    /// As many names as fit on a line.
    private static func fitting(_ keys: [String]) -> [String] {
        var width = 0
        return keys.filter { $0.utf8.count < 40 }.prefix { key in
            width += key.utf8.count + 4
            return width <= 48
        }
    }

    private static func rank(_ item: UnionCasePlan) -> Int {
        switch item.type {
        case .standard("Bool"), .standard("Int"), .standard("Int64"), .standard("UInt64"): 0
        case .standard("Date"), .standard("UUID"), .standard("CalendarDate"): 0
        case .standard("JSONValue"): 9
        case .standard("String"): 5
        case .standard("URL"): 4
        case .standard: 1
        case .array where item.type.isOfAnything: 5
        case .dictionary(.anything): 7
        case .dictionary: 6
        case .model where item.kind == .string: 3
        case .model, .array, .optional: 2
        }
    }
}
