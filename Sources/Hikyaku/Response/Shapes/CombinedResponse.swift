import HikyakuBase

/// Several parts of one object, as a tuple.
///
/// ```swift
/// struct Menu: APIRequest {
///     typealias Definition = CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>>
///     …
/// }
/// let (info, dishes) = try await client.send(Menu())   // {"info": {…}, "dishes": […]}
/// ```
/// The parts are read in their order, from a body that is read once. Two parts with the same key, of one model say, are
/// refused before anything is sent: ``KeyedResponse`` gives each its own.
public struct CombinedResponse<each Part: DecodedPart>: DecodedPart where repeat (each Part).Key: ResponseKey {
    /// The parts' results in a tuple; that of a single part by itself.
    public typealias Result = (repeat (each Part).Result)

    /// Which key two parts share, or what is wrong with one of them.
    public static var definitionProblem: String? { ShapeLayout.of(Self.self).problem }

    /// Those of each part.
    public static func forEachPart(of result: (repeat (each Part).Result), _ visit: (Any) -> Void) {
        repeat (each Part).forEachPart(of: each result, visit)
    }

    /// Reads the parts.
    public static func decode(from decoder: any Decoder) throws -> (repeat (each Part).Result) {
        var parts = EnvelopeParts(decoder, ShapeLayout.of(Self.self))
        return (repeat try parts.next((each Part).self))
    }
}

extension CombinedResponse: LaidOut {
    static func makeLayout() -> ShapeLayout {
        var layout = ShapeLayout()
        repeat layout.add((each Part).self)
        return layout
    }
}

/// A shape under a key that is given where it is used, also inside of objects: `results`, `data.items`.
///
/// ```swift
/// enum Items: ResponseKey { static let path = "data.items" }
/// typealias Definition = KeyedResponse<Items, ArrayResponse<Dish>>   // {"data": {"items": […]}}
/// ```
/// The models need no keys of their own. It can be a part of a ``CombinedResponse``, where two parts of one model need
/// it, and stand around any other shape of values.
public enum KeyedResponse<Key: ResponseKey, Shape: DecodedPart>: DecodedPart {
    /// What the shape gives.
    public typealias Result = Shape.Result
    /// The shape.
    public typealias Content = Shape

    /// What is wrong with the path, or with the shape under it.
    public static var definitionProblem: String? { ShapeLayout.of(Self.self).problem }

    /// Those of the shape under the key.
    public static func forEachPart(of result: Shape.Result, _ visit: (Any) -> Void) {
        Shape.forEachPart(of: result, visit)
    }

    /// Reads what stands under the key.
    public static func decode(from decoder: any Decoder) throws -> Shape.Result {
        var parts = EnvelopeParts(decoder, ShapeLayout.of(Self.self))
        return try parts.next(Self.self)
    }
}

extension KeyedResponse: LaidOut {
    static func makeLayout() -> ShapeLayout {
        var layout = ShapeLayout()
        layout.add(Self.self)
        return layout
    }
}

/// Where the parts of a shape stand; found once for each shape.
struct ShapeLayout: Sendable {
    private(set) var paths: [ResponsePath] = []
    /// Why nothing can be read so.
    private(set) var problem: String?

    /// Adds a part, and looks whether it can be beside the others.
    mutating func add<Part: DecodedPart>(_ part: Part.Type) where Part.Key: ResponseKey {
        let path = ResponsePath(part.Key.path)
        let isTaken = paths.contains(path)
        let shared = path.keys.isEmpty ? "are both the whole document" : "share the key \(path)"
        problem =
            problem ?? path.problem ?? (part.Content == part ? nil : part.Content.definitionProblem)
            ?? (isTaken ? "two parts \(shared): give one of them another key with KeyedResponse" : nil)
        paths.append(path)
    }
}

/// A shape with parts.
protocol LaidOut {
    static func makeLayout() -> ShapeLayout
}

extension ShapeLayout {
    private static let known = Lock<[ObjectIdentifier: ShapeLayout]>([:])

    static func of(_ shape: any LaidOut.Type) -> ShapeLayout {
        let identifier = ObjectIdentifier(shape)
        if let layout = known.withLock({ $0[identifier] }) { return layout }
        // Made outside of the lock, since parts have layouts too.
        let layout = shape.makeLayout()
        known.withLock { $0[identifier] = layout }
        return layout
    }
}
