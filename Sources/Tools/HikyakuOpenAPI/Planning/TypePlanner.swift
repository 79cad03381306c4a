/// Plans the types of schemas.
///
/// It is a class because types are planned while others are being planned, which may contain each other.
final class TypePlanner {
    let document: APIDocument
    let options: GeneratorOptions
    let findings: Findings
    /// By id, in the order in which they were found.
    private(set) var plans: [String: TypePlan] = [:]
    /// The names that types would have if there were no others, by id.
    private(set) var wishes: [String: NameWish] = [:]
    /// Named schemas that are not types of their own, and are being expanded.
    private var open: Set<SchemaKey> = []
    /// The types of named schemas that are not types of their own.
    private var knownTypes: [SchemaKey: SwiftType] = [:]
    /// Whether a type was found that depends on where the search for it began.
    private var isCut = false
    private var mergedSchemas: [String: Schema] = [:]
    private var merge: SchemaMerge
    /// The named schemas that allow null.
    private lazy var nullable = NullableSchemas(document).keys
    /// How many combinations of alternatives lead to a schema that is made of several choices, by its pointer.
    var combinations: [String: Int] = [:]
    /// The documentation of texts, which many operations may share.
    private var lines: [String: String?] = [:]
    /// What was done, and the limits that the document exceeds.
    var effort: PlanningEffort
    /// The keys of the options' names and types that something was called by.
    private(set) var usedOptions: Set<String> = []
    /// The schemas that have another one among the parts of their `allOf`, by its key.
    private(set) lazy var subtypes = SubtypeSearch(document).subtypes
    private var depth = 0
    private static let depthMax = 64
    /// How many names the name of a type inside others may be made of.
    private static let partsMax = 100

    /// Types whose members have not been planned yet.
    private var waiting: [(id: String, schema: Schema, name: NameWish)] = []
    private var isPlanning = false
    /// The names that the first planning found to be the best, where a type is found in several places.
    private let preferred: [String: NameWish]
    /// All identities by which a type was found, if there is a history to look them up in.
    private(set) var identities: [String: Set<String>] = [:]
    /// The names of members to be kept, by the ids of their types.
    private(set) var memberNames: [String: [String: String]] = [:]

    init(
        _ document: APIDocument,
        _ options: GeneratorOptions,
        _ findings: Findings,
        preferred: [String: NameWish] = [:],
    ) {
        (self.document, self.options, self.findings) = (document, options, findings)
        self.preferred = preferred
        merge = SchemaMerge(document, effortMax: document.workMax.merges)
        effort = PlanningEffort(document.workMax)
    }

    // MARK: Types

    /// The type of a schema, optional if null is allowed.
    func type(of schema: Schema, named name: NameWish) -> SwiftType {
        let isNullable = allowsNull(schema)
        let type = plainType(of: schema, named: name)
        planWaiting()
        return isNullable && type != .anything ? type.asOptional : type
    }

    /// The type of a named schema.
    func type(of key: SchemaKey) -> SwiftType {
        guard let named = document[key] else { return .anything }
        if let mapped = mapped(named.name) { return .standard(mapped) }
        let schema = merged(named.schema)
        if let choice = subtypesUnion(of: named) {
            let type = nominalType(of: choice, id: choice.origin.pointer, named: anyName(of: named))
            planWaiting()
            return type
        }
        if schema.reference == nil, isNominal(schema), exceededCombinations(of: schema) == nil {
            let type = nominalType(of: schema, id: key.text, named: wish(for: named))
            planWaiting()
            return type
        }
        if let known = knownTypes[key] { return known }
        guard open.insert(key).inserted else {
            isCut = true
            degrade(schema, "the schema \(named.name.quoted) contains itself without an object in between")
            return .anything
        }
        let wasCut = isCut
        isCut = false
        let type = type(of: named.schema, named: wish(for: named))
        open.remove(key)
        if !isCut { knownTypes[key] = type }
        isCut = (wasCut || isCut) && !open.isEmpty
        planWaiting()
        return type
    }

