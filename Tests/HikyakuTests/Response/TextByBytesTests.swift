import Foundation
import HikyakuBase
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A combining mark after a delimiter hides it from Swift, but not from the server.
@Suite struct TextByBytesTests {
    static let marks = CookieTextTests.marks

    @Test(arguments: marks)
    func aMediaTypeEndsAtItsDelimiters(_ mark: String) {
        let value = "text/plain;\(mark)x=1;charset=\(mark)utf-8; b=\"a;\(mark)\\\"\(mark);c\(mark)\"\t; d=\"\(mark)\""
        #expect(MediaType(value).parameter("charset")?.hasSameBytes(as: "\(mark)utf-8") == true)
        #expect(MediaType(value).parameter("b")?.hasSameBytes(as: "a;\(mark)\"\(mark);c\(mark)") == true)
        #expect(MediaType(value).parameter("d")?.hasSameBytes(as: mark) == true)
        #expect(MediaType(value).parameter("x") == nil)
        #expect(MediaType("a/b; \u{212A}=1").parameter("k") == nil)
    }

    @Test(arguments: marks)
    func codingsEndAtTheirDelimiters(_ mark: String) throws {
        let url = try #require(URL(string: "https://a.example"))
        let request = HTTPRequest(url: url, headers: ["Accept-Encoding": "gzip;\(mark)x,\(mark)y, br;q=0,x-zstd"])
        #expect(request.acceptsCodings(["gzip"]) && request.acceptsCodings(["zstd"]) && !request.acceptsCodings(["br"]))
        let response = HTTPResponse(status: 200, headers: ["Content-Encoding": "gzip,\(mark), identity,br"])
        #expect(response.codingNames == ["gzip", "br"])
    }

    @Test(arguments: marks)
    func aProblemIsKnownByItsType(_ mark: String) throws {
        func problem(_ type: String) -> ProblemDetails? {
            ProblemDetails(
                response: BufferedResponse(status: 400, headers: [.contentType: type], body: Data("{}".utf8))
            )
        }
        #expect(problem("application/problem+json;\(mark)") != nil)
        #expect(problem("application/problem+json\(mark)") == nil)
    }

    @Test(arguments: ByteTwins.all)
    func locationsOfOtherBytesAreOthers(_ twins: ByteTwins) throws {
        let url = try #require(URL(string: "https://a.example/x"))
        var response = HTTPResponse(status: 302)
        for text in [twins.one, twins.other] { response.headers.append(.location, "/\(text)") }
        #expect(throws: TransportError.self) { try RedirectTarget.url(of: response, to: HTTPRequest(url: url)) }
    }

    @Test(arguments: marks)
    func aLocationIsResolvedByBytes(_ mark: String) throws {
        let base = try #require(URL(string: "https://a.example/b/c?q"))
        let encoded = mark.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
        for (location, target) in [
            ("/\(mark)x", "https://a.example/\(encoded)x"), ("?\(mark)", "https://a.example/b/c?\(encoded)"),
            ("//h.example/\(mark)", "https://h.example/\(encoded)"), ("d#\(mark)", "https://a.example/b/d"),
            ("../\(mark)", "https://a.example/\(encoded)"), ("./..\(mark)/e", "https://a.example/b/..\(encoded)/e"),
        ] {
            #expect(RedirectTarget.url(of: location, from: base)?.absoluteString == target)
        }
        // No host has a mark, and credentials are credentials with one.
        for location in ["//h.example:\(mark)80/", "//\(mark)@h.example/", "//u@\(mark)h.example/"] {
            // Invalid URLs are rejected as well.
            guard let url = RedirectTarget.url(of: location, from: base) else { continue }
            #expect(throws: TransportError.self) { try HTTPRequest(url: url).checkForWire() }
        }
    }

    @Test(arguments: marks)
    func aBaseURLIsASCII(_ mark: String) {
        for text in ["https://u@\(mark)a.example", "https://a.example/?\(mark)", "https://a.example:\(mark)1"] {
            #expect(APIEnvironment(baseURL: text).base.problem != nil)
        }
    }

