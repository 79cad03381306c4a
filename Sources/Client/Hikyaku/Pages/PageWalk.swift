import HikyakuBase

/// What a walk through a list does, apart from the requests.
struct PageOptions<Item>: Sendable {
    /// How items that come twice are found.
    struct Repeats: Sendable {
        /// Whether they are left out.
        let areDropped: Bool
        /// The maximum number of items that are remembered.
        let countMax: Int
        let identity: @Sendable (Item) -> AnyHashable
    }

    var prefetchCount = 0
    var pagesMax = PageLimits.pagesMaxDefault
    var repeats: Repeats?
}

/// The limits of a walk.
enum PageLimits {
    /// No list that an app shows has more pages, and a service that always has another one is stopped some time.
    static let pagesMaxDefault = 10_000
    /// A page more in memory saves nothing unless the service is much slower than the reader.
    static let prefetchMax = 16
    /// How often the same items may come in a row.
    ///
    /// Twice can happen: if as many new items appear as a page has.
    static let samePagesMax = 2
}

/// The state of a walk through a list: the next position, and what was seen.
///
/// It does not grow with the number of pages. The pages are fetched elsewhere, so that a page can be dropped before it
/// counts.
package struct PageWalk<R: PagedRequest> {
    /// The type of the list's items.
    package typealias Item = R.Response.PageItem

    package let source: PageSource<R>
    /// The position of the next page; `nil` for the first one.
    package private(set) var cursor: PageCursor?
    /// Whether the last page was admitted.
    package private(set) var isAtEnd = false
    private let options: PageOptions<Item>
    private var count = 0
    private var visited = VisitedCursors()
    /// The position of the last page, if it is known.
    private var latestCursor: PageCursor?
    /// The call of the last page.
    private var latestContext: CallContext?
    private var seen: SeenItems
    private var latest = LatestItems<Item>()

    init(_ source: PageSource<R>, from cursor: PageCursor?, _ options: PageOptions<Item>) {
        self.source = source
        self.cursor = cursor
        self.options = options
        seen = SeenItems(countMax: options.repeats?.countMax ?? 0)
    }

    /// A walk from the first page that leaves out all items that come twice, for a reader who keeps all items anyway.
    package init(droppingRepeatsOf bound: BoundRequest<R>) {
        var options = PageOptions<Item>()
        if Item.self is any Identifiable.Type {
            options.repeats = .init(areDropped: true, countMax: .max) { ItemIdentity.of($0) }
        }
        self.init(PageSource(bound), from: nil, options)
    }

    /// Rejects the next page before it is requested, if there are too many, or it was there before.
    package func check() throws(APIError<R.Failure>) {
        guard count < options.pagesMax else {
            let text = "there are more than \(options.pagesMax) pages"
            throw source.error(.tooManyPages, text, at: cursor, after: latestContext)
        }
        guard let cursor, visited.contains(cursor) else { return }
        let end = cursor == latestCursor ? "itself as the next page" : "a next page that was read before"
        let text = "page \(count) of this walk names \(end)"
        throw source.error(source.causeOfLoop, text, at: cursor, after: latestContext)
    }

    /// Counts the page at ``cursor``, and moves to the one after it.
    ///
    /// - Throws: ``FailureReason/pageLoop`` if the same items came too often; then nothing changes.
    package mutating func admit(_ page: consuming ListPage<R>) throws(APIError<R.Failure>) -> ListPage<R> {
        guard latest.note(page.items) else {
            let place = "page \(count + 1) of this walk\(source.shownNumber(of: cursor))"
            let text = "\(place) has the items of the \(PageLimits.samePagesMax) pages before it"
            throw source.error(.samePages, text, at: cursor, after: page.evidence)
        }
        latestCursor = cursor ?? source.ownCursor(ofFirst: page)
        latestContext = page.evidence
        if let latestCursor { visited.insert(latestCursor) }
        count += 1
        cursor = page.next
        isAtEnd = page.next == nil
        page.number = count
        guard let repeats = options.repeats else { return page }
        var fresh: [Item] = []
        for item in page.items {
            if seen.insert(repeats.identity(item)) { fresh.append(item) } else { page.repeatedItems.append(item) }
        }
        if repeats.areDropped { page.items = fresh }
        return page
    }
}

