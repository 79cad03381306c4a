/// What samples have at each place: kinds of values by the paths to them, and what objects have in common.
///
/// Shapes and objects refer to each other by indexes, so that one may contain itself. Those that are found to be the
/// same are joined: ``shape(_:)`` and ``object(_:)`` lead to the joined one.
struct SampleTree {
    typealias ShapeID = Int
    typealias ObjectID = Int

    /// The values at one place.
    struct Shape {
        /// All values, with those that are null.
        var count = 0
        var nulls = 0
        var booleans = 0
        var numbers = SampleNumbers()
        var texts = SampleTexts()
        var arrays = 0
        /// The elements of all arrays; `nil` if all are empty.
        var element: ShapeID?
        /// The objects; `nil` if there are none.
        var object: ObjectID?
        var position: SourcePosition
    }

    /// The objects at one place.
    struct Object {
        /// The key that they are the values of.
        var key: String
        /// Whether ``key`` is that of a list or a map of them.
        var isElement: Bool
        /// The objects whose member they are.
        var parent: ObjectID?
        var count = 0
        /// In the order of the first sample that has them.
        var members: [Member] = []
        var indexes: [String: Int] = [:]
        /// The values of all members, if the objects are dictionaries.
        var values: ShapeID?
        var position: SourcePosition
    }

    struct Member {
        var key: String
        /// How many objects have it.
        var count: Int
        var shape: ShapeID
    }

    private(set) var shapes: [Shape] = []
    private(set) var objects: [Object] = []
    private var shapeLeaders: [ShapeID] = []
    private var objectLeaders: [ObjectID] = []
    /// The shape of the samples themselves.
    let root: ShapeID
    private let name: String
    /// Whether there were too many places, of which the rest was left out.
    private(set) var isFull = false
    private static let shapesMax = 200_000
    /// The objects that had keys which may be credentials.
    private(set) var codes: [SourcePosition] = []

    init(of samples: [DocumentNode], name: String) {
        (root, self.name) = (0, name)
        makeShape(at: samples.first?.position ?? SourcePosition())
        for sample in samples { add(sample, to: root, key: name, isElement: false, parent: nil) }
        findMaps()
    }

    // MARK: Adding

    @discardableResult
    private mutating func makeShape(at position: SourcePosition) -> ShapeID {
        shapes.append(Shape(position: position))
        shapeLeaders.append(shapes.count - 1)
        return shapes.count - 1
    }

    private mutating func add(_ node: DocumentNode, to id: ShapeID, key: String, isElement: Bool, parent: ObjectID?) {
        guard shapes.count < Self.shapesMax else { return isFull = true }
        shapes[id].count += 1
        switch node.content {
        case .null: shapes[id].nulls += 1
        case .bool: shapes[id].booleans += 1
        case .number(let text): shapes[id].numbers.add(text)
        case .string(let text): shapes[id].texts.add(text)
        case .array(let elements):
            shapes[id].arrays += 1
            for value in elements {
                let element = shapes[id].element ?? makeShape(at: value.position)
                shapes[id].element = element
                add(value, to: element, key: key, isElement: true, parent: parent)
            }
        case .object(let members):
            let object = shapes[id].object ?? makeObject(key, isElement, parent, at: node.position)
            shapes[id].object = object
            add(members, to: object)
        }
    }

    private mutating func makeObject(
        _ key: String,
        _ isElement: Bool,
        _ parent: ObjectID?,
        at position: SourcePosition,
    ) -> ObjectID {
        objects.append(Object(key: key, isElement: isElement, parent: parent, position: position))
        objectLeaders.append(objects.count - 1)
        return objects.count - 1
    }

    private mutating func add(_ members: [DocumentMember], to object: ObjectID) {
        objects[object].count += 1
        for member in members {
            let shape: ShapeID
            if let index = objects[object].indexes[member.key] {
                objects[object].members[index].count += 1
                shape = objects[object].members[index].shape
            } else {
                shape = makeShape(at: member.value.position)
                objects[object].indexes[member.key] = objects[object].members.count
                objects[object].members.append(Member(key: member.key, count: 1, shape: shape))
            }
            add(member.value, to: shape, key: member.key, isElement: false, parent: object)
        }
    }

    // MARK: Looking up

    func leader(of shape: ShapeID) -> ShapeID {
        var id = shape
        while shapeLeaders[id] != id { id = shapeLeaders[id] }
        return id
    }

    func leader(ofObject object: ObjectID) -> ObjectID {
        var id = object
        while objectLeaders[id] != id { id = objectLeaders[id] }
        return id
    }

