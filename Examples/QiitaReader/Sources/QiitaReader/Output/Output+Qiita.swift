import Hikyaku
import HikyakuBroadcast

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

nonisolated extension Output {
    /// Writes a page of items as a table, with their numbers in the whole list.
    func items(_ items: [Item], firstNumber: Int) {
        guard !items.isEmpty else { return line("  No items.") }
        let numberWidth = String(firstNumber + items.count - 1).count
        let authorWidth = min(16, items.map(\.user.id.displayWidth).max() ?? 0)
        let titleWidth = Self.width - 2 - numberWidth - 2 - 2 - authorWidth - 2 - 5 - 2 - 10
        func row(_ number: String, _ title: String, _ author: String, _ likes: String, _ date: String) -> String {
            [
                number.paddedAtStart(to: numberWidth),
                title.cut(to: titleWidth).padded(to: titleWidth),
                author.cut(to: authorWidth).padded(to: authorWidth),
                likes.paddedAtStart(to: 5),
                date,
            ].joined(separator: "  ")
        }
        lines([row("#", "Title", "Author", "Likes", "Date")], indent: 2)
        for (offset, item) in items.enumerated() {
            let number = String(firstNumber + offset)
            lines([row(number, item.title, item.user.id, String(item.likesCount), item.createdAt.day)], indent: 2)
        }
    }

    /// Writes the paging information of the header fields.
    func pages(_ info: PageInfo) {
        let known = ["first", "prev", "next", "last"]
        let links = known.compactMap { relation in info.pages[relation].map { "\(relation) \($0)" } }
        fields([
            ("Total-Count", info.totalCount.map { "\($0) items" }),
            ("Link", links.isEmpty ? nil : links.joined(separator: ", ")),
        ])
    }

    func item(_ item: Item) {
        fields([
            ("title", item.title),
            ("id", item.id),
            ("author", item.user.label),
            ("tags", item.tags.map(\.label).joined(separator: ", ")),
            ("created", item.createdAt.minute),
            ("updated", item.updatedAt.minute),
            ("likes", "\(item.likesCount)"),
            ("url", item.url.absoluteString),
        ])
        line()
        paragraph(item.body, indent: 2)
    }

    func comments(_ comments: [Comment]) {
        line(comments.isEmpty ? "  No comments." : "  Comments (\(comments.count))")
        for comment in comments {
            line("  • \(comment.user.label), \(comment.createdAt.minute)")
            paragraph(comment.body, indent: 4)
        }
    }

    func user(_ user: User) {
        fields([
            ("id", user.id),
            ("name", user.name),
            ("about", user.description),
            ("location", user.location),
            ("GitHub", user.githubLoginName),
            ("items", "\(user.itemsCount)"),
            ("followers", "\(user.followersCount)"),
        ])
    }

    /// Writes the progress of a call.
    func progress(_ progress: CallProgress) {
        let total = progress.bytesTotal.map { " of \($0)" } ?? ""
        let bytes = "\(progress.direction.rawValue) \(progress.bytesDone)\(total) bytes"
        guard let speed = progress.bytesPerSecond, let timeLeft = progress.timeLeft else {
            return lines([bytes], indent: 2)
        }
        let columns = [
            bytes.padded(to: 32),
            "\(Int(speed / 1_000)) kB/s".paddedAtStart(to: 10),
            "\(Int(timeLeft / .milliseconds(1))) ms left".paddedAtStart(to: 14),
        ]
        lines([columns.joined(separator: "  ")], indent: 2)
    }

    /// Writes an update that a subscriber received, with its source.
    func update(_ update: HubUpdate<Item>) {
        let columns = [
            update.value.title.cut(to: 40).padded(to: 40),
            "\(update.value.stocksCount) stocks".paddedAtStart(to: 12),
            "\(update.source)",
        ]
        lines([columns.joined(separator: "  ")], indent: 2)
    }

    /// Writes a failure of any service: what happened, why, what to do, and which call it was.
    func failure(_ failure: any APIFailure, indent: Int = 0) {
        let parts = [
            ("error", failure.localizedDescription),
            ("service says", failure.service(as: QiitaError.self).map { "\($0.message) (\($0.type))" }),
            ("why", failure.failureReason),
            ("try", failure.recoverySuggestion),
            ("hint", failure.hint),
            ("reason", "\(failure.reason)"),
            ("call", "\(failure.context)"),
        ]
        fields(parts, indent: indent)
    }
}

nonisolated extension User {
    /// Name and ID; many users have an empty name.
    fileprivate var label: String { name.isEmpty ? id : "\(name) (\(id))" }
}

nonisolated extension Tag {
    fileprivate var label: String { versions.isEmpty ? name : "\(name) \(versions.joined(separator: "/"))" }
}

nonisolated extension Date {
    /// The day in UTC: `2026-11-21`.
    fileprivate var day: String { formatted(.iso8601.year().month().day()) }

    /// Day and minute in UTC: `2026-11-21 09:30`.
    fileprivate var minute: String {
        day + " " + formatted(.iso8601.time(includingFractionalSeconds: false)).prefix(5)
    }
}
