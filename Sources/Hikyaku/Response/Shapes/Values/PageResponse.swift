/// Items under a key, and what stands around them, as a ``ResponsePage``.
///
/// ```swift
/// struct PageInfo: Decodable { let page: Int, total: Int }
/// typealias Definition = PageResponse<ArrayResponse<Dish>, PageInfo>   // {"dishes": […], "page": 2, "total": 57}
/// ```
/// The info is decoded from the same object as the items' key is in; what it has under keys of its own, it nests. Where
/// a service says it in header fields, ``HeaderPageResponse`` reads those.
public enum PageResponse<Items: DecodedPart, Info: Decodable>: DecodedPart where Items.Key: ResponseKey {
    /// The items with the info.
    public typealias Result = ResponsePage<Items.Result, Info>

    /// What is wrong with the items' path or shape.
    public static var definitionProblem: String? { ShapeLayout.of(Self.self).problem }

    /// Those of the items, then the info.
    public static func forEachPart(of result: ResponsePage<Items.Result, Info>, _ visit: (Any) -> Void) {
        Items.forEachPart(of: result.items, visit)
        visit(result.info)
    }

    /// Reads the items, then the info.
    public static func decode(from decoder: any Decoder) throws -> ResponsePage<Items.Result, Info> {
        var parts = EnvelopeParts(decoder, ShapeLayout.of(Self.self))
        let items = try parts.next(Items.self)
        return ResponsePage(items: items, info: try decoder.singleValueContainer().decode(Info.self))
    }
}

extension PageResponse: LaidOut {
    static func makeLayout() -> ShapeLayout {
        var layout = ShapeLayout()
        layout.add(Items.self)
        return layout
    }
}
