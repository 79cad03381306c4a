/// Merges the parts of `allOf` into one schema.
///
/// It keeps what it merged of named schemas: to merge many schemas, use one value for all of them.
struct SchemaMerge {
    /// A contradiction between two parts.
    struct Conflict {
        var position: SourcePosition
        var message: String
        var action: String
    }

    private let document: APIDocument
    private(set) var conflicts: [Conflict] = []
    /// The schemas whose parts are being merged, so that one that contains itself comes to an end.
    private var open: Set<SchemaKey> = []
    /// Named schemas with their parts merged.
    private var known: [SchemaKey: Schema] = [:]
    /// Whether a part was left out because it contains itself; the result depends on where it began then.
    private var isCut = false
    /// How many parts were looked up for the current schema: parts that contain each other have no end otherwise.
    private var expansions = 0
    /// How many parts and properties were looked at.
    private var budget: Budget
    /// The pointers of what parts make of a property that they share, by these parts.
    private var combinations: [[String]: [String]] = [:]
    private static let conflictsMax = 10_000

    init(_ document: APIDocument, effortMax: Int) {
        self.document = document
        budget = Budget(effortMax)
    }

    /// Whether there was too much to merge: further schemas allow anything.
    var isSpent: Bool { budget.isSpent }
    var effort: (merges: Int, refusals: Int) { (budget.spent, budget.refusals) }

    /// Counts what is looked at; `false` if it is too much.
    mutating func take(_ count: Int) -> Bool { budget.take(count) }

    /// The schema with its parts merged into it; ``Schema/allOf`` has what can't be merged.
    mutating func merged(_ schema: Schema) -> Schema {
        guard !schema.allOf.isEmpty || schema.reference != nil && schema.hasSiblings else { return schema }
        guard budget.take(1 + schema.allOf.count) else { return schema.withoutContent }
        var own = schema
        own.allOf = []
        own.reference = nil
        own.hasSiblings = false
        var parts = schema.allOf
        if let reference = schema.reference {
            var part = Schema(origin: schema.origin)
            part.reference = reference
            parts.insert(part, at: 0)
        }
        var result = Schema(origin: schema.origin)
        var isFirst = true
        for part in parts {
            guard var part = expanded(part) else { continue }
            // A base may name its subtypes, of which this is one, as its alternatives.
            if (part.oneOf + part.anyOf).contains(where: { $0.reference?.text == schema.origin.pointer }) {
                (part.oneOf, part.anyOf, part.discriminator) = ([], [], nil)
            }
            if isFirst { result = start(with: part, at: schema.origin) } else { merge(part, into: &result) }
            isFirst = false
        }
        merge(own, into: &result)
        takeAnnotations(of: own, parts.count, &result)
        applyRequired(&result)
        // What was merged in part would be another type than the document means.
        return isSpent ? schema.withoutContent : result
    }

    /// A part with what it refers to; `nil` if it is being merged already.
    private mutating func expanded(_ part: Schema) -> Schema? {
        guard let key = part.reference else { return merged(part) }
        if let found = known[key] { return found }
        if open.isEmpty { expansions = 0 }
        expansions += 1
        guard open.count < 64, expansions < 1_000, open.insert(key).inserted else {
            isCut = true
            let message = "the parts of 'allOf' are too many, or contain themselves"
            let position = document[key]?.schema.origin.position ?? part.origin.position
            add(Conflict(position: position, message: message, action: "a part is left out"))
            return nil
        }
        let wasCut = isCut
        isCut = false
        defer {
            open.remove(key)
            isCut = wasCut || isCut && !open.isEmpty
        }
        guard let target = document[key]?.schema else { return nil }
        var result = target.reference != nil && !target.hasSiblings ? expanded(target) : merged(target)
        // A base's discriminator chooses among its subtypes, of which this is one.
        if let found = result, found.oneOf.isEmpty, found.anyOf.isEmpty { result?.discriminator = nil }
        if !isCut { known[key] = result }
        return result
    }

