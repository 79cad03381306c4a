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
