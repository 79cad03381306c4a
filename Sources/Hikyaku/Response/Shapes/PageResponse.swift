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

/// Items of a page, and what the service says of the page: how many there are, where the next one is.
public struct ResponsePage<Items, Info> {
    /// What is on the page.
    public var items: Items
    /// What is said of it.
    public var info: Info

    /// Makes a page, for tests and stubs.
    public init(items: Items, info: Info) {
        self.items = items
        self.info = info
    }
}

extension ResponsePage: Sendable where Items: Sendable, Info: Sendable {}
extension ResponsePage: Equatable where Items: Equatable, Info: Equatable {}
extension ResponsePage: Hashable where Items: Hashable, Info: Hashable {}

/// What a service says of a response in header fields: the number of pages, where the next one is.
///
/// ```swift
/// struct PageInfo: HeaderReadable {
///     let total: Int
///     init(headers: HTTPHeaders) throws {
///         guard let total = headers["Total-Count"].flatMap({ Int($0) }) else { throw NoTotal() }
///         self.total = total
///     }
/// }
/// ```
public protocol HeaderReadable {
    /// Reads the fields.
    ///
    /// - Throws: Anything; the call then ends as ``APIError/decoding(_:)``.
    init(headers: HTTPHeaders) throws
}

/// A body in any shape with what the header fields say of it, as a ``ResponsePage``.
///
/// ```swift
/// typealias Definition = HeaderPageResponse<ArrayResponse<Dish>, PageInfo>   // Total-Count: 57, and […]
/// ```
public enum HeaderPageResponse<Items: ResponseDefinition, Info: HeaderReadable>: ResponseDefinition {
    /// The items with the info.
    public typealias Result = ResponsePage<Items.Result, Info>

    /// Those of the items.
    public static var acceptedMediaTypes: String? { Items.acceptedMediaTypes }
    /// As for the items.
    public static var streamsBody: Bool { Items.streamsBody }
    /// As for the items.
    public static func accepts(_ status: HTTPStatus) -> Bool { Items.accepts(status) }
    /// That of the items.
    public static var definitionProblem: String? { Items.problemInside }

    /// Those of the items, then the info.
    public static func forEachPart(of result: ResponsePage<Items.Result, Info>, _ visit: (Any) -> Void) {
        Items.forEachPart(of: result.items, visit)
        visit(result.info)
    }

    /// Reads the fields, then the body.
    public static func read(_ response: BufferedResponse) throws -> ResponsePage<Items.Result, Info> {
        let info = try Info(headers: response.headers)
        return ResponsePage(items: try Items.read(response), info: info)
    }

    /// Reads the fields, then the body.
    public static func read(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> ResponsePage<Items.Result, Info> {
        let info = try Info(headers: response.headers)
        return ResponsePage(items: try await Items.read(streaming: response, context: context), info: info)
    }
}
