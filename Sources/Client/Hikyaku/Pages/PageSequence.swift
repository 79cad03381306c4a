/// The pages of a list, each of which is requested when the one before it was read.
///
/// ```swift
/// for try await page in client.bind(Shop.Dishes()).pages() {
///     show(page.items)
///     store(page.next)
/// }
/// ```
/// Created by ``BoundRequest/pages(from:)``. Nothing is sent before the first page
/// is read, and each iterator walks through the list from the beginning. Each page is a whole call of the client: with
/// its retries, limits, budgets and timeout. A walk needs memory for one page, plus those that are prefetched,
/// however long the list is.
///
/// An error ends the walk. The ``CallContext/pageCursor`` of its context is the position of the page that failed, from
/// which another walk can continue. Cancelling the task ends the walk as ``APIError/cancelled(_:)``.
///
/// A loop ends as ``FailureReason/pageLoop``: if a page leads to one of the last 128, at once; if it leads farther
/// back, after at most two more rounds; and if three pages in a row have the same items, by their identities. A list of
/// more than 10,000 pages ends as ``FailureReason/tooManyPages``, unless ``limited(toPages:)`` says otherwise.
///
/// `Problem` is the ``APIError`` of the request, or the app's own error on a ``MappedClient``.
public struct PageSequence<R: PagedRequest, Problem: Error>: AsyncSequence, Sendable {
    /// The pages.
    public typealias Element = ListPage<R>
    /// The type of the list's items.
    public typealias Item = R.Response.PageItem
    /// The error that ends a walk.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Problem

    fileprivate let bound: BoundRequest<R>
    fileprivate let start: PageCursor?
    fileprivate let map: @Sendable (APIError<R.Failure>) -> Problem
    fileprivate var options = PageOptions<Item>()

    init(
        _ bound: BoundRequest<R>,
        from start: PageCursor?,
        map: @escaping @Sendable (APIError<R.Failure>) -> Problem,
    ) {
        (self.bound, self.start, self.map) = (bound, start, map)
    }

    /// Starts a walk; nothing is sent yet.
    public func makeAsyncIterator() -> AsyncIterator {
        let source = PageSource(bound)
        let prefetched = options.prefetchCount > 0 ? PrefetchedPages(source, options) : nil
        return AsyncIterator(walk: PageWalk(source, from: start, options), prefetched: prefetched, map: map)
    }

    /// One walk through the list.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var walk: PageWalk<R>
        private let prefetched: PrefetchedPages<R>?
        private let map: @Sendable (APIError<R.Failure>) -> Problem
        private var hasEnded = false

        fileprivate init(
            walk: PageWalk<R>,
            prefetched: PrefetchedPages<R>?,
            map: @escaping @Sendable (APIError<R.Failure>) -> Problem,
        ) {
            (self.walk, self.prefetched, self.map) = (walk, prefetched, map)
        }

        /// The next page; `nil` after the last one, and after an error.
        ///
        /// - Throws: The error that ended the walk.
        public mutating func next() async throws(Problem) -> ListPage<R>? {
            try await next(isolation: nil)
        }

        /// The next page, without leaving the actor; `nil` after the last one, and after an error.
        ///
        /// - Throws: The error that ended the walk.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Problem) -> ListPage<R>? {
            guard !hasEnded, !walk.isAtEnd else { return nil }
            do throws(APIError<R.Failure>) {
                try walk.check()
                let cursor = walk.cursor
                guard let prefetched else { return try walk.admit(try await walk.source.page(at: cursor)) }
                return try walk.admit(try await prefetched.page(at: cursor))
            } catch {
                hasEnded = true
                prefetched?.cancel()
                throw map(error)
            }
        }
    }
}

extension PageSequence {
    /// The same pages, the next of which are requested before they are read.
    ///
    /// The requests are sent one after the other, each when the response before it has arrived, since only that says
    /// where the next page is. They begin with the first page that is read. They end when the iterator is released or
    /// the task that reads is cancelled. A page that is requested ahead counts only when it is read.
    ///
    /// - Parameter count: How many pages may be ahead of the reader, each of them in memory; at most 16. 0, the default
    ///   of a sequence, requests none ahead.
    /// - Returns: The sequence.
    public func prefetching(_ count: Int) -> PageSequence {
        with { $0.prefetchCount = Swift.min(Swift.max(count, 0), PageLimits.prefetchMax) }
    }

    /// The same pages with another limit of their number, by default 10,000.
    ///
    /// It is a limit against lists without an end: one more page ends the walk as ``FailureReason/tooManyPages``. To
    /// read only some pages, use `prefix(_:)`.
    ///
    /// - Parameter count: The maximum number of pages, at least 1.
    /// - Returns: The sequence.
    public func limited(toPages count: Int) -> PageSequence {
        with { $0.pagesMax = Swift.max(count, 1) }
    }

    /// The items of all pages, one after the other.
    public var items: ItemSequence<R, Problem> { ItemSequence(pages: self) }

