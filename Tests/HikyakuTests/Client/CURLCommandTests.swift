import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// The cURL line of a client, with all that it adds.
@Suite struct ClientCURLCommandTests {
    private struct Device: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            var request = request
            request.headers["X-Device"] = "d1"
            return try await next(request)
        }
    }

    private struct Answering: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse { .json("[]") }
    }

    private struct Signer: RequestSigner {
        func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
            request.headers["X-Signature"] = "s1gned"
        }
    }

    private let transport = MockTransport { _ in HTTPResponse(status: .ok) }

    @Test func itHasTheCredentialTheMiddlewaresFieldsAndTheCookies() async throws {
        let cookies = MemoryCookieStore([Cookie(name: "sid", value: "c00kie", domain: "shop.example", path: "/")])
        let options = ClientOptions(cookies: cookies)
        let client = APIClient(transport: transport, middleware: [Device()], options: options)
            .authorized(by: .bearer("t0ken"), for: .shop)
        let line = try await client.curlCommand(for: Shop.AddDish(dish: .sample), revealingSecrets: true)
        let parts = [
            "'Authorization: Bearer t0ken'", "'X-Device: d1'", "sid=c00kie", "X-Shop: main", "Accept-Encoding",
            " --compressed ",
        ]
        for part in parts {
            #expect(line.contains(part), "\(part) in \(line)")
        }
        #expect(transport.requests.isEmpty)
        let hidden = try await client.bind(Shop.AddDish(dish: .sample)).curlCommand()
        #expect(hidden.contains("Authorization: ‹redacted›"))
        for secret in ["t0ken", "c00kie", "d1", "Ramen"] { #expect(!hidden.contains(secret), "\(hidden)") }
    }

    @Test func itIsSigned() async throws {
        let client = APIClient(transport: transport).authorized(by: Signer(), for: .shop)
        let line = try await client.curlCommand(for: Shop.AddDish(dish: .sample), revealingSecrets: true)
        #expect(line.contains("X-Signature: s1gned"))
    }

    @Test func aMissingCredentialIsItsError() async throws {
        let client = APIClient(transport: transport)
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.curlCommand(for: Shop.AddDish(dish: .sample))
        }
        #expect(error.reason == .missingToken)
        let invalid = try await failure { () async throws(APIError<ShopError>) in
            try await client.curlCommand(for: Shop.DishByID(id: ""))
        }
        #expect(invalid.reason == .path)
    }

    /// The manual clock never lets a second request of the limit start.
    @Test(.timeLimit(.minutes(1)))
    func noLimitIsUsedUp() async throws {
        let options = ClientOptions(limits: [.origin: CallLimit(rate: .perSecond(1))], clock: ManualClock())
        let client = APIClient(transport: MockTransport { _ in .json("[]") }, options: options)
        for _ in 0..<3 { _ = try await client.curlCommand(for: Shop.Dishes()) }
        #expect(try await client.send(Shop.Dishes()).isEmpty)
    }

    @Test func aMiddlewareThatAnswersLeavesTheRequestAsItWasBuiltAndNothingIsLogged() async throws {
        let log = Lock("")
        let client = APIClient(transport: transport, middleware: [Answering()])
            .logging(.bodies) { line in log.withLock { $0 += line } }
            .stubbing(Shop.Dishes.self) { _ in [] }
        let line = try await client.curlCommand(for: Shop.Dishes(page: 7), revealingSecrets: true)
        #expect(line.contains("https://shop.example/v1/dishes?page=7"))
        #expect(log.withLock(\.isEmpty))
    }

    /// The draft of a download is work of hours.
    @Test func aDraftIsNotTouched() async throws {
        struct Fetch: FileRequest {
            var path: RequestPath { "/f" }
            var environment: APIEnvironment { "https://a.example" }
            let destination: FileDestination
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let request = Fetch(destination: .resumable(at: folder.appending(path: "f.bin").path()))
        let line = try await APIClient(transport: transport).curlCommand(for: request)
        #expect(line.contains("https://a.example/f"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
    }

    @Test func anEnvironmentsOwnTransportIsNotUsed() async throws {
        let sent = Lock(0)
        let own = APIEnvironment.stubbed(baseURL: "https://a.example") { _ in
            sent.withLock { $0 += 1 }
            return HTTPResponse(status: .ok)
        }
        let line = try await APIClient().curlCommand(for: AnyRequest(environment: own))
        #expect(line.contains("https://a.example/p") && sent.withLock { $0 == 0 })
    }
}
