import Foundation
import Hikyaku
import Testing

private enum Section: String, PathComponent { case mainDishes = "main dishes" }

@Suite struct RequestPathTests {
    private static func url(_ path: RequestPath) throws -> String {
        try AnyRequest(path: path).httpRequest().url.absoluteString
    }

    @Test(arguments: [
        ("..admin?x=1#y", "..admin%3Fx%3D1%23y"), ("a/b", "a%2Fb"), ("a%2Fb", "a%252Fb"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("a b+c", "a%20b%2Bc"), ("a\r\nb", "a%0D%0Ab"), ("@evil.example", "%40evil.example"), ("…", "%E2%80%A6"),
        ("~a-b_c.d", "~a-b_c.d"), ("\\", "%5C"), ("..;", "..%3B"),
        ("a/...", "a%2F..."), ("..a/b..", "..a%2Fb.."), ("%2e%2e%2f", "%252e%252e%252f"), ("a\\b", "a%5Cb"),
    ])
    func anInterpolatedValueStaysOneSegment(id: String, segment: String) throws {
        #expect(try Self.url("/items/\(id)/comments") == "https://a.example/items/\(segment)/comments")
    }

    private static let absolutePaths: [RequestPath] = [
        "https://x.example/y", "http://x.example", "HTTPS://x", "\("https://x.example")/y", "\("https")://x.example/y",
        "a+b-c.1://x",
    ]

    @Test(arguments: absolutePaths)
    func aPathWithASchemeIsRejected(path: RequestPath) async throws {
        let error = try await failure { () throws(APIError<ProblemDetails>) in try AnyRequest(path: path).httpRequest()
        }
        #expect(error.reason == .path)
        #expect(error.description.contains("put the base URL in the environment"))
    }

    @Test func aSchemeFurtherInIsAPathAsAnyOther() throws {
        #expect(try Self.url("/https://x") == "https://a.example/https://x")
        #expect(try Self.url("/\("https://x")") == "https://a.example/https%3A%2F%2Fx")
        #expect(try Self.url("a:b") == "https://a.example/a:b")
        #expect(try Self.url("1a://b") == "https://a.example/1a://b")
    }

    @Test func numbersUUIDsAndEnumsAreComponents() throws {
        let id = try #require(UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA"))
        let path: RequestPath = "/\(7)/\(UInt64.max)/\(id)/\(Section.mainDishes)"
        #expect(path.description == "/7/18446744073709551615/6B29FC40-CA47-1067-B31D-00DD010662DA/main%20dishes")
    }

    @Test(arguments: [
        "", ".", "..", "a\u{0}b", "../../admin/x", "..\\..\\admin", "a/../b", "a\\..", "/..", "./a", "a/.", "//..//",
        "..\\/", "\\.", "a/..\\b",
    ])
    func valuesThatWouldNameAnotherPathAreRejected(id: String) async throws {
        for path in ["/s/\(id)/e", "/s/\(id)", "\(id)"] as [RequestPath] {
            let error = try await failure { () throws(APIError<ProblemDetails>) in
                try AnyRequest(path: path).httpRequest()
            }
            #expect(error.reason == .path)
        }
    }

    /// Each is harmless by itself.
    @Test func valuesThatNameAnotherPathTogetherAreRejected() {
        let (dot, slash) = (".", "/")
        for path in ["/a\(slash)\(dot)\(dot)\(slash)b", "/a%2F.\(dot)", "/a\(slash)..", "/\(dot).%5Cb"] as [RequestPath]
        {
            #expect(throws: APIError<ProblemDetails>.self) { try Self.url(path) }
        }
    }

    @Test(arguments: [
        "/a/../b", "/a/./b", "..", "/a/%2e%2E", "/a/%2", "/a/%zz", "/a?b=1", "/a#b", "/a\u{0}", "/a%00b", "/a\r\nb",
        "/%2E", "/a%2F..%2Fb", "/a%2f%2E%2e", "/a%5C..%5cb", "/%5c%2e", "/a\\..\\b", "/.%2Fa", "/a/..%5C", "/a%2F.",
    ])
    func literalPathsWithAnotherTargetAreRejected(path: String) async throws {
        let error = try await failure { () throws(APIError<ProblemDetails>) in
            try AnyRequest(path: RequestPath(path)).httpRequest()
        }
        #expect(error.reason == .path)
        guard case .invalidRequest = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func aPathThatCannotBeSentIsNotRepeated() {
        let path = RequestPath("/p?token=hunter2")
        var dumped = ""
        dump(path, to: &dumped)
        #expect(!"\(path)\(dumped)".contains("hunter2"))
    }

    @Test func literalPartsKeepTheirOwnCharactersAndTriplets() throws {
        #expect(
            try Self.url("/v1/names:list/a@b/%E6%97%A5/…/x y")
                == "https://a.example/v1/names:list/a@b/%E6%97%A5/%E2%80%A6/x%20y"
        )
        #expect(try Self.url("items") == "https://a.example/items")
        #expect(try Self.url("") == "https://a.example")
        #expect(try Self.url("//evil.example/x") == "https://a.example//evil.example/x")
        #expect(try Self.url("@evil.example") == "https://a.example/@evil.example")
        #expect(try Self.url("/a/...") == "https://a.example/a/...")
    }
}
