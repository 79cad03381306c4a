import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

struct HMACSignerTests {
    private static let signer = HMACSigner(keyID: "k1", key: Data("hunter2".utf8)) {
        Date(timeIntervalSince1970: 784_111_777)
    }
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private struct Order: APIRequest {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var environment: APIEnvironment { "https://shop.example/v1" }
        var method: HTTPMethod = .post
        var path: RequestPath { "/orders/\("a/b")" }
        var query: RequestQuery { ["q": "x y"] }
        var body: RequestBody?
    }

    /// Figures by Python's `hmac` and `hashlib`.
    @Test(
        arguments: [
            (
                "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "UuQjlNLnCMOFXEtgL7g+6lLrSlViaSuX7Sx+Vq15gGM=",
            ),
            (nil, empty, "FOY1XNW/HwnxiZBHp7SSwCEtyqGn9INkLvcZ4z66JGg="),
        ] as [(String?, String, String)]
    )
    func requestIsSigned(body: String?, digest: String, signature: String) async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 200) }
        let client = APIClient(transport: transport).authorized(by: Self.signer, for: "https://shop.example/v1")
        try await client.send(Order(body: body.map { .text($0) }))
        let headers = try #require(transport.requests.first?.headers)
        #expect(headers[.date] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(headers["X-Content-SHA256"] == digest)
        #expect(headers[.authorization] == "HMAC-SHA256 keyId=\"k1\", signature=\"\(signature)\"")
        #expect(headers.first { $0.name == .authorization }?.isSecret == true)
    }

    private func sign(
        _ url: String = "https://a.example/p",
        method: HTTPMethod = .get,
        body: HTTPBody? = nil,
        signer: HMACSigner = signer,
    ) async throws -> String {
        var request = HTTPRequest(method: method, url: try #require(URL(string: url)), body: body)
        try await signer.sign(&request, for: "https://a.example")
        return try #require(request.headers[.authorization])
    }

    @Test
    func eachPartChangesTheSignature() async throws {
        let all = [
            try await sign(), try await sign("https://a.example/q"), try await sign("https://a.example/p?a"),
            try await sign(method: .put), try await sign(body: "x"),
            try await sign(
                signer: HMACSigner(keyID: "k1", key: Data("other".utf8)) { Date(timeIntervalSince1970: 784_111_777) }
            ),
            try await sign(
                signer: HMACSigner(keyID: "k1", key: Data("hunter2".utf8)) { Date(timeIntervalSince1970: 784_111_778) }
            ),
        ]
        #expect(Set(all).count == all.count)
        #expect(try await sign() == all[0])
        #expect(try await sign(body: .empty) == all[0])
        #expect(try await sign("https://a.example") == sign("https://a.example/"))
    }

    @Test
    func fileIsSignedAsItsBytes() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID())")
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await sign(body: HTTPBody.file(at: file.path())) == sign(body: HTTPBody(bytes)))
    }

    @Test(arguments: [true, false])
    func streamIsRejected(isReplayable: Bool) async throws {
        let pieces = AsyncStream<Data> { $0.finish() }
        let body = HTTPBody(pieces, count: 0, isReplayable: isReplayable)
        let transport = MockTransport()
        let client = APIClient(transport: transport).authorized(by: Self.signer, for: "https://shop.example/v1")
        let error = try await thrown { try await client.send(Order(body: .stream(body))) }
        #expect((error as? APIError<ProblemDetails>)?.reason == .body)
        #expect("\(error)".contains("a streamed body can't be signed"))
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["", "a\"b", "a\\b", "a b", "é", "a\n"])
    func invalidNameIsRejected(keyID: String) async throws {
        let error = try await thrown { try await sign(signer: HMACSigner(keyID: keyID, key: Data())) }
        #expect((error as? TransportError)?.reason == .header)
    }

    @Test
    func yearOutOfRangeIsRejected() async throws {
        let signer = HMACSigner(keyID: "k", key: Data()) { Date(timeIntervalSince1970: 1e15) }
        let error = try await thrown { try await sign(signer: signer) }
        #expect((error as? TransportError)?.reason == .header)
    }

    @Test
    func keyIsNotPrinted() {
        var text = "\(Self.signer) \(String(reflecting: Self.signer))"
        dump(Self.signer, to: &text)
        #expect(text.contains("k1"))
        #expect(!text.contains("hunter2"))
        #expect(!text.contains(Data("hunter2".utf8).base64EncodedString()))
    }
}