    private func plainType(of schema: Schema, named name: NameWish) -> SwiftType {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.depthMax else {
            isCut = true
            degrade(schema, "schemas are nested more than \(Self.depthMax) levels deep")
            return .anything
        }
        guard step(at: schema) else { return .anything }
        if let key = schema.reference, !schema.hasSiblings {
            return (schema.isBase ? baseType(of: key) : type(of: key)).withoutOptional
        }
        let schema = merged(schema)
        if let key = schema.reference { return type(of: key).withoutOptional }
        if let parts = onlyPart(of: schema) { return plainType(of: parts, named: name) }
        if let max = exceededCombinations(of: schema) {
            effort.exceed("choices that all apply have more than \(max) combinations", at: schema)
            return .anything
        }
        if isNominal(schema) { return nominalType(of: schema, id: schema.origin.pointer, named: name) }
        if !schema.properties.isEmpty, !schema.types.contains(.object) {
            let message = "a value that is \(schema.types.words) has \(schema.properties.count) properties"
            findings.add(.note, .notGenerated, at: schema.origin.position, message, action: "they are left out")
        }
        return valueType(of: schema, named: name)
    }

    /// The type of a schema that is not a generated type.
    private func valueType(of schema: Schema, named name: NameWish) -> SwiftType {
        let types = schema.types.withoutNull
        if let values = schema.values ?? schema.constant.map({ [Schema.EnumValue(value: $0)] }), !values.isEmpty,
            types.isSingle || types.isEmpty
        {
            findings.add(
                .note,
                .notGenerated,
                at: schema.origin.position,
                "the allowed values (\(values.count)) are neither all texts nor all integers",
                action: "any value of the type is allowed",
            )
        }
        if types == .array || types.isEmpty && (schema.items != nil || !schema.prefixItems.isEmpty) {
            return arrayType(of: schema, named: name)
        }
        if types == .object || types.isEmpty && isObject(schema) { return mapType(of: schema, named: name) }
        if types == .string { return stringType(of: schema) }
        if types == .integer {
            return mappedFormat(schema) ?? integerType(schema.format)
        }
        if types == .number || types == [.number, .integer] {
            return mappedFormat(schema) ?? numberType(schema.format)
        }
        if types == .boolean { return .standard("Bool") }
        if types.isEmpty, let type = mappedFormat(schema) { return type }
        if types.rawValue.nonzeroBitCount > 1 { return severalTypes(of: schema, types, named: name) }
        return .anything
    }

    private func mappedFormat(_ schema: Schema) -> SwiftType? {
        schema.format.flatMap { mapped($0) }.map(SwiftType.standard)
    }

    /// An `Int` holds an `int32` on all platforms, and an `int64` not on a watch.
    private func integerType(_ format: String?) -> SwiftType {
        switch format {
        case "int64": .standard("Int64")
        case "uint64": .standard("UInt64")
        default: .standard("Int")
        }
    }

    private func numberType(_ format: String?) -> SwiftType {
        switch format {
        case "float": .standard("Float")
        case "decimal": .standard("Decimal")
        case "int32", "integer": .standard("Int")
        case "int64": .standard("Int64")
        case "uint64": .standard("UInt64")
        default: .standard("Double")
        }
    }

    func stringType(of schema: Schema) -> SwiftType {
        if let type = mappedFormat(schema) { return type }
        switch schema.format {
        case "date-time": return .standard("Date")
        case "date": return .standard("CalendarDate")
        case "uuid": return .standard("UUID")
        case "uri", "url": return .standard("URL")
        case "byte", "binary": return .standard("Data")
        case "password": return .secret
        case "int32", "int64", "uint64", "double", "float", "decimal":
            return Self.textNumbers[schema.format ?? ""].map { .standard("NumberText<\($0)>") } ?? .text
        default: return schema.contentEncoding == "base64" ? .standard("Data") : .text
        }
    }

