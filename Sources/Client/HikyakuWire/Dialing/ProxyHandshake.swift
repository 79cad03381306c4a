#if os(Linux)
import HikyakuBase
import HikyakuHTTP

/// Opens a connection to an origin through a proxy: bytes in, bytes out, and in the end an open tunnel or an error.
///
/// ``greeting`` is sent first. Then the received bytes are passed to ``receive(_:)``, until it returns that the tunnel
/// is open or has failed. The caller limits the time.
protocol ProxyHandshake {
    /// What is sent first.
    var greeting: [UInt8] { get }
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> ProxyStep
    /// The error if the connection ends here, if it is known by now.
    var problemAtEnd: TransportError? { get }
}

extension ProxyHandshake {
    var problemAtEnd: TransportError? { nil }
}

/// The next step after bytes from a proxy.
enum ProxyStep {
    /// Read more.
    case wait
    /// Send the bytes, then read more.
    case send([UInt8])
    /// The tunnel is open: what is sent from now on goes to the origin.
    case open
    /// The tunnel has failed; close the connection.
    case failed(TransportError)
}

/// Why a proxy refused, as the underlying error of a request's error.
enum ProxyRefusal: Error, Equatable {
    /// The status of the response to CONNECT, such as 407 for missing or wrong credentials, or 401 as some proxies say.
    case status(Int)
    /// The code of SOCKS.
    case socks(UInt8)
    /// SOCKS5 rejected the credentials, or requires some.
    case credentials
}

extension ProxyRefusal {
    /// The cause of the refusal.
    ///
    /// A proxy that has refused would refuse again; where the proxy was unable, another attempt may succeed.
    var cause: WireCause {
        switch self {
        case .status(407), .status(401), .credentials: .proxyLogin
        case .status(429): .proxyBusy
        case .status(300..<400), .status(511): .proxyPortal
        case .status(let code): code < 500 || Transience(HTTPStatus(code)) == nil ? .proxyRule : .proxyUnable
        // SOCKS4: a user that is unknown, or that no program confirms.
        case .socks(92), .socks(93): .proxyLogin
        // A rule, an unsupported command or kind of address.
        case .socks(2), .socks(7), .socks(8): .proxyRule
        case .socks: .proxyUnable
        }
    }
}

extension ProxyRefusal {
    /// The error of a request that a proxy has refused with 407.
    ///
    /// - Parameters:
    ///   - text: What the proxy did.
    ///   - challenges: The values of its `Proxy-Authenticate`.
    /// - Returns: The error, with the names of the schemes that the proxy offers.
    static func login(_ text: String, _ challenges: [String]) -> TransportError {
        // Each challenge begins with the name of its scheme; a comma separates challenges and parameters alike.
        let schemes = challenges.flatMap { $0.byteSplit(separator: ",") }
            .compactMap { $0.trimmingSpaces.byteSplit(separator: " ").first.map(String.init) }
            .filter { $0.isHTTPToken && $0.utf8.count <= 32 }.prefix(8)
        let isBasic = schemes.isEmpty || schemes.contains { $0.asciiLowercased == "basic" }
        let cause: WireCause = isBasic ? .proxyLogin : .proxyScheme
        return cause.error(
            isBasic ? text : "\(text), and offers \(schemes.joined(separator: ", "))",
            underlyingError: ProxyRefusal.status(407),
        )
    }
}

extension ProxyStep {
    /// The error of a request that a proxy has refused.
    static func failed(_ text: String, _ refusal: ProxyRefusal) -> ProxyStep {
        .failed(refusal.cause.error(text, underlyingError: refusal))
    }

    static func failed(_ cause: WireCause, _ text: String) -> ProxyStep { .failed(cause.error(text)) }

    /// The tunnel is open, if no bytes follow the proxy's response: an origin sends nothing before its client does.
    static func open(excess: Int) -> ProxyStep {
        excess == 0 ? .open : .failed(.proxyForeign, "the proxy sent unexpected bytes after its response")
    }
}

// MARK: - CONNECT

/// A tunnel through an HTTP proxy.
///
/// Only the status of the proxy's response is used, and of a refusal what it offers and how long to wait. Its
/// head is read as strictly as that of a server's response, within limits, and is never returned as one.
///
/// [RFC 9110, section 9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6)
struct ConnectHandshake: ProxyHandshake {
    /// The limit for the response, informational responses included.
    static let bytesMax = 256 * 1024
    static let linesMax = 500

    let greeting: [UInt8]
    private var line: [UInt8] = []
    private var byteCount = 0
    private var lineCount = 0
    /// The status of the response whose fields are being read; `nil` before its status line.
    private var status: Int?
    /// The fields of a refusal that say what to do: `Proxy-Authenticate` and `Retry-After`.
    private var challenges: [String] = []
    private var retryAfter: String?

    init(to origin: HTTPOrigin, authorization: String?) {
        let lines = [
            "CONNECT \(origin.hostAndPort) HTTP/1.1", "Host: \(origin.hostAndPort)",
            authorization.map { "Proxy-Authorization: \($0)" },
        ]
        greeting = Array((lines.compactMap { $0 }.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> ProxyStep {
        for (index, byte) in bytes.enumerated() {
            byteCount += 1
            guard byteCount <= Self.bytesMax, lineCount <= Self.linesMax else {
                return .failed(.proxyForeign, "the proxy's response to CONNECT is larger than the limit")
            }
            guard byte == 0x0A else {
                line.append(byte)
                continue
            }
            if line.last == 0x0D { line.removeLast() }
            lineCount += 1
            let step = readLine(excess: bytes.count - index - 1)
            line.removeAll(keepingCapacity: true)
            if let step { return step }
        }
        return .wait
    }

    private mutating func readLine(excess: Int) -> ProxyStep? {
        guard let status else {
            let status = line.withUnsafeBytes { ResponseHead.status(in: $0) }
            guard let status, line[12...].allSatisfy(ASCII.isFieldContent) else {
                return .failed(.proxyForeign, "the proxy's response to CONNECT is not HTTP")
            }
            self.status = status
            return nil
        }
        if line.isEmpty {
            if let refusal = problemAtEnd { return .failed(refusal) }
            guard status < 200 else { return .open(excess: excess) }
            self.status = nil
            return nil
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let isField =
            name.count < line.count && String(decoding: name, as: UTF8.self).isHTTPToken
            && line.allSatisfy(ASCII.isFieldContent)
        guard isField else {
            let text = "the proxy's response to CONNECT has a malformed header line"
            return .failed(problemAtEnd ?? WireCause.proxyForeign.error(text))
        }
        let value = String(decoding: line.dropFirst(name.count + 1), as: UTF8.self).trimmingSpaces
        switch String(decoding: name, as: UTF8.self).asciiLowercased {
        case "proxy-authenticate": challenges.append(String(value))
        case "retry-after": retryAfter = value.utf8.allSatisfy(ASCII.isDigit) ? String(value.prefix(9)) : nil
        default: break
        }
        return nil
    }

    /// The refusal, once its status line has come.
    var problemAtEnd: TransportError? {
        guard let status, !(100..<300 ~= status) || status == 101 else { return nil }
        let text = "the proxy responded to CONNECT with \(status)"
        if status == 407 { return ProxyRefusal.login(text, challenges) }
        let refusal = ProxyRefusal.status(status)
        let wait = retryAfter.map { ", with a Retry-After of \($0) s" } ?? ""
        return refusal.cause.error(text + wait, underlyingError: refusal)
    }
}
#endif
