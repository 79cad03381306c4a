#if os(Linux)
import HikyakuBase
import HikyakuHTTP

/// The host and port that a SOCKS proxy connects to.
struct SocksTarget {
    /// The name that the proxy looks up; `nil` if there is an address.
    let name: [UInt8]?
    /// 4 or 16 bytes; empty if there is a name.
    let address: [UInt8]
    let port: [UInt8]

    /// - Parameters:
    ///   - origin: The origin.
    ///   - address: Its address; without one, the proxy looks up the name, unless it is an address itself.
    /// - Throws: An error with the reason `proxyFailed` for a name that can't be sent.
    init(_ origin: HTTPOrigin, address: [UInt8]?) throws(TransportError) {
        let known = address ?? IPAddress.bytes(of: origin.host)
        let name = known == nil ? Array(origin.host.utf8) : nil
        guard name.map({ 1...255 ~= $0.count && !$0.contains(0) }) ?? true, [nil, 4, 16].contains(known?.count) else {
            throw WireCause.proxyTarget.error("the host name is invalid or too long for SOCKS")
        }
        self.name = name
        self.address = known ?? []
        port = [UInt8(truncatingIfNeeded: origin.port >> 8), UInt8(truncatingIfNeeded: origin.port)]
    }
}

/// A connection through a SOCKS5 proxy.
///
/// [RFC 1928](https://www.rfc-editor.org/rfc/rfc1928), [RFC 1929](https://www.rfc-editor.org/rfc/rfc1929)
struct Socks5Handshake: ProxyHandshake {
    private enum State {
        case method, credentials, reply
    }

    private let target: SocksTarget
    /// The message with name and password; `nil` without credentials.
    private let login: [UInt8]?
    private var state = State.method
    private var received: [UInt8] = []

    /// - Throws: An error with the reason `proxyFailed` for credentials that are too long.
    init(to target: SocksTarget, _ credentials: HTTPProxy.Credentials?) throws(TransportError) {
        self.target = target
        guard let credentials else {
            login = nil
            return
        }
        let (name, password) = (Array(credentials.username.utf8), Array(credentials.password.reveal().utf8))
        guard name.count <= 255, password.count <= 255 else {
            throw WireCause.proxyTarget.error("the credentials are too long for SOCKS")
        }
        login = [1, UInt8(name.count)] + name + [UInt8(password.count)] + password
    }

    var greeting: [UInt8] { login == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> ProxyStep {
        // No reply is longer than this; bytes after it are an error.
        received += bytes.prefix(300)
        switch state {
        case .method: return readMethod()
        case .credentials: return readVerdict()
        case .reply: return readReply()
        }
    }

    private mutating func readMethod() -> ProxyStep {
        guard received.first ?? 5 == 5 else { return .failed(.proxyForeign, "the proxy doesn't speak SOCKS5") }
        guard received.count >= 2 else { return .wait }
        guard received.count == 2 else { return .open(excess: 1) }
        defer { received = [] }
        switch (received[1], login) {
        case (0, _):
            state = .reply
            return .send(request)
        case (2, let login?):
            state = .credentials
            return .send(login)
        default:
            return .failed("the SOCKS proxy requires another authentication method", .credentials)
        }
    }

    private mutating func readVerdict() -> ProxyStep {
        guard received.first ?? 1 == 1 else { return .failed(.proxyForeign, "the SOCKS proxy sent a malformed reply") }
        guard received.count >= 2 else { return .wait }
        guard received[1] == 0 else { return .failed("the SOCKS proxy rejected the credentials", .credentials) }
        guard received.count == 2 else { return .open(excess: 1) }
        (received, state) = ([], .reply)
        return .send(request)
    }

    private var request: [UInt8] {
        let host = target.name.map { [3, UInt8(truncatingIfNeeded: $0.count)] + $0 }
        return [5, 1, 0] + (host ?? [target.address.count == 4 ? 1 : 4] + target.address) + target.port
    }

    /// Reads the version, the code, a reserved byte, and an address that is not used.
    private func readReply() -> ProxyStep {
        guard received.first ?? 5 == 5 else { return .failed(.proxyForeign, "the SOCKS proxy sent a malformed reply") }
        guard received.count >= 2 else { return .wait }
        guard received[1] == 0 else {
            return .failed("the SOCKS proxy could not connect: \(Self.text(of: received[1]))", .socks(received[1]))
        }
        guard received.count >= 5 else { return .wait }
        let addressCount: Int
        switch received[3] {
        case 1: addressCount = 4
        case 3: addressCount = 1 + Int(received[4])
        case 4: addressCount = 16
        default: return .failed(.proxyForeign, "the SOCKS proxy sent a malformed reply")
        }
        let count = 4 + addressCount + 2
        return received.count < count ? .wait : .open(excess: received.count - count)
    }

    private static func text(of code: UInt8) -> String {
        let texts = [
            "general failure", "not allowed by its rules", "network unreachable", "host unreachable",
            "connection refused", "time to live expired", "command not supported", "kind of address not supported",
        ]
        return (1...8 ~= code ? texts[Int(code) - 1] : "unknown code") + " (\(code))"
    }
}

/// A connection through a SOCKS4 proxy, or one of SOCKS4a, which looks up names.
struct Socks4Handshake: ProxyHandshake {
    let greeting: [UInt8]
    private var received: [UInt8] = []

    /// - Throws: An error with the reason `proxyFailed` for an address of IPv6 or a user's name that can't be sent.
    init(to target: SocksTarget, user: String) throws(TransportError) {
        guard target.address.count != 16 else {
            throw WireCause.proxyTarget.error("SOCKS4 does not support IPv6 addresses")
        }
        guard user.utf8.count <= 255, !user.utf8.contains(0) else {
            throw WireCause.proxyTarget.error("the credentials are too long for SOCKS")
        }
        // An invalid address means that a name follows.
        let address = target.name == nil ? target.address : [0, 0, 0, 1]
        greeting = [4, 1] + target.port + address + Array(user.utf8) + [0] + (target.name.map { $0 + [0] } ?? [])
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> ProxyStep {
        received += bytes.prefix(16)
        guard received.first ?? 0 == 0 else { return .failed(.proxyForeign, "the proxy doesn't speak SOCKS4") }
        guard received.count >= 2 else { return .wait }
        guard received[1] == 90 else {
            return .failed("the SOCKS proxy could not connect (\(received[1]))", .socks(received[1]))
        }
        return received.count < 8 ? .wait : .open(excess: received.count - 8)
    }
}
#endif