    /// The types of numbers that JSON has as strings.
    private static let textNumbers: [String: Code] = [
        "int32": "Int", "int64": "Int64", "uint64": "UInt64", "double": "Double", "float": "Double",
        "decimal": "Decimal",
    ]

    private func arrayType(of schema: Schema, named name: NameWish) -> SwiftType {
        guard schema.prefixItems.isEmpty else {
            let message = "a tuple has \(schema.prefixItems.count) elements of their own"
            degrade(schema, message, action: "its elements are JSONValue")
            return .array(.anything)
        }
        guard let items = schema.items else { return .array(.anything) }
        return .array(type(of: items, named: name.appending("Item", "items")))
    }

    private func mapType(of schema: Schema, named name: NameWish) -> SwiftType {
        .dictionary(othersType(of: schema, named: name) ?? .anything)
    }

    /// The type of the members that no property is for; `nil` if there are none, or if the document doesn't say.
    func othersType(of schema: Schema, named name: NameWish) -> SwiftType? {
        let values = name.appending("Value", "additionalProperties")
        if !schema.patternProperties.isEmpty { return patternsType(of: schema, named: values) }
        switch schema.additionalProperties {
        case .schema(let value): return type(of: value, named: values)
        case .anything: return .anything
        case .nothing: return nil
        case .unspecified:
            if case .schema(let value) = schema.unevaluatedProperties { return type(of: value, named: values) }
            return nil
        }
    }

    /// The type of members whose keys match patterns: a union, if the patterns have different ones.
    private func patternsType(of schema: Schema, named name: NameWish) -> SwiftType {
        var parts = schema.patternProperties.map(\.schema)
        switch schema.additionalProperties {
        case .schema(let others): parts.append(others)
        case .anything: return .anything
        case .nothing, .unspecified: break
        }
        let known = Set(parts.map { type(of: $0, named: name) })
        if known.count == 1, let only = known.first { return only }
        var union = Schema(origin: schema.origin)
        union.origin.pointer += "/patternProperties"
        union.oneOf = parts
        return type(of: union, named: name)
    }

    /// A union of the types that a schema allows without describing them further.
    private func severalTypes(of schema: Schema, _ types: SchemaTypes, named name: NameWish) -> SwiftType {
        var union = Schema(origin: schema.origin)
        union.description = schema.description
        union.oneOf = SchemaTypes.names.filter { types.contains($0.type) && $0.type != .null }.map { part in
            var variant = schema
            variant.types = part.type
            if part.type != .array { (variant.items, variant.prefixItems) = (nil, []) }
            if part.type != .object { variant = withoutMembers(variant) }
            variant.values = schema.values?.filter { part.type.contains(SchemaTypes(of: $0.value)) }
            if variant.values?.isEmpty == true || part.type == .boolean || part.type == .number { variant.values = nil }
            variant.origin.pointer += "/" + part.name
            return variant
        }
        return nominalType(of: union, id: schema.origin.pointer, named: name)
    }

    private func withoutMembers(_ schema: Schema) -> Schema {
        var schema = schema
        (schema.properties, schema.patternProperties, schema.furtherRequired) = ([], [], [])
        (schema.additionalProperties, schema.unevaluatedProperties) = (.unspecified, .unspecified)
        return schema
    }

    // MARK: Questions

    func merged(_ schema: Schema) -> Schema {
        guard !schema.allOf.isEmpty || schema.reference != nil && schema.hasSiblings else { return schema }
        if let known = mergedSchemas[schema.origin.pointer] { return known }
        let merged = merge.merged(schema)
        if merge.isSpent { effort.exceed("the parts of 'allOf' are too much work to be merged", at: schema) }
        mergedSchemas[schema.origin.pointer] = merged
        return merged
    }

