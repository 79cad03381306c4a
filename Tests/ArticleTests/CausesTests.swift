#if os(Linux)
import Foundation
import Testing

@testable import Hikyaku
@testable import HikyakuEngine
@testable import HikyakuCompression
@testable import HikyakuHTTP
@testable import HikyakuOAuth
@testable import HikyakuURLSession
@testable import HikyakuWire

/// All causes of all modules are in one table.
///
/// A person reads it: is each advice true, and can it be followed?
/// `HIKYAKU_WRITE_ARTICLE=1 scripts/test --filter CausesTests` writes it anew.
struct CausesTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/Causes.md").standardized

    private struct Row {
        let module: String
        let cause: String
        let facts: CauseFacts
    }

    private static let rows: [Row] =
        rows("HikyakuHTTP", HTTPCause.self)
        + rows(
            "HikyakuEngine",
            EnvironmentCause.self,
            CallCause.self,
            CredentialCause.self,
            CookieCause.self,
            CircuitCause.self,
            LimitCause.self,
            RedirectCause.self,
            ContentCodingCause.self,
            PartCause.self,
            UploadCause.self,
        )
        + rows(
            "Hikyaku",
            RequestCause.self,
            ResponseCause.self,
            FileCause.self,
            EventStreamCause.self,
            PageCause.self,
        )
        + rows("HikyakuOAuth", OAuthCause.self) + rows("HikyakuCompression", CodingCause.self)
        + rows("HikyakuWire", WireCause.self) + rows("HikyakuURLSession", SessionCause.self)

    private static func rows(_ module: String, _ types: any FailureCause.Type...) -> [Row] {
        types.flatMap { rows(of: $0, module) }
    }

    private static func rows<Cause: FailureCause>(of type: Cause.Type, _ module: String) -> [Row] {
        type.allCases.map { Row(module: module, cause: "\($0)", facts: $0.facts) }
    }

    private static func hint(_ facts: CauseFacts) -> String {
        facts.hint ?? APIError<ProblemDetails>.transport(CallFailure(facts.reason)).hint ?? ""
    }

    private static func transience(_ facts: CauseFacts) -> String {
        switch facts.transience {
        case .notDone: "passes, not done"
        case .unknown: "passes"
        case nil: "stays"
        }
    }

    private static var text: String {
        let modules = rows.reduce(into: [String]()) { if $0.last != $1.module { $0.append($1.module) } }
        let tables = modules.map { module in
            let lines = rows.filter { $0.module == module }.map { row in
                let own = row.facts.hint == nil ? "" : "**"
                let hint = hint(row.facts).replacing("|", with: "\\|").replacing("<", with: "&lt;")
                return "| \(row.cause) | \(row.facts.reason) | \(transience(row.facts)) | \(own)\(hint)\(own) |"
            }
            return "## \(module)\n\n| cause | reason | transience | hint |\n|---|---|---|---|\n"
                + lines.joined(separator: "\n")
        }
        return """
            # All causes of errors

            What the package finds wrong is thrown through one list of causes for each module (`FailureCause`). An app
            switches over the reason; the advice to a developer depends on the cause. A hint in bold is the cause's own,
            the others are the general ones of their reasons. A cause that *passes* may be gone a moment later; *not done*
            says that the service has not processed the request, so that it is sent again whatever its method is.

            The table is made from the lists: `HIKYAKU_WRITE_ARTICLE=1 scripts/test --filter CausesTests`.

            \(tables.joined(separator: "\n\n"))

            """
    }

    @Test func theTableHasAllCauses() throws {
        #expect(Self.rows.count > 150)
        let written = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
        guard written != Self.text else { return }
        if ProcessInfo.processInfo.environment["HIKYAKU_WRITE_ARTICLE"] != nil {
            try Self.text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        Issue.record("Documentation/Causes.md is not that of the sources: see CausesTests")
    }

    /// A hint is for one line of a log, and one reason has no two causes with the same facts by mistake of a hint.
    @Test func eachHintIsALineThatCanBeFollowed() {
        for row in Self.rows where row.facts.reason != .cancelled {
            let hint = Self.hint(row.facts)
            #expect(!hint.isEmpty && !hint.contains("\n") && hint.count <= 320, "\(row.module).\(row.cause): \(hint)")
            #expect(hint.hasSuffix(".") || hint.hasSuffix("#"), "\(row.module).\(row.cause): \(hint)")
        }
    }
}
#endif
