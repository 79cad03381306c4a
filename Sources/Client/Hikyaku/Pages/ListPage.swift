import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One page of a list, as ``BoundRequest/pages(from:)`` returns it.
public struct ListPage<Request: PagedRequest>: Sendable {
    /// The type of the list's items.
    public typealias Item = Request.Response.PageItem

    /// The items of the page, in order; without those that were dropped since an earlier page had them.
    public internal(set) var items: [Item]
    /// The items that came before, if the sequence drops or reports them.
    public internal(set) var repeatedItems: [Item] = []
    /// The response, with its fields and links.
    public var response: APIResponse<Request.Response> { box.response }
    /// The number of the page in this walk, counted from 1.
    public internal(set) var number = 0
    /// The position of the page; `nil` for the first page of the list.
    public let cursor: PageCursor?
    /// The position of the page after this one; `nil` for the last page.
    public let next: PageCursor?
    private let box: Box
    /// The call of the page, for an error of the walk after it.
    var context: CallContext { box.context }

    /// The response as a reference: so the page has the same layout for all requests, and is copied faster.
    private final class Box: Sendable {
        let response: APIResponse<Request.Response>
        let context: CallContext

        init(_ response: APIResponse<Request.Response>, _ context: CallContext) {
            (self.response, self.context) = (response, context)
        }
    }

    fileprivate init(
        _ response: APIResponse<Request.Response>,
        _ context: CallContext,
        at cursor: PageCursor?,
        next: PageCursor?,
    ) {
        items = response.value.pageItems
        box = Box(response, context)
        (self.cursor, self.next) = (cursor, next)
    }
}

extension ListPage: CustomStringConvertible, CustomReflectable {
    /// `page 2, 20 items`; the items may contain secrets.
    public var description: String {
        "page \(number), \(items.count == 1 ? "1 item" : "\(items.count) items")"
    }

    /// What ``description`` shows, and the response, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["page": description, "response": response]) }
}

/// Sends the request for each page of a list as one call of the client.
package final class PageSource<R: PagedRequest>: Sendable {
    private let bound: BoundRequest<R>
    private let paging: Paging<R>

    init(_ bound: BoundRequest<R>) {
        self.bound = bound
        paging = bound.request.paging
    }

    /// The page at a position, or the first one.
    package func page(at cursor: PageCursor?) async throws(APIError<R.Failure>) -> ListPage<R> {
        guard let cursor else { return try await send(bound.request, as: bound.request, at: nil) }
        guard !cursor.isTooLong else {
            throw error(.pageCursor, "it has more than \(PageCursor.bytesMax) bytes", at: cursor)
        }
        switch (cursor.position, paging.way) {
        case (.link(let text), .link): return try await page(atLink: text.text, cursor)
        case (.value(let text), .value(_, let set)):
            var request = bound.request
            guard set(&request, text.text) else {
                throw error(.pageCursor, "it can't be read as the type that the request's paging needs", at: cursor)
            }
            return try await send(request, as: request, at: cursor)
        case (.link, .value):
            throw error(.pageCursor, "it is a link, and the request's paging needs a value", at: cursor)
        case (.value, .link):
            throw error(.pageCursor, "it is a value, and the request's paging needs a link", at: cursor)
        }
    }

    private func page(atLink text: String, _ cursor: PageCursor) async throws(APIError<R.Failure>) -> ListPage<R> {
        try await send(bound.request.at(urlText: text), as: bound.request, at: cursor)
    }

    private func send<Sent: APIRequest>(
        _ request: Sent,
        as own: R,
        at cursor: PageCursor?,
    ) async throws(APIError<R.Failure>) -> ListPage<R> where Sent.Response == R.Response, Sent.Failure == R.Failure {
        let call = Call(of: request, by: bound.core)
        do {
            let response = APIResponse(
                try await call.run(request),
                timings: call.timings,
                redirects: call.context.redirects,
            )
            let next = nextCursor(after: response, to: own, call)
            return ListPage(response, call.finishedContext(of: own), at: cursor, next: next)
        } catch {
            throw APIError(settled: error).ofPage(at: cursor)
        }
    }

    private func nextCursor(after response: APIResponse<R.Response>, to request: R, _ call: Call) -> PageCursor? {
        switch paging.way {
        case .link(let next):
            guard let text = next(request, response), !text.isEmpty else { return nil }
            return PageCursor(position: .link(ByteText(call.context.sent?.withoutQueryCredentials(text) ?? text)))
        case .value(let next, _):
            guard let text = next(request, response), !text.isEmpty else { return nil }
            return PageCursor(position: .value(ByteText(text)))
        }
    }

    /// The position that the first page has in its own list; `nil` if only the request says it.
    func ownCursor(ofFirst page: ListPage<R>) -> PageCursor? {
        guard case .link = paging.way, let url = page.response.url else { return nil }
        return PageCursor(position: .link(ByteText(url.absoluteString)))
    }

    /// An error of a page that was not requested.
    func error(_ cause: PageCause, _ text: String, at cursor: PageCursor?) -> APIError<R.Failure> {
        let place = cursor.map { "the page at \($0)" } ?? "the first page"
        return cause.error("\(place): \(text)", bound.core.unsentContext(of: bound.request)).ofPage(at: cursor)
    }

    /// An error of the walk after a page was read.
    ///
    /// - Parameters:
    ///   - cause: The cause.
    ///   - text: The details.
    ///   - cursor: The position where a walk can continue.
    ///   - latest: The call of the page that was read last.
    /// - Returns: The error.
    func error(
        _ cause: PageCause,
        _ text: String,
        at cursor: PageCursor?,
        after latest: CallContext?,
    ) -> APIError<R.Failure> {
        cause.error(text, latest ?? bound.core.unsentContext(of: bound.request)).ofPage(at: cursor)
    }

    /// A page number or an offset, which is not a secret; empty for other positions.
    func shownNumber(of cursor: PageCursor?) -> String {
        guard paging.isCounted, let text = cursor?.position.text else { return "" }
        return " (position \(text))"
    }

    /// The cause of a page that leads to one that was read before.
    var causeOfLoop: PageCause {
        switch paging.way {
        case .link: .linkLoop
        case .value: .positionLoop
        }
    }
}

