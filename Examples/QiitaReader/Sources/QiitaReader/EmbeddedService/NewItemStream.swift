import Hikyaku
import HikyakuMockServer

/// The event stream of new items: it loses its first connection inside of an event.
nonisolated enum NewItemStream {
    private static let itemsCount = 4

    /// Answers with the items after the last event of the client.
    static func answer(_ request: MockRequest, _ library: Library) -> MockAnswer {
        let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        let events = library.articles.prefix(itemsCount).enumerated().map { index, article in
            "event: item\nid: \(index + 1)\ndata: \(article.json(isStocked: false).text)\n\n"
        }
        guard (0..<events.count).contains(last) else { return .status(.noContent) }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 100\n: welcome\n\n"
        // Two events and a part of the third one. The pause lets the client read them.
        let beginning = events.prefix(2).joined() + events[2].prefix(80)
        let lost: [MockStep] = [.write(head + beginning), .pause(.milliseconds(50)), .reset]
        return .raw(last == 0 ? lost : [.write(head + events[last...].joined()), .close])
    }
}
