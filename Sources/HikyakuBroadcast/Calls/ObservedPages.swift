public import Hikyaku
public import Observation

/// What a list shows that is loaded page by page.
///
/// ```swift
/// let dishes = ObservedPages(client.bind(Shop.Dishes())) { request, page in
///     page.items.isEmpty ? nil : Shop.Dishes(page: request.page + 1)
/// }
/// // a view:  .task { await dishes.load() }  and at the last row:  .task { await dishes.loadNext() }
/// ```
/// At most one call is under way, however often a row asks for the next page. A refresh takes the place of a page that
/// is being loaded, whose response is dropped; until its own has come, the items stay. Calls live as those of
/// ``Observed`` do.
@MainActor
@Observable
public final class ObservedPages<R: APIRequest> where R.Response: ItemPage {
    /// What the list is made of.
    public typealias Item = R.Response.PageItem

    /// The items of all pages so far, in their order.
    public private(set) var items: [Item] = []
    /// Whether there is a page to load: the first one too.
    public private(set) var hasMore = true
    /// Why the last call gave no page; `nil` after one that did.
    ///
    /// A cancellation changes nothing: it is no error.
    public private(set) var error: APIError<R.Failure>?
    /// Whether a call is under way.
    public private(set) var isLoading = false

    @ObservationIgnored private let makeFirst: @MainActor () -> BoundRequest<R>
    @ObservationIgnored private let makeNext: @MainActor (R, R.Response) -> R?
    /// What loads the page behind the items; `nil` where none has come yet, or there is none.
    @ObservationIgnored private var next: BoundRequest<R>?
    @ObservationIgnored private let call = ObservedCall()
    @ObservationIgnored private var isRefreshing = false

    /// Observes pages; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - first: The request for the first page.
    ///   - next: Makes the request for the page behind another one, from its request and its response; `nil` where that
    ///     was the last. It is sent by the first one's client.
    public convenience init(_ first: BoundRequest<R>, next: @escaping @MainActor (R, R.Response) -> R?) {
        self.init(first: { first }, next: next)
    }

    /// Observes pages whose first request is made anew for each refresh; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - first: Gives the request for the first page. What it holds lives as long as the object.
    ///   - next: Makes the request for the page behind another one; `nil` where that was the last.
    public init(
        first: @escaping @MainActor () -> BoundRequest<R>,
        next: @escaping @MainActor (R, R.Response) -> R?,
    ) {
        makeFirst = first
        makeNext = next
    }

    /// Loads the first page unless one has come, or waits for the call that is under way.
    public func load() async {
        guard hasMore, next == nil else { return }
        await loadNext()
    }

    /// Loads the page behind the items, if there is one, or waits for the call that is under way.
    ///
    /// After an error it is the page that failed.
    public func loadNext() async {
        if !call.isRunning {
            guard hasMore else { return }
            if let next { begin(next, isRefreshing: false) } else { begin(makeFirst(), isRefreshing: true) }
        }
        await call.wait()
    }

    /// Loads the first page anew, in the place of all items, or waits for a refresh that is under way.
    ///
    /// When it fails, the items stay, and the page behind them can still be loaded.
    public func refresh() async {
        if !call.isRunning || !isRefreshing { begin(makeFirst(), isRefreshing: true) }
        await call.wait()
    }

    /// Ends the call that is under way; items and error stay as they are.
    public func cancel() {
        guard call.isRunning else { return }
        call.cancel()
        isLoading = false
    }

    private func begin(_ request: BoundRequest<R>, isRefreshing: Bool) {
        self.isRefreshing = isRefreshing
        call.start(request) { [weak self] in self?.finish($0, of: request) }
        isLoading = true
    }

    private func finish(_ outcome: Result<R.Response, APIError<R.Failure>>, of request: BoundRequest<R>) {
        switch outcome {
        case .success(let page):
            if isRefreshing { items = page.pageItems } else { items += page.pageItems }
            next = makeNext(request.request, page).map { request.with($0) }
            hasMore = next != nil
            error = nil
        case .failure(let error) where !error.isCancelled: self.error = error
        case .failure: break
        }
        isLoading = false
    }
}

/// A response that is one page of a list.
///
/// Arrays are, and a `ResponsePage` of them. An envelope of one's own says where its items are:
/// ```swift
/// extension SearchResult: ItemPage { var pageItems: [Dish] { results } }
/// ```
public protocol ItemPage {
    /// What the list is made of.
    associatedtype PageItem
    /// The page's items, in their order.
    var pageItems: [PageItem] { get }
}

extension Array: ItemPage {
    /// The array itself.
    public var pageItems: [Element] { self }
}

extension LossyArray: ItemPage {
    /// The elements that could be read.
    public var pageItems: [Element] { elements }
}

extension ResponsePage: ItemPage where Items: ItemPage {
    /// Those of the items.
    public var pageItems: [Items.PageItem] { items.pageItems }
}
