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