    @Test(arguments: ByteTwins.all)
    func scopesAreComparedByBytes(_ twins: ByteTwins) {
        struct Scoped: APIRequest {
            typealias Access = Authorized
            typealias Response = String
            var requiredScopes: Set<String>
            let environment: APIEnvironment = "https://a.example"
            let path: RequestPath = "/"
        }
        let token = AccessToken("t", scopes: [twins.one, "a"])
        #expect(throws: TokenError.self) { try token.ready(for: Scoped(requiredScopes: [twins.other])) }
        #expect(throws: Never.self) { try token.ready(for: Scoped(requiredScopes: [twins.one, "a"])) }
    }

    @Test(arguments: ByteTwins.all)
    func credentialsAreComparedByBytes(_ twins: ByteTwins) throws {
        #expect(AccessToken(twins.one) != AccessToken(twins.other))
        let one = IssuedToken(token: Secret(twins.one))
        #expect(one != IssuedToken(token: Secret(twins.other)) && one == IssuedToken(token: Secret(twins.one)))
    }

    /// Calls that differ in a field, as those of two people may, share nothing.
    @Test(arguments: ByteTwins.all)
    func fieldsOfOtherBytesShareNoExchange(_ twins: ByteTwins) {
        let headers = [twins.one, twins.other].map { HTTPHeaders.secret("X-Key", $0) }
        #expect(headers[0] != headers[1])
    }

    @Test(arguments: marks)
    func namesOfFilesEndAtSlashesAndDots(_ mark: String) throws {
        #expect(FileMediaType.named("a.b.\(mark)") == "application/octet-stream")
        #expect(FileMediaType.named("a\(mark).JSON") == "application/json")
        let folder = FileManager.default.temporaryDirectory.path + "/text-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(mark)f"))
        let part = try MultipartPart.file("f", path: "\(folder)/\(mark)f").encoded(by: HikyakuJSONEncoder())
        #expect(part.head.contains("; filename=\"\(mark)f\"\r\n"))
        #expect(RequestPath("/\(mark)").encoded.utf8.starts(with: "/%".utf8))
        #expect(ResponsePath("/a/\(mark)b").keys.map { Array($0.utf8) } == [Array("a".utf8), Array("\(mark)b".utf8)])
        #expect(ResponsePath("a.\(mark)b").keys.map { Array($0.utf8) } == [Array("a".utf8), Array("\(mark)b".utf8)])
    }

    /// Each line of a body has the mark of a log, whatever ends it.
    @Test(arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{B}"], [""] + marks)
    func aBodyForgesNoLineOfALog(_ end: String, _ mark: String) async throws {
        let lines = Lock<[String]>([])
        let body = "a\(end)\(mark)#1 GET https://a.example → 200 OK"
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: 200, body: HTTPBody(body)) })
            .logging(.bodies, revealingSecrets: true) { line in lines.withLock { $0.append(line) } }
        _ = try await client.send(AnyRequest())
        let log = lines.withLock { $0 }
        let all = log.flatMap { $0.utf8.split(separator: UInt8(ascii: "\n")) }.map { String(Substring($0)) }
        #expect(all.allSatisfy { $0.hasBytePrefix("#1 > ") || $0.hasBytePrefix("#1 < ") || $0.hasBytePrefix("#1 GET") })
        #expect(all.count { $0.hasBytePrefix("#1 GET") } == 1)
        #expect(log.joined().unicodeScalars.allSatisfy { $0 != "\r" && $0 != "\u{85}" && $0 != "\u{2028}" })
    }
}

/// Two texts that are equal to Swift and have other bytes.
struct ByteTwins: Sendable, CustomTestStringConvertible {
    let one: String
    let other: String
    var testDescription: String { "\(Array(one.utf8)) \(Array(other.utf8))" }

    static let all = [
        ByteTwins(one: "\u{15B}", other: "s\u{301}"), ByteTwins(one: "K", other: "\u{212A}"),
        ByteTwins(one: "q\u{307}\u{323}", other: "q\u{323}\u{307}"), ByteTwins(one: "`", other: "\u{1FEF}"),
    ]
}
