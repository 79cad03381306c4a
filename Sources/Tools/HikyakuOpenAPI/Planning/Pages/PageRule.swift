/// How the pages of a list are requested, as a configuration or the document's extension `x-hikyaku-pages` says it.
///
/// ```yaml
/// pages:
///   listDishes: link
///   searchDishes: {parameter: after, next: meta.next_cursor, items: results}
///   listOrders: {parameter: page, more: has_more}
///   listShops: none
/// ```
package struct PageRule: Sendable, Hashable {
    /// Where the next position comes from.
    package enum Kind: String, Sendable, CaseIterable {
        /// Not a list, whatever it looks like.
        case none
        /// The field `Link`.
        case link
        /// A URL in the body.
        case url
        /// A cursor in the body.
        case cursor
        /// A page number, or the number of items before the page.
        case number, offset
    }

    package var kind: Kind
    /// The name of the parameter that has the position.
    package var parameter: String?
    /// The keys that lead to the next position in the response.
    package var next: [String]?
    /// The keys that lead to the items; `nil` to search for them.
    package var items: [String]?
    /// The keys that lead to a Boolean that says whether there are more pages.
    package var more: [String]?

    /// Reads a rule; `nil` for anything else.
    init?(_ node: DocumentNode) {
        if let text = node.string {
            guard let kind = Kind(rawValue: text), kind == .none || kind == .link else { return nil }
            self.kind = kind
            return
        }
        guard let members = node.object else { return nil }
        let known: Set<String> = ["kind", "parameter", "next", "items", "more"]
        guard members.allSatisfy({ known.contains($0.key) && $0.value.string != nil }) else { return nil }
        parameter = node["parameter"]?.string
        next = node["next"]?.string.map(Self.keys)
        items = node["items"]?.string.map(Self.keys)
        more = node["more"]?.string.map(Self.keys)
        if let text = node["kind"]?.string {
            guard let kind = Kind(rawValue: text) else { return nil }
            self.kind = kind
        } else {
            kind = Self.kind(parameter, next)
        }
    }

    init(_ kind: Kind, next: [String]? = nil, items: [String]? = nil) {
        (self.kind, self.next, self.items) = (kind, next, items)
    }

    private static func kind(_ parameter: String?, _ next: [String]?) -> Kind {
        guard let parameter else { return next == nil ? .link : .url }
        if next != nil { return .cursor }
        return PageWords.offsets.contains(PageWords.plain(parameter)) ? .offset : .number
    }

    /// The keys of a path: `meta.next_cursor`, or a JSON Pointer.
    private static func keys(_ path: String) -> [String] {
        guard path.hasPrefix("/") else { return path.split(separator: ".").map(String.init) }
        return path.dropFirst().split(separator: "/").map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }
}

/// The names that documents use for pages, in small letters and without signs.
enum PageWords {
    static let numbers: Set<String> = ["page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage"]
    static let offsets: Set<String> = ["offset", "skip", "startat", "startindex", "pageoffset"]
    static let sizes: Set<String> = [
        "perpage", "pagesize", "limit", "size", "count", "maxresults", "pagelimit", "pagelen", "first", "top", "take",
    ]
    /// The keys in responses by the parameters that take their values.
    static let cursors: [String: [String]] = [
        "cursor": ["nextcursor", "cursor", "nextpagecursor", "endcursor"],
        "pagecursor": ["nextcursor", "nextpagecursor", "pagecursor"], "startcursor": ["nextcursor", "endcursor"],
        "nextcursor": ["nextcursor"], "pageafter": ["nextcursor", "after", "endcursor"],
        "after": ["after", "nextcursor", "endcursor", "nextafter"], "aftercursor": ["nextcursor", "endcursor"],
        "pagetoken": ["nextpagetoken", "nexttoken"], "nextpagetoken": ["nextpagetoken"], "nexttoken": ["nexttoken"],
        "continuationtoken": ["continuationtoken", "nextcontinuationtoken"], "marker": ["nextmarker"],
        "paginationtoken": ["nexttoken", "nextpaginationtoken", "paginationtoken"], "page": ["nextpage"],
    ]
    /// The parameters that take the id of the last item.
    static let lastIDs: Set<String> = ["after", "startingafter"]
    static let urls: Set<String> = [
        "next", "nexturl", "nextlink", "nextpageurl", "nextpageuri", "nexturi", "nexthref", "nextpage", "href",
    ]
    static let more: Set<String> = ["hasmore", "hasnext", "hasnextpage", "hasmoreitems", "more"]
    static let totals: Set<String> = ["totalpages", "pagecount", "numpages", "lastpage", "pagestotal"]
    static let items = [
        "items", "data", "results", "values", "entries", "records", "nodes", "edges", "rows", "content", "value",
    ]
    /// Objects in a response that say something about the page.
    static let containers: Set<String> = [
        "meta", "metadata", "pagination", "paging", "pageinfo", "page", "cursors", "responsemetadata", "links", "next",
        "pagemetadata", "paginginfo",
    ]

    static func plain(_ name: String) -> String {
        String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter(\.properties.isAlphabetic)))
    }
}
