import Foundation
import Hikyaku
import Testing

/// The tables of the article on errors are written from the sources: all reasons with their meaning and advice.
///
/// `HIKYAKU_WRITE_ARTICLE=1 scripts/test --filter ErrorsArticleTests` writes them anew.
@Suite struct ErrorsArticleTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardized
    private static let article = repository.appending(path: "Sources/Client/Hikyaku/Hikyaku.docc/HandlingErrors.md")
    private static let (start, end) = ("<!-- reasons: begin -->", "<!-- reasons: end -->")

    private struct Entry {
        let name: String
        let reason: FailureReason
        let meaning: String
    }

    /// All reasons that the sources declare, with the first sentence of their comments.
    private static func entries() throws -> [Entry] {
        try DeclaredReason.all().compactMap { declared in
            declared.reason.map { Entry(name: declared.name, reason: $0, meaning: sentence(of: declared.comment)) }
        }
    }

    private static func sentence(of comment: Substring) -> String {
        let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " || $0 == "/" }.trimmingCharacters(in: .whitespaces) }
        return lines.prefix { !$0.isEmpty }.joined(separator: " ").replacing("|", with: "\\|").replacing(
            "``",
            with: "`",
        )
    }

    private static func table() throws -> String {
        let entries = try entries()
        return FailurePhase.allCases.map { phase in
            let rows = entries.filter { $0.reason.phase == phase }
                .map { "| \(names($0)) | \($0.meaning) | \(retries($0.reason)) | \(hint($0.reason)) |" }
            let head = "| reason | meaning | retryable | hint for developers |\n|---|---|---|---|"
            return "### Phase \(phase.rawValue)\n\n\(head)\n" + rows.joined(separator: "\n")
        }
        .joined(separator: "\n\n")
    }

    /// The name in code, and the word in logs if that is another one.
    private static func names(_ entry: Entry) -> String {
        "`.\(entry.name)`" + (entry.name == entry.reason.code ? "" : " (`\(entry.reason)`)")
    }

    /// When ``APIFailure/isRetryable`` is true.
    private static func retries(_ reason: FailureReason) -> String {
        guard reason.phase != .service && reason.phase != .unacceptableStatus else { return "by status" }
        let isRetryable = [true, false].map { isIdempotent in
            let context = CallContext(isIdempotent: isIdempotent, attempt: 1)
            return APIError<ProblemDetails>.transport(CallFailure(reason, context: context)).isRetryable
        }
        return isRetryable[1] ? "yes" : isRetryable[0] ? "if idempotent" : "no"
    }

    private static func hint(_ reason: FailureReason) -> String {
        let hint = APIError<ProblemDetails>.transport(CallFailure(reason)).hint ?? ""
        return hint.replacing("|", with: "\\|").replacing("<", with: "&lt;")
    }

    @Test func theArticleListsAllReasons() throws {
        let table = try Self.table()
        #expect(table.count { $0 == "\n" } > 100)
        var text = try String(contentsOf: Self.article, encoding: .utf8)
        let start = try #require(text.range(of: Self.start))
        let end = try #require(text.range(of: Self.end))
        let range = start.upperBound..<end.lowerBound
        let written = text[range].trimmingCharacters(in: .whitespacesAndNewlines)
        guard written != table else { return }
        if ProcessInfo.processInfo.environment["HIKYAKU_WRITE_ARTICLE"] != nil {
            text.replaceSubrange(range, with: "\n\n\(table)\n\n")
            try text.write(to: Self.article, atomically: true, encoding: .utf8)
        }
        Issue.record("the tables of HandlingErrors.md are not those of the sources: see ErrorsArticleTests")
    }
}
