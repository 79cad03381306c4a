/// A value in a response, with the properties that lead there.
struct ResponsePlace {
    /// The properties as they are written after a value: `meta?.nextCursor`.
    var path: Code
    /// Without its Optional.
    var type: SwiftType
    /// Whether it, or a value on the way, may be `nil`.
    var isOptional: Bool
    var documentation: String?
    /// The keys, in small letters and without signs.
    var keys: [String]
}

/// Finds the values of a response by their keys.
struct ResponsePlaces {
    private let plans: [String: TypePlan]
    private static let depthMax = 3
    /// More than that are hardly about the page.
    private static let placesMax = 1_000

    init(_ plans: [TypePlan]) {
        self.plans = Dictionary(plans.map { ($0.id, $0) }) { first, _ in first }
    }

    /// A type behind the typealiases that lead to it.
    func resolved(_ type: SwiftType) -> SwiftType {
        var type = type
        for _ in 0..<16 {
            guard case .model(let id) = type, case .alias(let target) = plans[id]?.kind else { return type }
            guard !target.isOptional else { return type }
            type = target
        }
        return type
    }

    /// The properties of an object that is not a typealias of something else.
    func properties(of type: SwiftType) -> [PropertyPlan] {
        guard case .model(let id) = resolved(type), case .object(let found, _) = plans[id]?.kind else { return [] }
        return found
    }

    func place(_ property: PropertyPlan, in outer: ResponsePlace?) -> ResponsePlace {
        let name = SwiftName.quoted(property.name)
        let prefix: Code = outer.map { $0.isOptional ? "\($0.path)?." : "\($0.path)." } ?? ""
        return ResponsePlace(
            path: "\(prefix)\(name)",
            type: property.type.withoutOptional,
            isOptional: property.type.isOptional || outer?.isOptional == true,
            documentation: property.documentation,
            keys: (outer?.keys ?? []) + [PageWords.plain(property.key)],
        )
    }

    /// The value to which keys lead.
    func place(at keys: [String], in type: SwiftType) -> ResponsePlace? {
        var (type, place): (SwiftType, ResponsePlace?) = (type, nil)
        for key in keys {
            guard let property = properties(of: type).first(where: { $0.key == key }) else { return nil }
            place = self.place(property, in: place)
            type = property.type.withoutOptional
        }
        return place
    }

    /// All values of an object and of the objects in it that say something about the page, those outside first.
    func all(in type: SwiftType) -> [ResponsePlace] {
        var count = 0
        return all(in: type, nil, 0, &count)
    }

    private func all(in type: SwiftType, _ outer: ResponsePlace?, _ depth: Int, _ count: inout Int) -> [ResponsePlace] {
        guard depth < Self.depthMax, count < Self.placesMax else { return [] }
        var places = properties(of: type).map { place($0, in: outer) }
        count += places.count
        for place in places where PageWords.containers.contains(place.keys.last ?? "") {
            places += all(in: place.type, place, depth + 1, &count)
        }
        return places
    }
}
