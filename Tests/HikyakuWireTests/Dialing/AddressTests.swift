#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AddressTests {
    private func transport(_ change: (inout WireOptions) -> Void) -> WireTransport {
        var options = WireOptions()
        change(&options)
        return WireTransport(options: options)
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    // MARK: - IPv6

    @Test func anAddressOfIPv6IsReachedAndNamedInItsBrackets() async throws {
        let listener = try PlainListener.onIPv6()
        let text = try await WireTransport().get(try url("http://[::1]:\(listener.port)/path")).text()
        #expect(text == "GET /path HTTP/1.1\r\nHost: [::1]:\(listener.port)\r\n\r\n")
    }

    /// A zone has a meaning only on the client: it is not sent to a server.
    @Test(arguments: ["::1%251", "0:0::1%251"])
    func anAddressMayHaveAZone(_ address: String) async throws {
        let listener = try PlainListener.onIPv6()
        let text = try await WireTransport().get(try url("http://[\(address)]:\(listener.port)/path")).text()
        let host = address.prefix { $0 != "%" }
        #expect(text == "GET /path HTTP/1.1\r\nHost: [\(host)]:\(listener.port)\r\n\r\n")
    }

    @Test(arguments: ["fe80::1%25", "fe80::1%25a%25b", "fe80::1%25a/b", "1.2.3.4%25lo"])
    func invalidZonesAreRejected(_ host: String) async throws {
        guard let url = URL(string: "http://[\(host)]:1/") else { return }
        let error = try await transportError { try await WireTransport().get(url) }
        #expect([.url, .hostNotFound, .connectionFailed].contains(error.reason))
    }

    @Test func aClosedPortOfIPv6RefusesTheConnection() async throws {
        let error = try await transportError { try await WireTransport().get(try url("http://[::1]:1/")) }
        #expect(error.reason == .connectionRefused)
        #expect(error.message.hasPrefix("[::1]:1: "))
    }

    // MARK: - Own answers

    @Test(arguments: ["api.example", "API.example", "other.test.example", "api.example."])
    func aHostIsWhereTheOptionsSay(_ host: String) async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let transport = transport { options in
            options.hostAddresses = ["Api.example": ["127.0.0.1"], "*.test.example": ["127.0.0.1"]]
        }
        for path in ["/1", "/2"] {
            #expect(try await transport.get(try url("http://\(host):\(server.port)\(path)")).text() == "hi")
        }
        #expect(server.requests.map { $0.headers[.host] } == Array(repeating: "\(host):\(server.port)", count: 2))
    }

    @Test(arguments: ["127.0.0.2", "127.2", "0x7f.0.0.2", "2130706434"])
    func anAddressIsKnownInAllItsSpellings(_ spelling: String) async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        for (key, host) in [("127.0.0.2", spelling), (spelling, "127.0.0.2")] {
            let transport = transport { $0.hostAddresses = [key: ["127.0.0.1"]] }
            #expect(try await transport.get(try url("http://\(host):\(server.port)/")).text() == "hi")
        }
    }

    @Test func anAddressOfIPv6HasNoOther() async throws {
        let listener = try PlainListener.onIPv6()
        let transport = transport { $0.hostAddresses = ["::0001": ["127.0.0.1"]] }
        let error = try await transportError {
            try await transport.get(try url("http://[0:0:0:0:0:0:0:1]:\(listener.port)/"))
        }
        #expect(error.reason == .hostNotFound)
        #expect(error.message.contains("WireOptions.hostAddresses"))
    }

    @Test func whatIsNotAHostIsNotPassedOver() async throws {
        let byAddress = transport { $0.hostAddresses = ["http://localhost": ["127.0.0.1"]] }
        let error = try await transportError { try await byAddress.get(try url("http://localhost:1/")) }
        #expect(error.reason == .hostNotFound)
        #expect(error.message.contains("WireOptions.hostAddresses: \"http://localhost\""))
        let bySocket = transport { $0.unixSockets = ["docker:80": "/nonexistent"] }
        let second = try await transportError { try await bySocket.get(try url("http://localhost:1/")) }
        #expect(second.reason == .connectionFailed)
        #expect(second.message.contains("WireOptions.unixSockets: \"docker:80\""))
    }

    @Test func anotherAddressIsTriedIfOneRefusesTheConnection() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let listener = try PlainListener.onIPv6()
        let transport = transport { $0.hostAddresses = ["both.example": ["::1", "127.0.0.1"]] }
        #expect(try await transport.get(try url("http://both.example:\(server.port)/")).text() == "hi")
        let text = try await transport.get(try url("http://both.example:\(listener.port)/")).text()
        #expect(text.hasPrefix("GET / "))
    }

    @Test func eachOfAHostsPortsIsWhereTheOptionsSay() async throws {
        let servers = try (0..<3).map { number in try MockServer { _ in .text("\(number)") } }
        defer { for server in servers { server.stop() } }
        let transport = transport { $0.hostAddresses = ["a.example": ["127.0.0.1"], "b.example": ["127.0.0.1"]] }
        for host in ["a.example", "b.example", "a.example", "127.0.0.1"] {
            for (number, server) in servers.enumerated() {
                #expect(try await transport.get(try url("http://\(host):\(server.port)/")).text() == "\(number)")
            }
        }
    }

    @Test(arguments: [[], ["localhost"], ["127.0.0.1:80"], ["127.0.0.1", ""], ["1.2.3"], ["127.0.0.1,::1"]])
    func whatIsNotAnAddressLeadsNowhere(_ addresses: [String]) async throws {
        let transport = transport { $0.hostAddresses = ["localhost": addresses] }
        let error = try await transportError { try await transport.get(try url("http://localhost:1/")) }
        #expect(error.reason == .hostNotFound)
        #expect(error.message.contains("WireOptions.hostAddresses"))
        #expect(
            try await transportError { try await transport.get(try url("http://127.0.0.1:1/")) }.reason
                == .connectionRefused
        )
    }

    // MARK: - Unix domain sockets

    @Test func aHostIsBehindItsSocketAlone() async throws {
        let folder = try Program.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "socket").path()
        let listener = try PlainListener.onUnixSocket(path)
        defer { withExtendedLifetime(listener) {} }
        let server = try MockServer { _ in .text("network") }
        defer { server.stop() }
        let transport = transport { options in
            options.unixSockets = ["docker": path]
            options.proxy = .http(host: "127.0.0.1", port: server.port)
        }
        for _ in 0..<3 {
            let text = try await transport.get(try url("http://docker/info?x=1")).text()
            #expect(text == "GET /info?x=1 HTTP/1.1\r\nHost: docker\r\n\r\n")
            #expect(try await transport.get(try url("http://elsewhere/")).text() == "network")
        }
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [("docker.", "DOCKER"), ("docker", "docker."), ("127.0.0.9", "127.9"), ("[::9]", "[0:0::09]")])
    func aSocketsHostHasManySpellings(_ key: String, _ host: String) async throws {
        let folder = try Program.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "socket").path()
        let listener = try PlainListener.onUnixSocket(path)
        defer { withExtendedLifetime(listener) {} }
        let transport = transport { $0.unixSockets = [key: path] }
        #expect(try await transport.get(try url("http://\(host)/info")).text().hasPrefix("GET /info "))
    }

    /// With a full backlog, connecting fails at once, and no event reports when there is room.
    @Test func aSocketThatHasNoRoomIsWaitedFor() async throws {
        let folder = try Program.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "socket").path()
        let listener = try PlainListener.onUnixSocket(path, backlog: 0)
        defer { withExtendedLifetime(listener) {} }
        let transport = transport { $0.unixSockets = ["docker": path] }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let text = try await transport.get(try url("http://docker/")).text()
                    #expect(text.hasPrefix("GET / "))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aSocketThatIsNotThereIsNamed() async throws {
        let transport = transport { $0.unixSockets = ["docker": "/nonexistent/socket"] }
        let error = try await transportError { try await transport.get(try url("http://docker/")) }
        #expect(error.reason == .connectionFailed)
        #expect(error.message.contains("/nonexistent/socket"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 108), "a\0b"])
    func anInvalidSocketPathIsRejected(_ path: String) async throws {
        let transport = transport { $0.unixSockets = ["docker": path] }
        let error = try await transportError { try await transport.get(try url("http://docker/")) }
        #expect(error.reason == .connectionFailed)
        #expect(error.message.contains("WireOptions.unixSockets"))
    }
}
#endif