    /// The same pages without the items that came before; see ``droppingRepeats(remembering:)``.
    ///
    /// - Parameters:
    ///   - count: The number of items that are remembered, at least 1; the oldest are forgotten.
    ///   - identity: What makes two items the same.
    /// - Returns: The sequence.
    public func droppingRepeats<ID: Hashable & SendableMetatype>(
        remembering count: Int = 10_000,
        by identity: @escaping @Sendable (Item) -> ID,
    ) -> PageSequence {
        watching(areDropped: true, count) { AnyHashable(identity($0)) }
    }

    /// The same pages, which report the items that came before; see ``reportingRepeats(remembering:)``.
    ///
    /// - Parameters:
    ///   - count: The number of items that are remembered, at least 1; the oldest are forgotten.
    ///   - identity: What makes two items the same.
    /// - Returns: The sequence.
    public func reportingRepeats<ID: Hashable & SendableMetatype>(
        remembering count: Int = 10_000,
        by identity: @escaping @Sendable (Item) -> ID,
    ) -> PageSequence {
        watching(areDropped: false, count) { AnyHashable(identity($0)) }
    }

    private func watching(
        areDropped: Bool,
        _ count: Int,
        _ identity: @escaping @Sendable (Item) -> AnyHashable,
    ) -> PageSequence {
        with { $0.repeats = .init(areDropped: areDropped, countMax: Swift.max(count, 1), identity: identity) }
    }

    private func with(_ change: (inout PageOptions<Item>) -> Void) -> PageSequence {
        var sequence = self
        change(&sequence.options)
        return sequence
    }
}

extension PageSequence where R.Response.PageItem: Identifiable, R.Response.PageItem.ID: SendableMetatype {
    /// The same pages without the items that came before, which are in ``ListPage/repeatedItems``.
    ///
    /// While a list is walked, new items may shift older ones to the next page. Items are the same if their `id` is.
    ///
    /// - Parameter count: The number of items that are remembered, at least 1; the oldest are forgotten. The memory of
    ///   a walk grows up to that number.
    /// - Returns: The sequence.
    public func droppingRepeats(remembering count: Int = 10_000) -> PageSequence {
        droppingRepeats(remembering: count) { $0.id }
    }

    /// The same pages, which also have the items that came before in ``ListPage/repeatedItems``.
    ///
    /// - Parameter count: The number of items that are remembered, at least 1; the oldest are forgotten.
    /// - Returns: The sequence.
    public func reportingRepeats(remembering count: Int = 10_000) -> PageSequence {
        reportingRepeats(remembering: count) { $0.id }
    }
}

/// The items of a list, whose pages are requested as they are needed.
///
/// Created by ``BoundRequest/items(from:)``, or by ``PageSequence/items``. It walks like a ``PageSequence``. To
/// continue a walk later, read the pages instead: their cursors are positions of pages.
public struct ItemSequence<R: PagedRequest, Problem: Error>: AsyncSequence, Sendable {
    /// The items.
    public typealias Element = R.Response.PageItem
    /// The error that ends a walk.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Problem

    fileprivate var pages: PageSequence<R, Problem>

    /// Starts a walk; nothing is sent yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }

    /// The same items, whose next pages are requested before they are read; see ``PageSequence/prefetching(_:)``.
    public func prefetching(_ count: Int) -> ItemSequence { ItemSequence(pages: pages.prefetching(count)) }

    /// The same items with another limit of the number of pages; see ``PageSequence/limited(toPages:)``.
    public func limited(toPages count: Int) -> ItemSequence { ItemSequence(pages: pages.limited(toPages: count)) }

    /// The same items without those that came before; see ``PageSequence/droppingRepeats(remembering:by:)``.
    public func droppingRepeats<ID: Hashable & SendableMetatype>(
        remembering count: Int = 10_000,
        by identity: @escaping @Sendable (Element) -> ID,
    ) -> ItemSequence {
        ItemSequence(pages: pages.droppingRepeats(remembering: count, by: identity))
    }

    /// One walk through the list.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: PageSequence<R, Problem>.AsyncIterator
        private var items: ArraySlice<Element> = []

        fileprivate init(pages: PageSequence<R, Problem>.AsyncIterator) {
            self.pages = pages
        }

        /// The next item; `nil` after the last one, and after an error.
        ///
        /// - Throws: The error that ended the walk.
        public mutating func next() async throws(Problem) -> Element? {
            try await next(isolation: nil)
        }

        /// The next item, without leaving the actor; `nil` after the last one, and after an error.
        ///
        /// - Throws: The error that ended the walk.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Problem) -> Element? {
            while items.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                items = page.items[...]
            }
            return items.removeFirst()
        }
    }
}

extension ItemSequence where R.Response.PageItem: Identifiable, R.Response.PageItem.ID: SendableMetatype {
    /// The same items without those that came before; see ``PageSequence/droppingRepeats(remembering:)``.
    public func droppingRepeats(remembering count: Int = 10_000) -> ItemSequence {
        droppingRepeats(remembering: count) { $0.id }
    }
}
