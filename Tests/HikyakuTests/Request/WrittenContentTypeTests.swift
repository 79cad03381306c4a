import Foundation
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A request may say more exactly what its body is, but not something else.
@Suite struct WrittenContentTypeTests {
    private struct Upload: APIRequest {
        typealias Response = Void
        var type: String?
        var body: RequestBody?
        var environment: APIEnvironment = "https://shop.example"
        var method: HTTPMethod { .post }
        var path: RequestPath { "/up" }
        var headers: HTTPHeaders { type.map { ["Content-Type": $0] } ?? [:] }
    }

    private func sent(_ upload: Upload) async throws -> HTTPRequest {
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        try await APIClient(transport: transport).send(upload)
        return try #require(transport.requests.first)
    }

    private func boundary(of request: HTTPRequest) throws -> String {
        let bytes = try #require(request.body?.bytes)
        let text = try #require(String(bytes: bytes, encoding: .utf8))
        return String(text.dropFirst(2).prefix { !$0.isNewline })
    }

    private static let parts = RequestBody.multipart([.text("a", "b")])

    @Test(arguments: ["multipart/form-data", "Multipart/Form-Data; charset=utf-8", "multipart/mixed"])
    func aBoundaryIsAdded(type: String) async throws {
        let request = try await sent(Upload(type: type, body: Self.parts))
        #expect(request.headers.values(for: .contentType) == ["\(type); boundary=\(try boundary(of: request))"])
    }

    @Test(
        arguments: [
            ("application/json", parts), ("multipart/form-data; boundary=mine", parts), ("", parts),
            ("application/json", .form(["a": "b"])), ("multipart/form-data", .form(["a": "b"])),
            ("application/x-www-form-urlencoded", .json(["a": "b"])), ("multipart/form-data", .json(["a": "b"])),
            ("multipart/form-data", .bytes(Data("a".utf8))), ("application/xml", .json(["a": "b"])),
        ] as [(String, RequestBody)]
    )
    func anotherKindIsRejectedBeforeItIsSent(type: String, body: RequestBody) async throws {
        let error = try await #require(throws: APIError<ProblemDetails>.self) {
            _ = try await sent(Upload(type: type, body: body))
        }
        #expect(error.reason == .header)
        #expect(error.hint == "Leave out Content-Type: the body sets it, with its boundary.")
        #expect(error.context.attempt == 0)
    }

    @Test(
        arguments: [
            ("application/vnd.api+json", .json(["a": "b"])), ("text/plain", .json(["a": "b"])),
            ("application/x-www-form-urlencoded; charset=utf-8", .form(["a": "b"])),
            ("multipart/form-data; boundary=mine", .bytes(Data("--mine--".utf8))), ("image/png", .bytes(Data([1]))),
        ] as [(String, RequestBody)]
    )
    func aMoreExactTypeIsSent(type: String, body: RequestBody) async throws {
        let request = try await sent(Upload(type: type, body: body))
        #expect(request.headers.values(for: .contentType) == [type])
    }

    /// An environment can't know the bodies of all its requests.
    @Test func theTypeOfAnEnvironmentYields() async throws {
        let environment = APIEnvironment(
            baseURL: "https://shop.example",
            headers: ["Content-Type": "application/json"],
        )
        let form = try await sent(Upload(body: .form(["a": "b"]), environment: environment))
        #expect(form.headers.values(for: .contentType) == ["application/x-www-form-urlencoded"])
        let upload = try await sent(Upload(body: Self.parts, environment: environment))
        let type = "multipart/form-data; boundary=\(try boundary(of: upload))"
        #expect(upload.headers.values(for: .contentType) == [type])
    }
}