    private func start(with part: Schema, at origin: SchemaOrigin) -> Schema {
        var result = part
        result.origin = origin
        result.extensions = []
        return result
    }

    private mutating func merge(_ part: Schema, into result: inout Schema) {
        guard budget.take(1 + (part.values?.count ?? 0) + part.furtherRequired.count + part.patternProperties.count)
        else {
            return
        }
        mergeTypes(of: part, into: &result)
        mergeValues(of: part, into: &result)
        merge(part.properties, into: &result)
        for name in part.furtherRequired where !result.furtherRequired.contains(name) {
            result.furtherRequired.append(name)
        }
        result.additionalProperties = merged(result.additionalProperties, part.additionalProperties)
        result.unevaluatedProperties = merged(result.unevaluatedProperties, part.unevaluatedProperties)
        for pattern in part.patternProperties
        where !result.patternProperties.contains(where: { $0.pattern == pattern.pattern }) {
            result.patternProperties.append(pattern)
        }
        result.propertyNames = result.propertyNames ?? part.propertyNames
        mergeItems(of: part, into: &result)
        mergeAlternatives(of: part, into: &result)
        mergeConstraints(of: part, into: &result)
        result.contentMediaType = result.contentMediaType ?? part.contentMediaType
        result.contentEncoding = result.contentEncoding ?? part.contentEncoding
        result.contentSchema = result.contentSchema ?? part.contentSchema
        result.isReadOnly = result.isReadOnly || part.isReadOnly
        result.isWriteOnly = result.isWriteOnly || part.isWriteOnly
        result.boolean = result.boolean == false || part.boolean == false ? false : result.boolean ?? part.boolean
    }

    // MARK: Types and values

    private mutating func mergeTypes(of part: Schema, into result: inout Schema) {
        defer {
            if result.format == nil {
                result.format = part.format
            } else if let format = part.format, let own = result.format, format != own {
                conflict(part, "the format \(format.quoted) contradicts \(own.quoted) of another part of 'allOf'")
            }
        }
        guard !part.types.isEmpty else { return }
        guard !result.types.isEmpty else {
            result.types = part.types
            if result.isNullable { result.types.insert(.null) }
            result.isNullable = false
            return
        }
        var common = result.types.intersection(part.types)
        if result.types.union(part.types).contains([.number, .integer]), !common.contains(.number) {
            common.insert(.integer)
        }
        guard !common.withoutNull.isEmpty || common == .null && result.types == .null else {
            if !result.types.withoutNull.isEmpty, !part.types.withoutNull.isEmpty {
                conflict(part, "it is \(part.types.words), and another part of 'allOf' \(result.types.words)")
            }
            return
        }
        result.types = common
    }

    private mutating func mergeValues(of part: Schema, into result: inout Schema) {
        result.constant = result.constant ?? part.constant
        result.defaultValue = result.defaultValue ?? part.defaultValue
        guard let values = part.values else { return }
        guard let own = result.values else {
            result.values = values
            return
        }
        let allowed = Set(values.map { $0.value.jsonValue })
        let common = own.filter { allowed.contains($0.value.jsonValue) }
        if common.isEmpty {
            conflict(part, "its allowed values have none in common with those of another part of 'allOf'")
        } else {
            result.values = common
        }
    }

    // MARK: Objects and arrays

    private mutating func merge(_ properties: [Schema.Property], into result: inout Schema) {
        guard !properties.isEmpty, budget.take(properties.count + result.properties.count) else { return }
        let names = zip(result.properties.lazy.map(\.name), result.properties.indices)
        let indexes = Dictionary(names) { first, _ in first }
        for property in properties {
            if let index = indexes[property.name] {
                merge(property, at: index, of: &result)
            } else {
                result.properties.append(property)
            }
        }
    }

    private mutating func merge(_ property: Schema.Property, at index: Int, of result: inout Schema) {
        let first = result.properties[index]
        result.properties[index].isRequired = first.isRequired || property.isRequired
        let pointer = "\(result.origin.pointer)/properties/\(Pointer.escaped(property.name))"
        result.properties[index].schema = combined(first.schema, property.schema, pointer)
    }

