import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The paging information in the header fields of a list: `Total-Count` and `Link` (RFC 8288).
nonisolated struct PageInfo: Sendable {
    let totalCount: Int?
    /// The numbers of the pages `first`, `prev`, `next` and `last`, if they exist.
    let pages: [String: Int]

    init(_ response: APIResponse<[Item]>) {
        totalCount = response.headers["Total-Count"].flatMap { Int($0) }
        pages = ["first", "prev", "next", "last"].reduce(into: [:]) { pages, relation in
            pages[relation] = response.links[relation].flatMap { Self.page(of: $0.url) }
        }
    }

    private static func page(of url: URL) -> Int? {
        let items = URLComponents(string: url.absoluteString)?.queryItems
        return items?.first { $0.name == "page" }?.value.flatMap { Int($0) }
    }
}
