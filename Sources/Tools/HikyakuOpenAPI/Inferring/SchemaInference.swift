/// Makes schemas of what samples have, in the language of documents, so that models are planned as those of any API.
///
/// Nothing of a sample gets into a schema but keys, and texts that are a set of a few values.
struct SchemaInference {
    private let tree: SampleTree
    private let findings: Findings
    /// What the pointers of all schemas begin with, so that several inferences don't share one.
    private let prefix: String
    /// The names of objects' types by the objects.
    private var names: [SampleTree.ObjectID: String] = [:]
    /// The next number of a name that is taken.
    private var numbers: [String: Int] = [:]
    private var used: Set<String>
    /// The name of what the samples are, and whether a type has it.
    private let rootName: String
    private var isRootTaken = false
    /// The places whose schemas are being made.
    private var openShapes: Set<SampleTree.ShapeID> = []
    private(set) var schemas: [NamedSchema] = []

    /// Infers all schemas.
    ///
    /// - Parameters:
    ///   - tree: What the samples have.
    ///   - rootName: The name of the type of the samples.
    ///   - used: Names that other types have.
    ///   - findings: Takes what a better sample would show.
    init(_ tree: SampleTree, rootName: String, besides used: Set<String>, _ findings: Findings) {
        var tree = tree
        tree.joinAlike()
        (self.tree, self.findings, self.used, prefix) = (tree, findings, used, "#/components/schemas/")
        self.rootName = rootName
        takeRoot(rootName)
        for position in tree.codes {
            let action = "they are left out, since they may be secret"
            findings.warn(.notGenerated, at: position, "an object has keys that are identifiers", action: action)
        }
        // Names first: what is found earlier keeps the shorter one.
        let objects = tree.reachableObjects()
        for id in objects { nameObject(id) }
        for id in objects where tree.object(id).values == nil && !tree.object(id).members.isEmpty { makeSchema(of: id) }
    }

    /// The name of the type of an object; `nil` for dictionaries and empty objects.
    func name(of object: SampleTree.ObjectID) -> String? { names[tree.leader(ofObject: object)] }

    /// The schema of the samples themselves.
    mutating func rootSchema() -> Schema {
        schema(of: tree.root, at: Place(key: rootName, pointer: "#/samples/\(rootName)"))
    }

    /// Gives the name to what the samples are made of: their elements, if they are lists or dictionaries.
    private mutating func takeRoot(_ name: String) {
        let subject = tree.shape(tree.subject)
        used.insert(name)
        guard let object = subject.object.map({ tree.leader(ofObject: $0) }) else { return }
        if tree.kinds(of: tree.subject) == .object {
            guard !tree.object(object).members.isEmpty else { return }
            (names[object], isRootTaken) = (name, true)
        } else {
            // A choice has the name.
            _ = take(name + "Object", for: object)
        }
    }

    // MARK: Names

    private mutating func nameObject(_ id: SampleTree.ObjectID) {
        guard names[id] == nil, tree.object(id).values == nil, !tree.object(id).members.isEmpty else { return }
        let own = SwiftName.type(tree.name(of: id))
        if take(own, for: id) { return }
        let outer = tree.object(id).parent.flatMap { names[tree.leader(ofObject: $0)] } ?? ""
        let long = SwiftName.type(outer + SwiftName.part(tree.name(of: id)))
        if take(long, for: id) { return }
        _ = take(numberedName(long), for: id)
    }

    /// A free name that begins with a wish, with a number if there is no other way.
    private mutating func numberedName(_ wish: String) -> String {
        // A longer name is never free, whatever its number.
        var scalars = wish.unicodeScalars
        var excess = wish.utf8.count - (Self.nameBytesMax - 8)
        while excess > 0, let last = scalars.popLast() { excess -= UTF8.width(last) }
        let base = String(scalars)
        if isFree(base) { return base }
        var number = numbers[base] ?? 2
        while !isFree("\(base)\(number)") { number += 1 }
        numbers[base] = number + 1
        return "\(base)\(number)"
    }

