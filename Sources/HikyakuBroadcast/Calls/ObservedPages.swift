public import Hikyaku
public import Observation

/// The state of a list that is loaded page by page.
///
/// ```swift
/// let dishes = ObservedPages(client.bind(Shop.Dishes())) { request, page in
///     page.items.isEmpty ? nil : Shop.Dishes(page: request.page + 1)
/// }
/// // a view:  .task { await dishes.load() }  and at the last row:  .task { await dishes.loadNext() }
/// ```
/// At most one call is in flight, however often a row requests the next page. A refresh replaces a page that is being
/// loaded, whose response is dropped; the items are kept until the refresh succeeds. Calls live as long as those of
/// ``Observed``.
@MainActor
@Observable
public final class ObservedPages<R: APIRequest> where R.Response: ItemPage {
    /// The type of the list's items.
    public typealias Item = R.Response.PageItem

    /// The items of all pages so far, in order.
    public private(set) var items: [Item] = []
    /// Whether there is a page to load, including the first one.
    public private(set) var hasMore = true
    /// Why the last call failed; `nil` after a success.
    ///
    /// A cancellation changes nothing: it is not an error.
    public var error: APIError<R.Failure>? { call.error }
    /// Whether a call is in flight.
    public var isLoading: Bool { call.isLoading }

    @ObservationIgnored private let makeFirst: @MainActor () -> BoundRequest<R>
    @ObservationIgnored private let makeNext: @MainActor (R, R.Response) -> R?
    /// The request for the page after the items; `nil` if no page was received yet, or there is none.
    @ObservationIgnored private var next: BoundRequest<R>?
    @ObservationIgnored private let call = ObservedCall<R.Failure>()
    @ObservationIgnored private var isRefreshing = false

    /// Observes pages; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - first: The request for the first page.
    ///   - next: Returns the request for the page after another one, from its request and its response; `nil` after the
    ///     last page. The client of the first request sends it.
    public convenience init(_ first: BoundRequest<R>, next: @escaping @MainActor (R, R.Response) -> R?) {
        self.init(first: { first }, next: next)
    }

    /// Observes pages whose first request is created again for each refresh; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - first: Returns the request for the first page. The closure lives as long as the object.
    ///   - next: Returns the request for the page after another one; `nil` after the last page.
    public init(
        first: @escaping @MainActor () -> BoundRequest<R>,
        next: @escaping @MainActor (R, R.Response) -> R?,
    ) {
        makeFirst = first
        makeNext = next
    }

    /// Loads the first page unless it was already received, or waits for the call in flight.
    public func load() async {
        guard hasMore, next == nil else { return }
        await loadNext()
    }

    /// Loads the page after the items, if there is one, or waits for the call in flight.
    ///
    /// After an error it loads the page that failed.
    public func loadNext() async {
        if !call.isRunning {
            guard hasMore else { return }
            if let next { begin(next, isRefreshing: false) } else { begin(makeFirst(), isRefreshing: true) }
        }
        await call.wait()
    }

    /// Loads the first page again and replaces all items, or waits for a refresh in flight.
    ///
    /// If it fails, the items are kept, and the page after them can still be loaded.
    public func refresh() async {
        if !call.isRunning || !isRefreshing { begin(makeFirst(), isRefreshing: true) }
        await call.wait()
    }

    /// Cancels the call in flight; items and error are kept.
    public func cancel() {
        call.cancel()
    }

    private func begin(_ request: BoundRequest<R>, isRefreshing: Bool) {
        self.isRefreshing = isRefreshing
        call.start(request) { [weak self] page in
            guard let self else { return }
            if isRefreshing { items = page.pageItems } else { items += page.pageItems }
            next = makeNext(request.request, page).map { request.with($0) }
            hasMore = next != nil
        }
    }
}

/// A response that is one page of a list.
///
/// Arrays conform, and a `ResponsePage` of them. Your own envelope returns its items:
/// ```swift
/// extension SearchResult: ItemPage { var pageItems: [Dish] { results } }
/// ```
public protocol ItemPage {
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
