import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

/// Clients without a transport of their own, over a real wire.
@Suite struct DefaultClientTests {
    private static func client(for baseURL: String) -> APIClient<Public> {
        APIClient().substituting(APIEnvironment(baseURL: baseURL), for: .shop)
    }

    private static func error(from answer: MockAnswer) async throws -> APIError<ShopError> {
        let server = try MockServer { _ in answer }
        defer { server.stop() }
        let client = client(for: server.baseURL)
        return try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
    }

    @Test func aRequestGoesOutAndATypedModelComesBack() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.get, "/v1/dishes/:id") { request in
            .json(#"{"id":7,"name":"\#(request.parameters["id"] ?? "")"}"#)
        }
        let client = Self.client(for: server.baseURL + "/v1")
        let dish = try await client.send(Shop.DishByID(id: "a/admin?x=1#y"))
        #expect(dish == Dish(id: 7, name: "a/admin?x=1#y"))
        let received = try #require(server.requests.first)
        #expect(received.target == "/v1/dishes/a%2Fadmin%3Fx%3D1%23y")
        #if !canImport(Darwin)
        #expect(received.headers[.acceptEncoding] == SupportedCodings.acceptEncoding)
        #endif
    }

    @Test func allDefaultClientsShareOneTransport() async throws {
        let server = try MockServer { _ in .json("[]") }
        defer { server.stop() }
        for _ in 0..<3 {
            _ = try await Self.client(for: server.baseURL).send(Shop.Dishes())
        }
        #expect(server.requests.count == 3)
        #expect(server.connectionCount == 1)
    }

    /// What URLSession says of a connection that ends too early depends on how far it had come.
    private static let brokenAnswers: [(MockAnswer, FailureReason)] = {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[]"
        #if canImport(Darwin)
        return [
            (.raw([.close]), .connectionReset), (.raw([.write(head), .close]), .truncatedResponse),
            (.raw([.write(head), .reset]), .truncatedResponse),
        ]
        #else
        return [
            (.raw([.close]), .connectionClosed),
            (.raw([.write("SSH-2.0-OpenSSH_9.2\r\n"), .close]), .malformedResponse),
            (.raw([.write("HTTP/1.1 200 OK\r\nContent-Type: app"), .close]), .truncatedHeaders),
            (.raw([.write(head), .close]), .truncatedResponse), (.raw([.write(head), .reset]), .connectionReset),
        ]
        #endif
    }()

    @Test(arguments: brokenAnswers)
    func aMalformedResponseHasASpecificTransportError(answer: MockAnswer, reason: FailureReason) async throws {
        let error = try await Self.error(from: answer)
        #expect(error.reason == reason)
        #expect(try #require(error.recoverySuggestion).isEmpty == false)
        #expect(error.failureReason?.contains("127.0.0.1") == true)
        guard case .transport = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func unknownHostsAndRefusedPortsAreDistinguished() async throws {
        let unknown = try await failure { () async throws(APIError<ShopError>) in
            try await Self.client(for: "http://no-such-host.invalid").send(Shop.Dishes())
        }
        #expect(unknown.reason == .hostNotFound)
        #expect(unknown.localizedDescription == "The service could not be found.")

        let server = try MockServer()
        let baseURL = server.baseURL
        server.stop()
        let refused = try await failure { () async throws(APIError<ShopError>) in
            try await Self.client(for: baseURL).send(Shop.Dishes())
        }
        #expect(refused.reason == .connectionRefused)
        #expect(refused.hint == "Check the port, and that the service is running.")
    }

    @Test func aBodyAboveTheLimitIsRejectedWhileItComes() async throws {
        let server = try MockServer { _ in .json("[" + String(repeating: " ", count: 100_000) + "]") }
        defer { server.stop() }
        let client = APIClient(options: ClientOptions(bodyBytesMax: 50_000))
            .substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .bodyTooLarge)
        #expect(error.phase == .limit)
    }

    @Test func aDeadlineClosesTheConnection() async throws {
        let server = try MockServer { _ in .raw([.stall]) }
        defer { server.stop() }
        let client = APIClient(options: ClientOptions(timeout: .milliseconds(200)))
            .substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .deadline)
        #expect(error.context.elapsed >= .milliseconds(200))
        try await server.waitForOpenConnections(0, within: .seconds(20))
    }

    /// On a busy machine everything is late, so that one time in five has to be in time.
    @Test func cancellingClosesTheConnectionWithinASecond() async throws {
        let server = try MockServer { _ in .raw([.stall]) }
        defer { server.stop() }
        let client = Self.client(for: server.baseURL)
        var durations: [Duration] = []
        for attempt in 1...5 where durations.allSatisfy({ $0 >= .seconds(1) }) {
            let call = Task {
                try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
            }
            try await server.waitForRequests(attempt, within: .seconds(20))
            let begin = ContinuousClock.now
            call.cancel()
            #expect(try await call.value.isCancelled)
            try await server.waitForOpenConnections(0, within: .seconds(20))
            durations.append(ContinuousClock.now - begin)
        }
        #expect(durations.contains { $0 < .seconds(1) }, "\(durations)")
    }

    @Test func theTransportFollowsNoRedirectByItself() async throws {
        let server = try MockServer { _ in MockAnswer.status(302).header("Location", "/elsewhere") }
        defer { server.stop() }
        let client = APIClient(options: ClientOptions(redirectPolicy: .never))
            .substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.headers[.location] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test func everyBodyArrivesAsItWasMade() async throws {
        let server = try MockServer { request in .bytes(request.body, type: request.headers["Content-Type"] ?? "") }
        defer { server.stop() }
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let environment = APIEnvironment(baseURL: server.baseURL)
        let client = APIClient()
        var methods: [HTTPMethod] = [.post, .put, .patch, .delete, "PROPFIND"]
        #if !canImport(Darwin)
        methods.append(.get)  // URLSession rejects a body there.
        #endif
        for method in methods {
            let body = RequestBody.bytes(bytes, type: "a/b").allowedWithGet()
            let request = AnyRequest(environment: environment, method: method, body: body)
            let response = try await client.bind(request).response()
            #expect(response.value == bytes, "\(method)")
            #expect(response.headers[.contentType] == "a/b")
            #expect(server.requests.last?.method == method)
        }
    }
}