    /// A schema to which both apply.
    private mutating func combined(_ one: Schema, _ other: Schema, _ pointer: String) -> Schema {
        if one.origin == other.origin { return one }
        if let key = one.reference, key == other.reference, !one.hasSiblings, !other.hasSiblings { return other }
        if other.isUnrestricted, other.constraints == nil { return one.described(like: other) }
        if one.isUnrestricted, one.constraints == nil { return other.described(like: one) }
        // A part that comes from two sides applies once.
        var seen: Set<String> = []
        let all = [one, other].flatMap { $0.isMereAllOf ? $0.allOf : [$0] }
        let parts = all.filter { seen.insert($0.identity).inserted }
        _ = budget.take(parts.count)
        var both = Schema(origin: SchemaOrigin(position: other.origin.position, pointer: pointer))
        both.origin.pointer = enclosing(pointer, of: parts)
        both.allOf = parts
        both.isReadOnly = one.isReadOnly || other.isReadOnly
        both.isWriteOnly = one.isWriteOnly || other.isWriteOnly
        both.isDeprecated = one.isDeprecated || other.isDeprecated
        both.description = other.description ?? one.description
        both.title = other.title ?? one.title
        both.defaultValue = other.defaultValue ?? one.defaultValue
        both.examples = other.examples + one.examples
        return both
    }

    /// The pointer of the same parts that a combination of them is in, or else its own: what contains itself ends.
    private mutating func enclosing(_ pointer: String, of parts: [Schema]) -> String {
        let key = parts.map(\.identity)
        let known = combinations[key] ?? []
        if let outer = known.first(where: { pointer.hasPrefix($0 + "/") }) { return outer }
        if known.count < 32, !known.contains(pointer) { combinations[key] = known + [pointer] }
        return pointer
    }

    private func merged(_ one: Schema.OpenContent, _ other: Schema.OpenContent) -> Schema.OpenContent {
        switch (one, other) {
        case (.schema, _): one
        case (_, .schema): other
        case (.anything, _), (_, .anything): .anything
        case (.nothing, _), (_, .nothing): .nothing
        default: .unspecified
        }
    }

    private mutating func mergeItems(of part: Schema, into result: inout Schema) {
        if result.prefixItems.isEmpty { result.prefixItems = part.prefixItems }
        result.allowsFurtherItems = result.allowsFurtherItems && part.allowsFurtherItems
        guard let items = part.items else { return }
        guard let own = result.items else {
            result.items = items
            return
        }
        result.items = combined(own, items, result.origin.pointer + "/items")
    }

    // MARK: Alternatives

    private mutating func mergeAlternatives(of part: Schema, into result: inout Schema) {
        // What can't be merged stays a part of its own.
        for choice in part.allOf where !hasChoice(choice, result) { result.allOf.append(choice) }
        guard !part.oneOf.isEmpty || !part.anyOf.isEmpty else {
            if part.discriminator != nil, result.oneOf.isEmpty, result.anyOf.isEmpty {
                result.discriminator = part.discriminator
            }
            return
        }
        guard budget.take(part.oneOf.count + part.anyOf.count), !hasChoice(part, result) else { return }
        guard result.oneOf.isEmpty, result.anyOf.isEmpty else {
            var rest = Schema(origin: part.origin)
            (rest.oneOf, rest.anyOf, rest.discriminator) = (part.oneOf, part.anyOf, part.discriminator)
            result.allOf.append(rest)
            return
        }
        (result.oneOf, result.anyOf) = (part.oneOf, part.anyOf)
        result.discriminator = part.discriminator ?? result.discriminator
    }

    /// Whether a choice applies already: a part that comes from two sides applies once.
    private mutating func hasChoice(_ part: Schema, _ result: Schema) -> Bool {
        func isSame(_ other: Schema) -> Bool {
            other.oneOf.elementsEqual(part.oneOf) { $0.origin.pointer == $1.origin.pointer }
                && other.anyOf.elementsEqual(part.anyOf) { $0.origin.pointer == $1.origin.pointer }
        }
        guard !part.oneOf.isEmpty || !part.anyOf.isEmpty else { return false }
        _ = budget.take(result.allOf.count)
        return isSame(result) || result.allOf.contains(where: isSame)
    }

