extension SampleTree {
    /// Joins the objects that one type is good for: those of the same key with about the same members, and those that
    /// contain others of their own kind.
    mutating func joinAlike() {
        joinRecursive()
        // By the name that their types would have, in the order in which they were found.
        var groups: [String: [ObjectID]] = [:]
        for id in objects.indices {
            let leader = leader(ofObject: id)
            guard id == leader, id != rootObject, object(id).values == nil else { continue }
            let name = SwiftName.part(name(of: id))
            let known = groups[name, default: []].prefix(Self.comparisonsMax)
            if let same = known.first(where: { areAlike($0, id) }) {
                join(objects: same, id)
            } else {
                groups[name, default: []].append(id)
            }
        }
    }

    private static let comparisonsMax = 50

    /// The object that the samples are; `nil` if none of them is one.
    var rootObject: ObjectID? { shape(root).object.map { leader(ofObject: $0) } }

    /// The name of an object's type, if there were no others.
    func name(of id: ObjectID) -> String {
        let object = object(id)
        return object.isElement ? SampleKey.singular(object.key) : object.key
    }

    /// Joins each object with the one that it is in, if both have the member that leads to it: `children` of
    /// `children`.
    private mutating func joinRecursive() {
        for id in objects.indices where object(id).values == nil {
            guard let parent = objects[id].parent, object(parent).values == nil else { continue }
            let isRepeated = object(id).indexes[objects[id].key] != nil
            guard isRepeated, object(parent).indexes[objects[id].key] != nil, areAlike(parent, id, percent: 60) else {
                continue
            }
            join(objects: parent, id)
        }
    }

    /// Whether most members are the same, and none of these is of another kind.
    private func areAlike(_ one: ObjectID, _ other: ObjectID, percent: Int = 70) -> Bool {
        let (first, second) = (object(one), object(other))
        guard first.values == nil, second.values == nil else { return false }
        let shared = first.members.filter { second.indexes[$0.key] != nil }
        let all = first.members.count + second.members.count - shared.count
        guard shared.count * 100 >= all * percent else { return false }
        return shared.allSatisfy { member in
            guard let index = second.indexes[member.key] else { return false }
            let kinds = (kinds(of: member.shape), kinds(of: second.members[index].shape))
            guard kinds.0 == kinds.1 else { return kinds.0.isEmpty || kinds.1.isEmpty }
            return haveSameMaps(member.shape, second.members[index].shape)
        }
    }

    /// Whether neither place has a dictionary where the other one has an object, also inside of lists and
    /// dictionaries.
    ///
    /// Joined, an object that contains such a place would be a dictionary of itself.
    private func haveSameMaps(_ one: ShapeID, _ other: ShapeID) -> Bool {
        var open = [(one, other)]
        // Places may contain themselves.
        var stepCount = 0
        while let (one, other) = open.popLast(), stepCount < Self.comparisonsMax {
            stepCount += 1
            let (first, second) = (shape(one), shape(other))
            if let element = first.element, let otherElement = second.element { open.append((element, otherElement)) }
            guard let object = first.object, let otherObject = second.object else { continue }
            switch (self.object(object).values, self.object(otherObject).values) {
            case (let values?, let otherValues?): open.append((values, otherValues))
            case (nil, nil): break
            default: return false
            }
        }
        return true
    }
}
