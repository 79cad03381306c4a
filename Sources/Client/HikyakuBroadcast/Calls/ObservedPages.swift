public import Hikyaku
public import Observation

/// The state of a list that is loaded page by page.
///
/// ```swift
/// let dishes = ObservedPages(client.bind(Shop.Dishes()))
/// // a view:  .task { await dishes.load() }  and at the last row:  .task { await dishes.loadNext() }
/// ```
/// The request says how the next page is requested (`PagedRequest`), and the pages have the limits of a
/// `PageSequence`. Items that come twice are left out if they are `Identifiable`: new items may shift older ones to the
/// next page.
///
/// At most one call is in flight, however often a row requests the next page. A refresh replaces a page that is being
/// loaded, whose response is dropped; the items are kept until the refresh succeeds. Calls live as long as those of
/// ``Observed``.
@MainActor
@Observable
public final class ObservedPages<R: PagedRequest> {
    /// The type of the list's items.
    public typealias Item = R.Response.PageItem

    /// The items of all pages so far, in order.
    public private(set) var items: [Item] = []
    /// Whether a page was received: a list without items is one.
    public private(set) var isLoaded = false
    /// Whether there is a page to load, including the first one.
    public private(set) var hasMore = true
    /// Why the last call failed; `nil` after a success.
    ///
    /// A cancellation changes nothing: it is not an error.
    public var error: APIError<R.Failure>? { call.error }
    /// Whether a call is in flight.
    public var isLoading: Bool { call.isLoading }

    @ObservationIgnored private let makeFirst: @MainActor () -> BoundRequest<R>
    /// Whether each refresh may have another request.
    @ObservationIgnored private let isMadeAnew: Bool
    /// What was received of the list, and what comes next; `nil` if no page was received yet.
    @ObservationIgnored private var walk: PageWalk<R>?
    @ObservationIgnored private let call = ObservedCall<R.Failure>()
    @ObservationIgnored private var isRefreshing = false

    /// Observes pages; nothing is sent yet.
    ///
    /// - Parameter first: The request for the first page. Its client sends those for the others too.
    public init(_ first: BoundRequest<R>) {
        makeFirst = { first }
        isMadeAnew = false
    }

    /// Observes pages whose first request is created again for each refresh; nothing is sent yet.
    ///
    /// - Parameter first: Returns the request for the first page. The closure lives as long as the object: if it
    ///   captures the object, it must do so weakly.
    public init(_ first: @escaping @MainActor () -> BoundRequest<R>) {
        makeFirst = first
        isMadeAnew = true
    }

    /// Loads the first page unless it was already received, or waits for the call in flight.
    public func load() async {
        guard hasMore, walk == nil else { return }
        await loadNext()
    }

    /// Loads the page after the items, if there is one, or waits for the call in flight.
    ///
    /// After an error it loads the page that failed.
    public func loadNext() async {
        if !call.isRunning {
            guard hasMore else { return }
            begin(isRefreshing: walk == nil)
        }
        await call.wait()
    }

    /// Loads the first page again and replaces all items, or waits for a refresh in flight.
    ///
    /// If it fails, the items are kept, and the page after them can still be loaded. If the first request is created
    /// again for each refresh, one in flight is replaced once nobody waits for it any more.
    public func refresh() async {
        if !call.isRunning || !isRefreshing || isMadeAnew && call.isAbandoned { begin(isRefreshing: true) }
        await call.wait()
    }

    /// Cancels the call in flight; items and error are kept.
    public func cancel() {
        call.cancel()
    }

    private func begin(isRefreshing: Bool) {
        self.isRefreshing = isRefreshing
        // A walk that continues is not captured: adding a page would then copy all that was seen.
        let new = isRefreshing ? PageWalk(droppingRepeatsOf: makeFirst()) : nil
        guard let walk = new ?? walk else { return }
        let outcome = Result { () throws(APIError<R.Failure>) in try walk.check() }
        call.start { [source = walk.source, cursor = walk.cursor] () async throws(APIError<R.Failure>) in
            try outcome.get()
            return try await source.page(at: cursor)
        } succeed: { [weak self] page in
            self?.add(page, to: new)
        }
    }

    /// Adds a page to a new walk, or to the one that continues.
    ///
    /// - Returns: The error if the page does not belong there.
    private func add(_ page: ListPage<R>, to new: PageWalk<R>?) -> APIError<R.Failure>? {
        guard var walk = new ?? walk else { return nil }
        // The only reference, so that what was seen is not copied.
        self.walk = nil
        defer { self.walk = walk }
        do throws(APIError<R.Failure>) {
            let page = try walk.admit(page)
            if new != nil { items = page.items } else { items += page.items }
            isLoaded = true
            hasMore = !walk.isAtEnd
            return nil
        } catch {
            return error
        }
    }
}