    private func mergeConstraints(of part: Schema, into result: inout Schema) {
        guard let other = part.constraints else { return }
        guard var own = result.constraints else {
            result.constraints = other
            return
        }
        own.minimum = own.minimum ?? other.minimum
        own.maximum = own.maximum ?? other.maximum
        own.exclusiveMinimum = own.exclusiveMinimum ?? other.exclusiveMinimum
        own.exclusiveMaximum = own.exclusiveMaximum ?? other.exclusiveMaximum
        own.multipleOf = own.multipleOf ?? other.multipleOf
        own.lengthMin = own.lengthMin ?? other.lengthMin
        own.lengthMax = own.lengthMax ?? other.lengthMax
        own.pattern = own.pattern ?? other.pattern
        own.itemsMin = own.itemsMin ?? other.itemsMin
        own.itemsMax = own.itemsMax ?? other.itemsMax
        own.hasUniqueItems = own.hasUniqueItems || other.hasUniqueItems
        own.propertiesMin = own.propertiesMin ?? other.propertiesMin
        own.propertiesMax = own.propertiesMax ?? other.propertiesMax
        result.constraints = own
    }

    // MARK: Annotations

    /// The schema's own annotations, or those of its only part.
    private func takeAnnotations(of own: Schema, _ partCount: Int, _ result: inout Schema) {
        let isOnly = partCount == 1
        result.title = own.title ?? (isOnly ? result.title : nil)
        result.description = own.description ?? (isOnly ? result.description : nil)
        result.isDeprecated = own.isDeprecated || isOnly && result.isDeprecated
        result.examples = own.examples.isEmpty && isOnly ? result.examples : own.examples
        result.defaultValue = own.defaultValue ?? result.defaultValue
        result.extensions = own.extensions
        if own.allowsNull {
            if result.types.isEmpty { result.isNullable = true } else { result.types.insert(.null) }
        }
    }

    private func applyRequired(_ result: inout Schema) {
        guard !result.furtherRequired.isEmpty else { return }
        let required = Set(result.furtherRequired)
        for index in result.properties.indices where required.contains(result.properties[index].name) {
            result.properties[index].isRequired = true
        }
        let names = Set(result.properties.map(\.name))
        result.furtherRequired.removeAll { names.contains($0) }
    }

    private mutating func conflict(_ part: Schema, _ message: String) {
        add(Conflict(position: part.origin.position, message: message, action: "the first part is used"))
    }

    private mutating func add(_ conflict: Conflict) {
        if conflicts.count < Self.conflictsMax { conflicts.append(conflict) }
    }
}

extension Schema {
    /// The schema as one that allows anything.
    var withoutContent: Schema {
        var schema = Schema(origin: origin)
        (schema.title, schema.description, schema.isDeprecated) = (title, description, isDeprecated)
        return schema
    }

    /// What distinguishes a part from others: what it refers to, or where it is.
    fileprivate var identity: String { hasSiblings ? origin.pointer : reference?.text ?? origin.pointer }

    /// Whether it has nothing but parts.
    fileprivate var isMereAllOf: Bool {
        var rest = self
        rest.allOf = []
        return !allOf.isEmpty && rest.isUnrestricted && rest.constraints == nil && rest.discriminator == nil
    }

    /// The schema with the annotations of another one that has nothing else.
    fileprivate func described(like other: Schema) -> Schema {
        var schema = self
        schema.title = title ?? other.title
        schema.description = other.description ?? description
        schema.defaultValue = defaultValue ?? other.defaultValue
        schema.isReadOnly = isReadOnly || other.isReadOnly
        schema.isWriteOnly = isWriteOnly || other.isWriteOnly
        schema.isDeprecated = isDeprecated || other.isDeprecated
        if schema.examples.isEmpty { schema.examples = other.examples }
        return schema
    }
}