    /// The longest name of a type, in bytes.
    private static let nameBytesMax = 60

    private mutating func take(_ name: String, for id: SampleTree.ObjectID) -> Bool {
        guard isFree(name) else { return false }
        used.insert(name)
        names[id] = name
        return true
    }

    // MARK: Objects

    private mutating func makeSchema(of id: SampleTree.ObjectID) {
        guard let name = names[id] else { return }
        let object = tree.object(id)
        let pointer = prefix + name
        var schema = Schema(origin: SchemaOrigin(position: object.position, pointer: pointer))
        schema.types = .object
        for member in object.members {
            let place = Place(key: member.key, owner: name, pointer: "\(pointer)/properties/\(member.key)")
            let value = self.schema(of: member.shape, at: place)
            let shape = tree.shape(member.shape)
            schema.properties.append(
                Schema.Property(
                    name: member.key,
                    isRequired: member.count == object.count && shape.nulls == 0,
                    position: shape.position,
                    schema: value,
                )
            )
        }
        let key = SchemaKey(pointer)
        schemas.append(NamedSchema(key: key, name: name, outerNames: [], isComponent: true, schema: schema))
    }

    // MARK: Values

    /// Where a value is.
    private struct Place {
        var key: String
        /// The name of the type that has it; `nil` for the samples themselves.
        var owner: String?
        var pointer: String
        var isElement = false

        func inside(_ step: String) -> Self {
            Self(key: key, owner: owner, pointer: "\(pointer)/\(step)", isElement: true)
        }

        /// The name of a choice or of a set of values: `ItemState` for the member `state` of an `Item`.
        var typeName: String {
            guard let owner else { return key }
            return SwiftName.type(owner + SwiftName.part(isElement ? SampleKey.singular(key) : key))
        }
    }

    private mutating func schema(of id: SampleTree.ShapeID, at place: Place) -> Schema {
        let shape = tree.shape(id)
        var schema = Schema(origin: SchemaOrigin(position: shape.position, pointer: place.pointer))
        let kinds = tree.kinds(of: id)
        guard !kinds.isEmpty else {
            note(shape.position, "\(place.key.quoted) is null in each sample")
            schema.isNullable = true
            return schema
        }
        // Only a type with a name can contain itself.
        guard openShapes.insert(tree.leader(of: id)).inserted else {
            note(shape.position, "\(place.key.quoted) is a dictionary of itself", isKnown: true)
            return schema
        }
        defer { openShapes.remove(tree.leader(of: id)) }
        let parts = SchemaTypes.names.map(\.type).filter { kinds.contains($0) }
        if parts.count == 1 {
            schema = self.schema(of: parts[0], shape, at: place)
        } else {
            schema.oneOf = parts.map { part in
                var inner = place
                inner.pointer += "/oneOf/\(SchemaTypes.names.first { $0.type == part }?.name ?? "")"
                return self.schema(of: part, shape, at: inner)
            }
            schema = component(schema, at: place, "Choice")
        }
        if shape.nulls > 0 { schema.isNullable = true }
        return schema
    }

    /// The schema of the values of one kind.
    private mutating func schema(of kind: SchemaTypes, _ shape: SampleTree.Shape, at place: Place) -> Schema {
        var schema = Schema(origin: SchemaOrigin(position: shape.position, pointer: place.pointer))
        schema.types = kind
        switch kind {
        case .number:
            guard let (type, format) = shape.numbers.type else {
                note(shape.position, "a number of \(place.key.quoted) is too large for any type", isKnown: true)
                schema.types = []
                return schema
            }
            (schema.types, schema.format) = (type, format)
        case .string:
            schema.format = shape.texts.format
            guard let values = shape.texts.values(of: place.key) else { return schema }
            schema.values = values.map { Schema.EnumValue(value: DocumentNode(.string($0), at: shape.position)) }
            schema.description = "The values of the samples; others are kept as they are."
            return component(schema, at: place, "Value")
        case .array:
            guard let element = shape.element else {
                note(shape.position, "\(place.key.quoted) is empty in each sample")
                return schema
            }
            schema.items = self.schema(of: element, at: place.inside("items"))
        case .object: setObject(&schema, shape, at: place)
        default: break
        }
        return schema
    }