    /// How much was looked at and made.
    var work: Work {
        var work = effort.work
        work.merges = merge.effort.merges
        work.refusals += merge.effort.refusals
        return work
    }

    /// Counts what is looked at of a schema; `false` if there was too much.
    func step(_ count: Int = 1, at schema: Schema) -> Bool { effort.step(count, at: schema) }

    /// Counts members of a type or of a request by their texts; `false` if there are too many.
    func takeMembers(_ texts: [String], besides count: Int = 0, at schema: Schema) -> Bool {
        effort.take(texts, besides: count, at: schema)
    }

    /// The only part of a combination that allows something else than null, if the schema says nothing beside it.
    private func onlyPart(of schema: Schema) -> Schema? {
        guard schema.properties.isEmpty, schema.values == nil, schema.items == nil else { return nil }
        let parts = variants(of: schema)
        return parts.count == 1 ? parts[0] : nil
    }

    /// The alternatives of a schema, without null.
    func variants(of schema: Schema) -> [Schema] {
        (schema.oneOf.isEmpty ? schema.anyOf : schema.oneOf).filter { !$0.isNull && $0.boolean != false }
    }

    func allowsNull(_ schema: Schema) -> Bool { schema.allowsNull(nullable) }

    private func isObject(_ schema: Schema) -> Bool {
        if !schema.properties.isEmpty || !schema.patternProperties.isEmpty || !schema.furtherRequired.isEmpty {
            return true
        }
        if case .unspecified = schema.additionalProperties { return false }
        return true
    }

    /// Whether a type is generated for a merged schema.
    private func isNominal(_ schema: Schema) -> Bool {
        if schema.reference != nil { return false }
        if variants(of: schema).count > 1 { return true }
        if variants(of: schema).count == 1, schema.properties.isEmpty { return false }
        if isEnumeration(schema) || isTuple(schema) { return true }
        let types = schema.types.withoutNull
        return !schema.properties.isEmpty && (types.isEmpty || types == .object)
    }

    /// The documentation of a text.
    func line(_ text: String?) -> String? {
        guard let text else { return nil }
        if let known = lines[text] { return known }
        let line = Documentation.line(text)
        lines[text] = .some(line)
        return line
    }

    // MARK: Options

    /// The name that the user chose for a schema, a property or an operation.
    func renamed(_ text: String) -> String? {
        guard let name = options.renames[text] else { return nil }
        usedOptions.insert(text)
        return name
    }

    /// The type of Swift that the user chose for a schema or a format.
    private func mapped(_ text: String) -> Code? {
        guard let type = options.typeMap[text] else { return nil }
        usedOptions.insert(text)
        return type
    }

    // MARK: Findings

    func degrade(_ schema: Schema, _ message: String, action: String = "it is generated as JSONValue") {
        findings.warn(.notGenerated, at: schema.origin.position, message, action: action)
    }

    func wish(for named: NamedSchema) -> NameWish {
        NameWish(
            renamed(named.name) ?? named.name,
            exact: named.name,
            outer: named.outerNames,
            rank: named.isComponent ? 0 : 1,
            identity: named.key.text,
            isChosen: renamed(named.name) != nil,
        )
    }

    // MARK: Generated types

    func nominalType(of schema: Schema, id: String, named found: NameWish) -> SwiftType {
        if options.history != nil { identities[id, default: []].insert(found.identity) }
        if let wish = wishes[id], plans[id] != nil {
            if found.isBetter(than: wish, for: id) { wishes[id] = found }
            return .model(id)
        }
        guard found.parts.count <= Self.partsMax else {
            degrade(schema, "types are nested more than \(Self.partsMax) levels deep")
            return .anything
        }
        let texts = schema.memberTexts
        guard takeMembers(texts, besides: 1 + id.weight + found.identity.weight, at: schema) else { return .anything }
        let name = preferred[id] ?? found
        plans[id] = TypePlan(
            id: id,
            name: "",
            kind: isEnumeration(schema) ? valuesKind(of: schema, id: id, named: name) : .alias(.anything),
            position: schema.origin.position,
            documentation: line(schema.description ?? schema.title),
            isDeprecated: schema.isDeprecated,
        )
        wishes[id] = name
        if variants(of: schema).count > 1 || !isEnumeration(schema) { waiting.append((id, schema, name)) }
        return .model(id)
    }

