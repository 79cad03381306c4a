#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request for one page of a list, which says how the next page is requested.
///
/// ```swift
/// struct Items: Qiita.Request, PagedRequest {
///     typealias Response = [Item]
///     var page = 1
///     var path: RequestPath { "/items" }
///     var query: RequestQuery { ["page": page] }
///     var paging: Paging<Self> { .link }
/// }
///
/// for try await item in client.bind(Items()).items() { print(item.title) }
/// ```
/// The request itself is that for the first page. ``BoundRequest/pages(from:)`` and
/// ``BoundRequest/items(from:)`` walk through the list.
/// A response that is not an array says what its items are by conforming to ``ItemPage``.
public protocol PagedRequest: APIRequest where Response: ItemPage, Response.PageItem: Sendable {
    /// How the request for the next page is made. It is read once for each walk through the list.
    var paging: Paging<Self> { get }
}

/// A response that is one page of a list.
///
/// Arrays conform, and a ``ResponsePage`` of them. Your own envelope returns its items:
/// ```swift
/// struct SearchResult: ItemPage, Decodable {
///     let total: Int
///     let results: [Dish]
///     var pageItems: [Dish] { results }
/// }
/// ```
public protocol ItemPage: SendableMetatype {
    /// The type of the list's items.
    associatedtype PageItem
    /// The page's items, in order.
    var pageItems: [PageItem] { get }
}

extension Array: ItemPage {
    /// The array itself.
    public var pageItems: [Element] { self }
}

extension LossyArray: ItemPage {
    /// The elements that could be decoded.
    public var pageItems: [Element] { elements }
}

extension ResponsePage: ItemPage where Items: ItemPage {
    /// The items of the page.
    public var pageItems: [Items.PageItem] { items.pageItems }
}

/// How the request for the next page of a list is made from the last response.
///
/// | the service sends | |
/// |---|---|
/// | `Link: <…?page=3>; rel="next"` | ``link`` |
/// | nothing, and takes a page number | ``number(_:isLast:)`` |
/// | nothing, and takes an offset | ``offset(_:isLast:)`` |
/// | a cursor, a token or a URL in the body | ``cursor(_:in:)``, `link(in:)` |
/// | a cursor elsewhere, such as in a field, or the last item's id | ``cursor(_:from:)`` |
/// | anything else | ``custom(next:set:)`` |
///
/// A page without items ends a list with page numbers or offsets. With a link or a cursor only their absence ends it,
/// since a service that filters a page may remove all of its items.
public struct Paging<Request: APIRequest>: Sendable {
    /// Returns the text of the next position; `nil` after the last page.
    typealias Next = @Sendable (Request, APIResponse<Request.Response>) -> String?

    enum Way: Sendable {
        /// The position is the text of an absolute URL.
        case link(Next)
        /// The position is written into the request, which returns whether it could be.
        case value(Next, set: @Sendable (inout Request, String) -> Bool)
    }

    let way: Way
    /// Whether the position is a page number or an offset, which errors may show.
    var isCounted = false

    /// The target of the response's link of the type `next` (RFC 8288); no link means the last page.
    public static var link: Paging { link(relation: "next") }

    /// The target of the response's link of that type (RFC 8288).
    ///
    /// - Parameter relation: The relation type, such as `next` or `prev`; its case doesn't matter.
    /// - Returns: The paging.
    public static func link(relation: String) -> Paging {
        Paging(way: .link { _, response in response.links[relation]?.urlText })
    }

    /// A URL in the body, absolute or relative to that of the response; `nil` or an empty text there means the last
    /// page.
    ///
    /// - Parameter next: The URL in the response, as a text.
    /// - Returns: The paging.
    public static func link(in next: any KeyPath<Request.Response, String?> & Sendable) -> Paging {
        Paging(
            way: .link { _, response in
                guard let text = response.value[keyPath: next], !text.isEmpty else { return nil }
                // A text that is not a reference to a URL is kept, and is the error of the next page.
                return URLReference.text(of: text, from: response.url?.absoluteString) ?? text
            }
        )
    }

    /// A cursor in the body; `nil` or an empty one there means the last page.
    ///
    /// - Parameters:
    ///   - cursor: The property of the request for it.
    ///   - next: The cursor of the next page in the response.
    /// - Returns: The paging.
    public static func cursor<Cursor: LosslessStringConvertible & SendableMetatype>(
        _ cursor: any WritableKeyPath<Request, Cursor?> & Sendable,
        in next: any KeyPath<Request.Response, Cursor?> & Sendable,
    ) -> Paging {
        self.cursor(cursor) { $0.value[keyPath: next] }
    }

