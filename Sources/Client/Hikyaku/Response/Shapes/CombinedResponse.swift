/// Several parts of one object, as a tuple.
///
/// ```swift
/// struct Menu: Shop.Request {
///     typealias Definition = CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>>
///     var path: RequestPath { "/menu" }
/// }
/// let (info, dishes) = try await client.send(Menu())   // {"info": {…}, "dishes": […]}
/// ```
/// The parts are decoded in order, from a body that is parsed once. Two parts with the same key, for example of one
/// model, are rejected before anything is sent: ``KeyedResponse`` gives each part its own key.
public struct CombinedResponse<each Part: DecodedPart>: DecodedPart where repeat (each Part).Key: ResponseKey {
    /// The results of the parts in a tuple; the result itself for a single part.
    public typealias Result = (repeat (each Part).Result)

    /// Why two parts conflict, or the problem of one of them.
    public static var _definitionProblem: String? { layout.problem }

    /// Those of each part.
    public static func _forEachPart(of result: (repeat (each Part).Result), _ visit: (Any) -> Void) {
        repeat (each Part)._forEachPart(of: each result, visit)
    }

    /// Decodes the parts.
    public static func decode(from decoder: any Decoder) throws -> (repeat (each Part).Result) {
        var parts = EnvelopeParts(decoder, layout)
        return (repeat try parts.next((each Part).self))
    }

    private static var layout: ShapeLayout { .of(Self.self) { layout in repeat layout.add((each Part).self) } }
}

/// A definition under a given key, which may be inside nested objects: `results`, `data.items`.
///
/// ```swift
/// enum Items: ResponseKey { static let path = "data.items" }
///
/// struct Menu: Shop.Request {
///     typealias Definition = KeyedResponse<Items, ArrayResponse<Dish>>   // {"data": {"items": […]}}
///     var path: RequestPath { "/menu" }
/// }
/// ```
/// The models need no keys of their own. It can be a part of a ``CombinedResponse``, where two parts of one model need
/// it, and can contain any other decoded part.
public enum KeyedResponse<Key: ResponseKey, Shape: DecodedPart>: DecodedPart {
    /// The result of the inner definition.
    public typealias Result = Shape.Result
    /// The inner definition.
    public typealias Content = Shape

    /// The problem of the path, or of the inner definition.
    public static var _definitionProblem: String? { layout.problem }

    /// Those of the inner definition.
    public static func _forEachPart(of result: Shape.Result, _ visit: (Any) -> Void) {
        Shape._forEachPart(of: result, visit)
    }

    /// Decodes the value under the key.
    public static func decode(from decoder: any Decoder) throws -> Shape.Result {
        var parts = EnvelopeParts(decoder, layout)
        return try parts.next(Self.self)
    }

    private static var layout: ShapeLayout { .of(Self.self) { layout in layout.add(Self.self) } }
}

/// The paths of the parts of a definition; computed once for each definition.
struct ShapeLayout: Sendable {
    private(set) var paths: [ResponsePath] = []
    /// Why the definition is invalid.
    private(set) var problem: String?

    /// Adds a part, and checks for a conflict with the others.
    mutating func add<Part: DecodedPart>(_ part: Part.Type) where Part.Key: ResponseKey {
        let path = ResponsePath(part.Key.path)
        let isTaken = paths.contains(path)
        let shared = path.keys.isEmpty ? "are both the whole document" : "share the key \(path)"
        problem =
            problem ?? path.problem ?? (part.Content == part ? nil : part.Content._definitionProblem)
            ?? (isTaken ? "two parts \(shared): give one of them another key with KeyedResponse" : nil)
        paths.append(path)
    }
}

extension ShapeLayout {
    private static let known = TypeCache<ShapeLayout>()

    /// The layout of a definition, whose parts are added by a closure.
    static func of(_ shape: any Any.Type, _ addParts: (inout ShapeLayout) -> Void) -> ShapeLayout {
        known.value(for: ObjectIdentifier(shape)) {
            var layout = ShapeLayout()
            addParts(&layout)
            return layout
        }
    }
}
