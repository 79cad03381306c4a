#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import HikyakuWire
import Testing

/// Requests to several origins by one transport.
@Suite(.timeLimit(.minutes(5)))
struct OriginTests {
    private static let names = (0..<8).map { "server\($0).example" }

    @Test func requestsToSeveralOriginsAtOnceGoEachToItsOwn() async throws {
        let servers = try Self.names.map { name in try MockServer { _ in .text(name) } }
        defer { for server in servers { server.stop() } }
        var options = WireOptions()
        options.proxy = .none
        options.hostAddresses = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, ["127.0.0.1"]) })
        let transport = WireTransport(options: options)
        let urls = try zip(Self.names, servers).map { name, server in
            try #require(URL(string: "http://\(name):\(server.port)/"))
        }
        try await withThrowingTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    for number in 0..<100 {
                        let index = (task * 7 + number) % urls.count
                        let text = try await transport.get(urls[index]).text()
                        #expect(text == Self.names[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Of requests that end before they touch the network, so that many are between two origins at once.
    @Test func noOriginIsForgottenWhileOthersCome() async throws {
        var options = WireOptions()
        options.proxy = .none
        options.hostAddresses = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, []) })
        let transport = WireTransport(options: options)
        let requests = try Self.names.map { HTTPRequest(url: try #require(URL(string: "http://\($0)/"))) }
        let others = Lock<[String]>([])
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<20_000 {
                        // The threads that run tests are few.
                        if number.isMultiple(of: 500) { await Task.yield() }
                        let request = requests[(task * 3 + number) % requests.count]
                        do {
                            _ = try await transport.send(request, options: TransportOptions())
                        } catch {
                            guard (error as? TransportError)?.reason != .hostNotFound else { continue }
                            others.withLock { $0.append("\(error)") }
                        }
                    }
                }
            }
        }
        #expect(others.withLock { $0 }.isEmpty)
    }
}
#endif