    private mutating func setObject(_ schema: inout Schema, _ shape: SampleTree.Shape, at place: Place) {
        guard let id = shape.object.map({ tree.leader(ofObject: $0) }) else { return }
        let object = tree.object(id)
        if let values = object.values {
            schema.additionalProperties = .schema(self.schema(of: values, at: place.inside("values")))
        } else if let name = names[id] {
            schema.types = []
            schema.reference = SchemaKey(prefix + name)
        } else {
            note(shape.position, "\(place.key.quoted) is an empty object in each sample")
            schema.additionalProperties = .anything
        }
    }

    /// Gives a schema a name of its own, and returns one that refers to it.
    private mutating func component(_ schema: Schema, at place: Place, _ suffix: String) -> Schema {
        let wish = place.typeName
        var name = wish
        let isRoot = place.owner == nil && wish == rootName && !isRootTaken
        if isRoot {
            isRootTaken = true
        } else if !isFree(wish) {
            name = numberedName(wish + suffix)
        }
        used.insert(name)
        var schema = schema
        let key = SchemaKey(prefix + name)
        let pointer = schema.origin.pointer
        schema.origin.pointer = key.text
        schemas.append(NamedSchema(key: key, name: name, outerNames: [], isComponent: true, schema: schema))
        var reference = Schema(origin: SchemaOrigin(position: schema.origin.position, pointer: pointer))
        reference.reference = key
        return reference
    }

    private func isFree(_ name: String) -> Bool {
        !SwiftName.reservedTypes.contains(name) && !SwiftName.commonTypes.contains(name)
            && name.utf8.count <= Self.nameBytesMax
            && !used.contains(name) && !Self.hiddenTypes.contains(name)
    }

    /// Names that mean something else inside of a model or a request: what its protocols have.
    static let hiddenTypes: Set<String> = ["CodingKeys", "CodingKey", "RawValue", "AllCases", "ID", "Hasher", "Access"]

    // MARK: Findings

    private func note(_ position: SourcePosition, _ message: String, isKnown: Bool = false) {
        let action = "it is a JSONValue" + (isKnown ? "" : "; a sample with a value shows its type")
        findings.warn(.notGenerated, at: position, message, action: action)
    }
}

extension SampleTree {
    /// What the samples are, or what their lists or dictionaries are made of.
    var subject: ShapeID {
        var id = root
        var seen: Set<ShapeID> = []
        while seen.insert(leader(of: id)).inserted {
            let shape = shape(id)
            switch kinds(of: id) {
            case .array:
                guard let element = shape.element else { return id }
                id = element
            case .object:
                guard let values = shape.object.map({ object($0) })?.values else { return id }
                id = values
            default: return id
            }
        }
        return id
    }

    /// The objects from the samples down, each once, in the order in which a reader finds them.
    func reachableObjects() -> [ObjectID] {
        var order: [ObjectID] = []
        var seen: Set<ObjectID> = []
        var open: [ShapeID] = [root]
        var seenShapes: Set<ShapeID> = []
        var index = 0
        while index < open.count {
            let shape = shape(open[index])
            index += 1
            if let element = shape.element, seenShapes.insert(element).inserted { open.append(element) }
            guard let id = shape.object.map({ leader(ofObject: $0) }), seen.insert(id).inserted else { continue }
            order.append(id)
            let object = object(id)
            if let values = object.values, seenShapes.insert(values).inserted { open.append(values) }
            for member in object.members where seenShapes.insert(member.shape).inserted { open.append(member.shape) }
        }
        return order
    }
}
