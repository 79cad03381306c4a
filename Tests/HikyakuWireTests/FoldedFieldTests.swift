#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import Testing

/// Header lines that begin with a blank before any field of their own message.
@Suite(.timeLimit(.minutes(5)))
struct FoldedFieldTests {
    private static let good =
        "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "g", count: 300))\r\nContent-Length: 2\r\n\r\nok"

    /// The position of the line, never after a field of its own message.
    private static let bad = [
        "HTTP/1.1 200 OK\r\n X: a\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\n\tX: a\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\n \(String(repeating: "b", count: 5_000))\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 103 Early Hints\r\n X: a\r\n\r\nHTTP/1.1 200 OK\r\n X: a\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\n X: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n X: a\r\n\r\n",
    ]

    /// A process of its own: before the fix, most of them died.
    @Test func aFirstFieldThatIsFoldedEndsItsCallAndNotTheProcess() async {
        await #expect(processExitsWith: .success) {
            try await Self.sendAfterGoodExchanges()
        }
    }

    /// The same in this process, so that a sanitizer sees it.
    @Test func aFirstFieldThatIsFoldedIsMalformed() async throws {
        try await Self.sendAfterGoodExchanges()
    }

    private static func sendAfterGoodExchanges() async throws {
        for answer in bad {
            for isOtherServer in [false, true] {
                let wire = try Wire { _ in .raw([.write(good)]) }
                let other = try MockServer { _ in .raw([.write(good)]) }
                defer { other.stop() }
                for _ in 0..<10 {
                    for _ in 0..<3 { #expect(try await wire.send().text() == "ok") }
                    let hostile = isOtherServer ? other : wire.server
                    hostile.enqueue(.raw([.write(answer)]))
                    let url = try hostile.url("/")
                    let error = try await transportError { try await wire.transport.get(url) }
                    #expect(error.reason == .malformedResponse, "\(error)")
                }
                #expect(try await wire.send().text() == "ok")
            }
        }
    }
}
#endif