    func shape(_ id: ShapeID) -> Shape { shapes[leader(of: id)] }

    func object(_ id: ObjectID) -> Object { objects[leader(ofObject: id)] }

    /// The kinds of values that are not null.
    func kinds(of id: ShapeID) -> SchemaTypes {
        let shape = shape(id)
        var kinds: SchemaTypes = []
        if shape.booleans > 0 { kinds.insert(.boolean) }
        if shape.numbers.count > 0 { kinds.insert(.number) }
        if shape.texts.count > 0 { kinds.insert(.string) }
        if shape.arrays > 0 { kinds.insert(.array) }
        if shape.object != nil { kinds.insert(.object) }
        return kinds
    }

    // MARK: Joining

    /// Joins objects that are the same, with what is in them.
    mutating func join(objects one: ObjectID, _ other: ObjectID) {
        let (first, second) = (leader(ofObject: one), leader(ofObject: other))
        guard first != second else { return }
        objectLeaders[second] = first
        let source = objects[second]
        objects[first].count += source.count
        if let values = source.values {
            makeMap(first)
            if let own = objects[first].values { join(shapes: own, values) } else { objects[first].values = values }
            return
        }
        if objects[first].values != nil { return joinMembers(of: source, toMap: first) }
        for member in source.members {
            // What is joined inside may have added members to this very object, or made a dictionary of it.
            let target = leader(ofObject: first)
            if let values = objects[target].values {
                join(shapes: values, member.shape)
            } else if let index = objects[target].indexes[member.key] {
                objects[target].members[index].count += member.count
                join(shapes: objects[target].members[index].shape, member.shape)
            } else {
                objects[target].indexes[member.key] = objects[target].members.count
                objects[target].members.append(member)
            }
        }
    }

    private mutating func joinMembers(of source: Object, toMap map: ObjectID) {
        for member in source.members {
            let target = leader(ofObject: map)
            if let values = objects[target].values {
                join(shapes: values, member.shape)
            } else {
                objects[target].values = member.shape
            }
        }
    }

    private mutating func join(shapes one: ShapeID, _ other: ShapeID) {
        let (first, second) = (leader(of: one), leader(of: other))
        guard first != second else { return }
        shapeLeaders[second] = first
        let source = shapes[second]
        shapes[first].count += source.count
        shapes[first].nulls += source.nulls
        shapes[first].booleans += source.booleans
        shapes[first].numbers.add(source.numbers)
        shapes[first].texts.add(source.texts)
        shapes[first].arrays += source.arrays
        if let element = source.element {
            if let own = shapes[first].element { join(shapes: own, element) } else { shapes[first].element = element }
        }
        if let object = source.object {
            let target = leader(of: first)
            if let own = shapes[target].object { join(objects: own, object) } else { shapes[target].object = object }
        }
    }

    // MARK: Maps

    /// Makes dictionaries of objects whose keys are not names, those inside first.
    private mutating func findMaps() {
        for id in objects.indices.reversed() where objectLeaders[id] == id {
            if isMap(id) { makeMap(id) } else { dropCodes(of: id) }
        }
    }

    /// Drops the members whose keys may be credentials, so that no name is made of them.
    private mutating func dropCodes(of id: ObjectID) {
        let members = objects[id].members
        guard members.contains(where: { SampleKey.isCode($0.key) }) else { return }
        codes.append(objects[id].position)
        let kept = members.filter { !SampleKey.isCode($0.key) }
        objects[id].members = kept
        objects[id].indexes = Dictionary(uniqueKeysWithValues: zip(kept.map(\.key), kept.indices))
    }

    private func isMap(_ id: ObjectID) -> Bool {
        let members = objects[id].members
        if members.count > SampleKey.membersMax { return true }
        guard SampleKey.areOfMap(members.map(\.key)) else { return false }
        // Members of different kinds are not values of one kind.
        let kinds = members.map { self.kinds(of: $0.shape) }.filter { !$0.isEmpty }
        return kinds.allSatisfy { $0 == kinds.first }
    }

    private mutating func makeMap(_ id: ObjectID) {
        let source = objects[id]
        guard source.values == nil else { return }
        (objects[id].members, objects[id].indexes) = ([], [:])
        joinMembers(of: source, toMap: id)
        if let value = objects[id].values, let inner = shape(value).object {
            let leader = leader(ofObject: inner)
            if objects[leader].parent == id {
                // The values are named after the map.
                (objects[leader].key, objects[leader].isElement) = (source.key, true)
                objects[leader].parent = source.parent
            }
        }
    }
}
