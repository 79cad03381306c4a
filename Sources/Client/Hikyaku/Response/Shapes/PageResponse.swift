/// Items under a key, with the members around them, as a ``ResponsePage``.
///
/// ```swift
/// struct PageInfo: APIModel, Decodable { let page: Int, total: Int }
///
/// struct Menu: Shop.Request {
///     typealias Definition = PageResponse<ArrayResponse<Dish>, PageInfo>
///     var path: RequestPath { "/menu" }  // {"dishes": […], "page": 2, "total": 57}
/// }
/// ```
/// The info is decoded from the object that contains the items' key; members under their own keys need nested types. If
/// a service sends the info in header fields, ``HeaderPageResponse`` reads those.
public enum PageResponse<Items: DecodedPart, Info: Decodable>: DecodedPart where Items.Key: ResponseKey {
    /// The items with the info.
    public typealias Result = ResponsePage<Items.Result, Info>

    /// The problem of the items' path or definition.
    public static var _definitionProblem: String? { layout.problem }

    /// Those of the items, then the info.
    public static func _forEachPart(of result: ResponsePage<Items.Result, Info>, _ visit: (Any) -> Void) {
        Items._forEachPart(of: result.items, visit)
        visit(result.info)
    }

    /// Decodes the items, then the info.
    public static func decode(from decoder: any Decoder) throws -> ResponsePage<Items.Result, Info> {
        var parts = EnvelopeParts(decoder, layout)
        let items = try parts.next(Items.self)
        return ResponsePage(items: items, info: try decoder.singleValueContainer().decode(Info.self))
    }

    private static var layout: ShapeLayout { .of(Self.self) { layout in layout.add(Items.self) } }
}

/// Items of a page, and the service's information about the page: for example how many there are, or the next page.
///
/// ```swift
/// struct PageInfo: APIModel, Decodable { let page: Int, total: Int }
///
/// struct Menu: Shop.Request {
///     typealias Definition = PageResponse<ArrayResponse<Dish>, PageInfo>
///     var path: RequestPath { "/menu" }
/// }
/// let page = try await client.send(Menu())  // a ResponsePage<[Dish], PageInfo>
/// show(page.items, page.info.total)
/// ```
public struct ResponsePage<Items, Info> {
    /// The items on the page.
    public var items: Items
    /// The information about the page.
    public var info: Info

    /// Creates a page, for tests and stubs.
    public init(items: Items, info: Info) {
        self.items = items
        self.info = info
    }
}

extension ResponsePage: Sendable where Items: Sendable, Info: Sendable {}
extension ResponsePage: Equatable where Items: Equatable, Info: Equatable {}
extension ResponsePage: Hashable where Items: Hashable, Info: Hashable {}

/// Information about a response in header fields, such as the number of pages, or the next page.
///
/// ```swift
/// struct PageInfo: HeaderReadable {
///     let total: Int?
///
///     init(headers: HTTPHeaders) {
///         total = headers.read("Total-Count")
///     }
/// }
/// ```
public protocol HeaderReadable: SendableMetatype {
    /// Reads the fields.
    ///
    /// - Throws: Anything; the call then ends as ``APIError/decoding(_:)``.
    init(headers: HTTPHeaders) throws
}

/// A body of any definition with information from the header fields, as a ``ResponsePage``.
///
/// ```swift
/// struct PageInfo: HeaderReadable {
///     let total: Int?
///     init(headers: HTTPHeaders) { total = headers.read("Total-Count") }
/// }
///
/// struct Menu: Shop.Request {
///     typealias Definition = HeaderPageResponse<ArrayResponse<Dish>, PageInfo>   // Total-Count: 57, and […]
///     var path: RequestPath { "/menu" }
/// }
/// ```
public enum HeaderPageResponse<Items: ResponseDefinition, Info: HeaderReadable>: ResponseDefinition {
    /// The items with the info.
    public typealias Result = ResponsePage<Items.Result, Info>

    /// Those of the items.
    public static var acceptedMediaTypes: String? { Items.acceptedMediaTypes }
    /// Same as for the items.
    public static var streamsBody: Bool { Items.streamsBody }
    /// Same as for the items.
    public static func accepts(_ status: HTTPStatus) -> Bool { Items.accepts(status) }
    /// The problem of the items' definition.
    public static var _definitionProblem: String? { Items.problemInside }

    /// Those of the items, then the info.
    public static func _forEachPart(of result: ResponsePage<Items.Result, Info>, _ visit: (Any) -> Void) {
        Items._forEachPart(of: result.items, visit)
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
