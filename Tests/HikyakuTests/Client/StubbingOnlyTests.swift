import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// Stubs that replace a service as a whole, and what people type first.
@Suite(.timeLimit(.minutes(10)))
struct StubbingOnlyTests {
    private struct Ticks: EventStreamRequest {
        typealias Event = Dish
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/ticks" }
    }

    @Test func aRequestWithoutAStubSendsNothing() async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport).stubbing(Shop.Dishes.self) { _ in [.sample] }.stubbingOnly
        #expect(try await client.send(Shop.Dishes()) == [.sample])
        let error = await #expect(throws: APIError<ShopError>.self) { try await client.send(Shop.DishByID(id: "1")) }
        #expect(error?.reason == .noStub && error?.phase == .invalidRequest && transport.requests.isEmpty)
        #expect("\(String(describing: error))".contains("DishByID"))
        // Later stubs are added to it.
        let more = client.stubbing(Shop.DishByID.self) { _ in .sample }
        #expect(try await more.send(Shop.DishByID(id: "1")) == .sample)
        let authorized = client.authorized(by: .bearer("t0ken"), for: .shop)
        let refused = await #expect(throws: APIError<ShopError>.self) {
            try await authorized.send(Shop.AddDish(dish: .sample))
        }
        #expect(refused?.reason == .noStub && transport.requests.isEmpty)
    }

    @Test func itHoldsForEveryKindOfCall() async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport).stubbingOnly
        let response = await #expect(throws: APIError<ShopError>.self) {
            try await client.bind(Shop.Dishes()).response()
        }
        #expect(response?.reason == .noStub)
        let call = await #expect(throws: APIError<ShopError>.self) { try await client.call(Shop.Dishes()).value }
        #expect(call?.reason == .noStub)
        let events = await #expect(throws: APIError<ProblemDetails>.self) {
            for try await _ in client.bind(Ticks()).eventStream() {}
        }
        #expect(events?.reason == .noStub && transport.requests.isEmpty)
    }

    // MARK: Streams of events

    @Test func aStubStreamsEvents() async throws {
        let other = Dish(id: 2, name: "Udon")
        let client = APIClient().stubbing(Ticks.self) { _ in EventStream([.sample, other]) }.stubbingOnly
        var dishes: [Dish] = []
        for try await dish in client.bind(Ticks()).eventStream() { dishes.append(dish) }
        #expect(dishes == [.sample, other])
        for try await dish in try await client.send(Ticks()) { dishes.append(dish) }
        #expect(dishes == [.sample, other, .sample, other])
    }

    private struct Export: FileRequest {
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/export" }
        var destination: FileDestination { .temporary }
    }

    @Test func aStubAnswersWithAFile() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        try Data("a,b".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let client = APIClient().stubbing(Export.self) { _ in try ResponseFile(at: path) }.stubbingOnly
        let file = try await client.send(Export())
        #expect(file.count == 3 && file.path == path)
        let missing = #expect(throws: TransportError.self) { try ResponseFile(at: path + "x") }
        #expect(missing?.reason == .body)
    }

    private struct Broken: Error {}

    @Test func aStubStreamsASequenceUntilItFails() async throws {
        let client = APIClient().stubbing(Ticks.self) { _ in
            let (stream, continuation) = AsyncThrowingStream.makeStream(of: Dish.self)
            continuation.yield(.sample)
            continuation.finish(throwing: Broken())
            return EventStream(stream)
        }
        var dishes: [Dish] = []
        await #expect(throws: Broken.self) {
            for try await dish in try await client.send(Ticks()) { dishes.append(dish) }
        }
        #expect(dishes == [.sample])
    }

    // MARK: What people type first

    @Test func aClientTakesItsDecoderAndTimeout() async throws {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Named: APIRequest {
            struct Name: APIModel, Decodable { var fullName: String }
            typealias Response = Name
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/name" }
        }
        let transport = MockTransport()
        transport.enqueue(.json(#"{"full_name": "Udon"}"#))
        let client = APIClient(transport: transport, decoder: decoder, timeout: .seconds(7))
        #expect(try await client.send(Named()).fullName == "Udon")
        #expect(try await client.explain(Named()).description.contains("7 s"))
    }

    @Test func aStoreTakesAText() async throws {
        #expect(await MemoryTokenStore("t0ken").load()?.token.reveal() == "t0ken")
    }

    @Test func filesHaveURLs() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "a b \(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "飛脚 %41.txt")
        try Data("text".utf8).write(to: file)
        #expect(try await HTTPBody.file(at: file).collect() == Data("text".utf8))
        #expect(FileDestination.file(at: file).path == file.path(percentEncoded: false))
        #expect(FileDestination.resumable(at: file) == .resumable(at: file.path(percentEncoded: false)))
        #expect(FileTokenStore(url: file).path.hasSuffix("/飛脚 %41.txt"))
        #expect(try FileCookieStore(url: folder.appending(path: "none")).path.hasSuffix("/none"))
        #expect(TLSOptions.Authorities.file(file) == .file(file.path(percentEncoded: false)))
        let remote = try #require(URL(string: "https://a.example/b"))
        let error = #expect(throws: TransportError.self) { try HTTPBody.file(at: remote) }
        #expect(error?.hint?.contains("URL") == true)
    }
}
