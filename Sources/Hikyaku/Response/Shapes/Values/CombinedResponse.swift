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
