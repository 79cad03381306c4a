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

    init(_ headers: HTTPHeaders) {
        totalCount = headers["Total-Count"].flatMap { Int($0) }
        pages = Self.targets(of: headers[.link] ?? "").compactMapValues(Self.page)
    }

    var next: Int? { pages["next"] }

    /// The targets of `<https://…?page=2>; rel="next", <…>; rel="last"` by their relations.
    private static func targets(of header: String) -> [String: String] {
        var targets: [String: String] = [:]
        var rest = header[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let target = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            let parameters = rest.prefix { $0 != "<" }.split { $0 == ";" || $0 == "," || $0 == " " }
            for parameter in parameters where parameter.hasPrefix("rel=") {
                targets[parameter.dropFirst(4).filter { $0 != "\"" }] = String(target)
            }
        }
        return targets
    }

    private static func page(of target: String) -> Int? {
        let items = URLComponents(string: target)?.queryItems
        return items?.first { $0.name == "page" }?.value.flatMap { Int($0) }
    }
}
