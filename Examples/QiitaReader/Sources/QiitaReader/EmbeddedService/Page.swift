import HikyakuMockServer

/// The part of a list that a request selects by `page` and `per_page`, each from 1 to 100.
nonisolated struct Page: Sendable {
    static let range = 1...100

    let number: Int
    let size: Int

    /// Reads both from the query, by default 1 and 20; `nil` if one is not a number or is out of range.
    init?(_ request: MockRequest) {
        guard let number = Int(request.query["page"] ?? "1"), Self.range.contains(number),
            let size = Int(request.query["per_page"] ?? "20"), Self.range.contains(size)
        else { return nil }
        self.number = number
        self.size = size
    }

    /// The number of articles before the page.
    var start: Int { (number - 1) * size }

    /// The value of `Link` (RFC 8288): the first, the last, the previous and the next page.
    func links(for request: MockRequest, totalCount: Int) -> String {
        let last = min(max(1, (totalCount + size - 1) / size), Self.range.upperBound)
        var relations = [("first", 1)]
        if number > 1 { relations.append(("prev", min(number - 1, last))) }
        if number < last { relations.append(("next", number + 1)) }
        relations.append(("last", last))
        return relations.map { "<\(url(of: $0.1, for: request))>; rel=\"\($0.0)\"" }.joined(separator: ", ")
    }

    /// The request's own URL with another page; its other query items stay as they were sent.
    private func url(of page: Int, for request: MockRequest) -> String {
        let query = request.target.drop { $0 != "?" }.dropFirst().split(separator: "&")
        let others = query.filter { !$0.hasPrefix("page=") && !$0.hasPrefix("per_page=") }.map(String.init)
        let items = ["page=\(page)", "per_page=\(size)"] + others
        return "http://\(request.headers[.host] ?? "")\(request.path)?\(items.joined(separator: "&"))"
    }
}