extension Call {
    /// The context of an error that is found after the call has succeeded.
    fileprivate func finishedContext<R: APIRequest>(of request: R) -> CallContext {
        context.sent.map { CallContext(context, $0, nil) } ?? core.unsentContext(of: request)
    }
}

extension HTTPRequest {
    /// The text of a URL without the credentials that were put into this request's query.
    fileprivate func withoutQueryCredentials(_ text: String) -> String {
        guard credentials.contains(where: \.isInQuery), let url = URL(string: text) else { return text }
        return withoutQueryCredentials(url)?.absoluteString ?? text
    }
}

extension FailureReason {
    /// A list has more pages than the limit of its sequence.
    public static let tooManyPages = FailureReason(
        .limit,
        "tooManyPages",
        "The list is longer than the app allows.",
        "Show a smaller part of the list.",
        hint: "Continue from context.pageCursor, or raise the limit: limited(toPages:).",
        isOfUnsentRequest: true,
    )
    /// The pages of a list form a loop: a page was reached again, or the service returns the same items again and
    /// again.
    public static let pageLoop = FailureReason(
        .limit,
        "pageLoop",
        "The list repeats itself endlessly.",
        .reportToService,
        hint: "Check the request's paging: the service may ignore the position, or expect another one.",
        isOfUnsentRequest: true,
    )
    /// The position of a page can't be used: it is not one of the request's ``Paging``, or it is too long.
    public static let pageCursor = FailureReason(
        .invalidRequest,
        "pageCursor",
        "The list can't be continued from here.",
        "Load the list from its beginning.",
        hint: "Use a cursor of the same request's pages, or start with the first page.",
    )
}

extension APIError {
    /// The same error of a call for the page at a position.
    fileprivate func ofPage(at cursor: PageCursor?) -> APIError {
        guard let cursor else { return self }
        var context = context
        context.pageCursor = cursor
        // A link was written by the service itself.
        if case .value = cursor.position, let status = response?.status.code, [404, 410].contains(status) {
            let advice =
                "Some services answer so past the last page: say in the request's paging which page is the last."
            context.hint = [context.hint, advice].compactMap(\.self).joined(separator: " ")
        }
        return with(context)
    }
}