/// The positions that a walk has visited, in constant memory.
///
/// The last ones are all kept, which finds short loops at once. A longer loop is found by Brent's algorithm: one
/// position is kept until twice as many have followed it, so the walk meets it again in its second or third round.
private struct VisitedCursors {
    private static let recentMax = 128

    private var recent: Set<PageCursor> = []
    /// The recent ones in the order of ``index``, the oldest of which is replaced.
    private var ring: [PageCursor] = []
    private var index = 0
    private var milestone: PageCursor?
    private var sinceMilestone = 0
    private var distance = 1

    func contains(_ cursor: PageCursor) -> Bool { recent.contains(cursor) || milestone == cursor }

    mutating func insert(_ cursor: PageCursor) {
        guard recent.insert(cursor).inserted else { return }
        if ring.count < Self.recentMax {
            ring.append(cursor)
        } else {
            recent.remove(ring[index])
            ring[index] = cursor
            index = (index + 1) % Self.recentMax
        }
        sinceMilestone += 1
        guard sinceMilestone == distance else { return }
        (milestone, sinceMilestone) = (cursor, 0)
        distance = min(distance, .max / 2) * 2
    }
}

/// The items that came last, by their identities.
private struct SeenItems {
    private let countMax: Int
    private var items: Set<AnyHashable> = []
    /// The order in which they came, to forget the oldest; empty without a limit.
    private var ring: [AnyHashable] = []
    private var index = 0

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Whether the item is new.
    mutating func insert(_ item: AnyHashable) -> Bool {
        guard items.insert(item).inserted else { return false }
        guard countMax < .max else { return true }
        if ring.count < countMax {
            ring.append(item)
        } else {
            items.remove(ring[index])
            ring[index] = item
            index = (index + 1) % countMax
        }
        return true
    }
}

/// The items of the latest page, to notice a service that ignores the position and always returns the same ones.
private struct LatestItems<Item> {
    /// Whether two items have the same identity; `nil` if items have none.
    private let isSame: ((Item, Item) -> Bool)?
    private var items: [Item] = []
    private var sameCount = 0

    init() {
        isSame = (Item.self as? any Identifiable.Type).map { ItemIdentity.comparison(of: $0) }
    }

    /// Notes the items of the next page.
    ///
    /// - Returns: Whether they differ often enough from those before; always if the items have no identity.
    mutating func note(_ next: [Item]) -> Bool {
        guard let isSame else { return true }
        // The last items usually differ, which saves the comparison of all others. Both are not empty.
        let last = next.count - 1
        let areSame =
            last >= 0 && next.count == items.count && isSame(next[last], items[last])
            && next.indices.allSatisfy { isSame(next[$0], items[$0]) }
        guard !areSame || sameCount + 1 < PageLimits.samePagesMax else { return false }
        sameCount = areSame ? sameCount + 1 : 0
        items = next
        return true
    }
}

/// The identity of items whose type is known only at run time.
private enum ItemIdentity {
    /// The item's id; the same for all items that have none.
    static func of(_ item: some Any) -> AnyHashable {
        (item as? any Identifiable).map { id(of: $0) } ?? AnyHashable(0)
    }

    private static func id(of item: some Identifiable) -> AnyHashable { AnyHashable(item.id) }

    /// A comparison of two items of a type, without a value for each identity.
    static func comparison<Item, Known: Identifiable>(of type: Known.Type) -> (Item, Item) -> Bool {
        { item, other in
            guard let item = item as? Known, let other = other as? Known else { return false }
            return item.id == other.id
        }
    }
}

extension ListPage {
    /// The call of the page, with the head of its response, for an error of the walk.
    fileprivate var evidence: CallContext {
        var evidence = context
        evidence.response = BufferedResponse(status: response.status, headers: response.headers, url: response.url)
        return evidence
    }
}