    /// Plans the members of types that were found, one after another, so that chains of types need no deep stack.
    private func planWaiting() {
        guard !isPlanning, depth == 0, open.isEmpty else { return }
        isPlanning = true
        var index = 0
        while index < waiting.count {
            let (id, schema, name) = waiting[index]
            let kind = kind(of: schema, id: id, named: name)
            plans[id]?.kind = kind
            index += 1
        }
        waiting = []
        isPlanning = false
    }

    private func kind(of schema: Schema, id: String, named name: NameWish) -> TypePlan.Kind {
        if variants(of: schema).count > 1 { return unionKind(of: schema, id: id, named: name) }
        return isTuple(schema)
            ? tupleKind(of: schema, id: id, named: name) : objectKind(of: schema, id: id, named: name)
    }

    /// Keeps the names of a type's members for the next run.
    func keep(_ names: MemberNames, of id: String) {
        memberNames[id] = names.toKeep
    }
}

/// The name that a type would have if there were no others, and what distinguishes it from them.
struct NameWish: Hashable {
    /// Texts that the name is made of.
    var parts: [String]
    /// The document's own name, if the type has one.
    var exact: String?
    var outer: [String]
    /// A smaller one goes first: named schemas before those that are named by where they are.
    var rank: Int
    /// The path by which a suffix is made.
    var path: String
    /// Where the type is, in words that stay when the document grows: pointers have indexes of arrays.
    var identity: String
    /// Whether the user chose the name, or that of the type it is in.
    var isChosen: Bool

    init(
        _ name: String,
        exact: String? = nil,
        outer: [String] = [],
        rank: Int,
        identity: String? = nil,
        isChosen: Bool = false,
    ) {
        parts = [name]
        (self.exact, self.outer, self.rank, path) = (exact, outer, rank, name)
        self.identity = identity ?? "\(rank) \(name)"
        self.isChosen = isChosen
    }

    /// The name of something inside, with what distinguishes it from others whose step is the same.
    func appending(_ part: String, _ step: String, _ identity: String? = nil) -> NameWish {
        var wish = self
        wish.parts.append(part)
        wish.exact = nil
        wish.rank = max(2, rank + 1)
        wish.path += "/" + step
        wish.identity += "/" + (identity ?? step)
        return wish
    }

    /// Whether a name is to be chosen instead of another one for the same type.
    ///
    /// A schema inside of a component has that component's name, whatever else contains it. Otherwise, a shorter path
    /// is better. So the order in which types are found has no influence.
    func isBetter(than other: NameWish, for id: String) -> Bool {
        let first = (isOwner(of: id) ? 0 : 1, rank, path.utf8.count, path)
        return first < (other.isOwner(of: id) ? 0 : 1, other.rank, other.path.utf8.count, other.path)
    }

    private func isOwner(of id: String) -> Bool {
        let owner = path.split(separator: "/", maxSplits: 1).first ?? ""
        return id.hasPrefix("#/components/schemas/\(owner)/") || id.hasPrefix("#/definitions/\(owner)/")
    }

    private static let lengthMax = 64

    var name: String {
        let name = SwiftName.type(parts.map(SwiftName.part).joined(separator: "-"))
        // A longer one would not fit on a line beside the name of a property.
        guard name.utf8.count > Self.lengthMax, exact == nil else { return name }
        return String(name.prefix(Self.lengthMax - 5)) + SwiftName.suffix(name)
    }
}
