import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct HeadCheckTests {
    private func reason(
        _ fields: [String: String],
        status: Int = 200,
        to method: HTTPMethod = .get,
    ) throws -> FailureReason? {
        let url = try #require(URL(string: "https://api.example/"))
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        return HeadCheck.problem(in: try #require(response), to: method)?.reason
    }

    @Test(
        arguments: [
            ("5", FailureReason?.none),
            ("5, 5", nil),
            ("5, 6", .conflictingContentLength),
            ("6,5", .conflictingContentLength),
            ("0x5", .malformedContentLength),
            ("+5", .malformedContentLength),
            ("-5", .malformedContentLength),
            ("5 bytes", .malformedContentLength),
            ("", .malformedContentLength),
            ("5,", .malformedContentLength),
            ("18446744073709551621", .malformedContentLength),
        ]
    )
    func looksAtTheLength(value: String, reason: FailureReason?) throws {
        #expect(try self.reason(["Content-Length": value]) == reason)
        #expect(try self.reason(["Content-Length": value], to: .head) == nil)
        #expect(try self.reason(["Content-Length": value], status: 304) == nil)
    }

    @Test func rejectsALengthWithChunks() throws {
        #expect(try reason(["Content-Length": "5", "Transfer-Encoding": "Chunked"]) == .ambiguousLength)
        #expect(try reason(["Transfer-Encoding": "chunked"]) == nil)
        // CFNetwork writes this of a body that it has decoded.
        #expect(try reason(["Content-Length": "5", "Transfer-Encoding": "Identity"]) == nil)
    }

    @Test func rejectsAnUnrequestedUpgrade() throws {
        #expect(try reason(["Upgrade": "x"], status: 101) == .unexpectedUpgrade)
    }

    @Test func boundsTheHeaderBlock() throws {
        let value = String(repeating: "x", count: HeadCheck.bytesMax - 7)
        #expect(try reason(["X-A": value]) == nil)
        #expect(try reason(["X-A": value + "x"]) == .headersTooLarge)
        let fields = Dictionary(uniqueKeysWithValues: (0..<HeadCheck.fieldCountMax).map { ("X-\($0)", "") })
        #expect(try reason(fields) == nil)
        #expect(try reason(fields.merging(["X-More": ""]) { $1 }) == .headersTooLarge)
    }
}