    /// A cursor from anywhere in the response, such as a field, or the last item's id.
    ///
    /// ```swift
    /// struct Orders: Shop.Request, PagedRequest {
    ///     typealias Response = [Order]
    ///     var startingAfter: Int?
    ///     var path: RequestPath { "/orders" }
    ///     var query: RequestQuery { ["starting_after": startingAfter] }
    ///     var paging: Paging<Self> { .cursor(\.startingAfter) { $0.value.last?.id } }
    /// }
    /// ```
    /// - Parameters:
    ///   - cursor: The property of the request for it.
    ///   - next: Returns the cursor of the next page; `nil`, or one with an empty text, after the last page.
    /// - Returns: The paging.
    public static func cursor<Cursor: LosslessStringConvertible & SendableMetatype>(
        _ cursor: any WritableKeyPath<Request, Cursor?> & Sendable,
        from next: @escaping @Sendable (APIResponse<Request.Response>) -> Cursor?,
    ) -> Paging {
        custom { _, response in
            next(response)
        } set: { request, value in
            request[keyPath: cursor] = value
        }
    }

    /// A position of your own.
    ///
    /// ```swift
    /// struct Search: Shop.Request, PagedRequest {
    ///     typealias Response = [Dish]
    ///     var after: String?
    ///     var path: RequestPath { "/search" }
    ///     var method: HTTPMethod { .post }
    ///     var body: RequestBody? { .json(["after": after]) }
    ///     var paging: Paging<Self> {
    ///         .custom { request, response in
    ///             response.headers["X-Cursor"]
    ///         } set: { request, cursor in
    ///             request.after = cursor
    ///         }
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - next: Returns the position of the next page, from the request and the response of a page; `nil`, or one with
    ///     an empty text, after the last page. Its text is the ``PageCursor``, so it must hold no secret.
    ///   - set: Changes the request so that it is for the page at a position.
    /// - Returns: The paging.
    public static func custom<Position: LosslessStringConvertible & SendableMetatype>(
        next: @escaping @Sendable (Request, APIResponse<Request.Response>) -> Position?,
        set: @escaping @Sendable (inout Request, Position) -> Void,
    ) -> Paging {
        Paging(
            way: .value { request, response in
                next(request, response).map { String($0) }
            } set: { request, text in
                guard let position = Position(text) else { return false }
                set(&request, position)
                return true
            }
        )
    }
}

extension Paging where Request.Response: ItemPage {
    /// A page number, which is one larger on the next page.
    ///
    /// - Parameters:
    ///   - page: The property of the request for it.
    ///   - isLast: Whether a page is the last one, as far as its response says; a page without items always is. A list
    ///     ends without it too, but only after an empty page was requested.
    /// - Returns: The paging.
    public static func number(
        _ page: any WritableKeyPath<Request, Int> & Sendable,
        isLast: (@Sendable (Request, APIResponse<Request.Response>) -> Bool)? = nil,
    ) -> Paging {
        counted(page, isLast) { _ in 1 }
    }

    /// The number of items before the page, which grows by the number of items on each page.
    ///
    /// Not for a response that leaves items out, such as ``LossyArray``: use ``custom(next:set:)``.
    ///
    /// - Parameters:
    ///   - offset: The property of the request for it.
    ///   - isLast: Whether a page is the last one, as far as its response says; a page without items always is.
    /// - Returns: The paging.
    public static func offset(
        _ offset: any WritableKeyPath<Request, Int> & Sendable,
        isLast: (@Sendable (Request, APIResponse<Request.Response>) -> Bool)? = nil,
    ) -> Paging {
        counted(offset, isLast) { $0.pageItems.count }
    }

    private static func counted(
        _ property: any WritableKeyPath<Request, Int> & Sendable,
        _ isLast: (@Sendable (Request, APIResponse<Request.Response>) -> Bool)?,
        step: @escaping @Sendable (Request.Response) -> Int,
    ) -> Paging {
        // Not by `custom`, whose generic position takes much longer.
        Paging(
            way: .value { request, response in
                guard response.value.pageItems.count > 0, isLast?(request, response) != true else { return nil }
                let (next, isTooLarge) = request[keyPath: property].addingReportingOverflow(step(response.value))
                return isTooLarge ? nil : "\(next)"
            } set: { request, text in
                guard let value = Int(text) else { return false }
                request[keyPath: property] = value
                return true
            },
            isCounted: true,
        )
    }
}

extension AuthorizedRequestProxy: PagedRequest where Base: PagedRequest {
    /// That of the request inside; each page is sent with the same token.
    public var paging: Paging<Self> {
        switch request.paging.way {
        case .link(let next): Paging(way: .link { proxy, response in next(proxy.request, response) })
        case .value(let next, let set):
            Paging(
                way: .value { proxy, response in
                    next(proxy.request, response)
                } set: { proxy, text in
                    set(&proxy.request, text)
                },
                isCounted: request.paging.isCounted,
            )
        }
    }
}
