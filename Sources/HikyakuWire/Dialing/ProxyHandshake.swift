#if os(Linux)
import HikyakuBase
import HikyakuHTTP

/// What opens a connection to an origin through a proxy: bytes in, bytes out, and in the end an open way or an error.
///
/// ``greeting`` is sent first. Then each read is handed to ``receive(_:)``, until it says that the way
/// is open or that there is none. The caller bounds the time.
protocol ProxyHandshake {
    /// What is sent first.
    var greeting: [UInt8] { get }
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> ProxyStep
}

/// What follows from what a proxy has sent.
enum ProxyStep {
    /// More is to be read.
    case wait
    /// The bytes are to be sent, then more is to be read.
    case send([UInt8])
    /// The way is open: what is sent from now on goes to the origin.
    case open
    /// There is no way; the connection is to be closed.
    case failed(TransportError)
}

/// What a proxy said when it refused, below the error of a request.
enum ProxyRefusal: Error, Equatable {
    /// The status of the answer to CONNECT, such as 407 for missing or wrong credentials.
    case status(Int)
    /// The code of SOCKS.
    case socks(UInt8)
    /// SOCKS5 doesn't take the credentials, or demands some.
    case credentials
}

extension ProxyStep {
    static func failed(_ text: String, _ refusal: ProxyRefusal? = nil) -> ProxyStep {
        .failed(TransportError(.proxyFailed, text, underlyingError: refusal))
    }

    /// The way is open, if nothing came behind the proxy's answer: an origin says nothing before it is spoken to.
    static func open(excess: Int) -> ProxyStep {
        excess == 0 ? .open : .failed("the proxy sent unexpected bytes after its response")
    }
}

// MARK: - CONNECT

/// A tunnel through an HTTP proxy.
///
/// Of the proxy's answer only the status counts; its head is read as strictly as that of a response, within limits, and
/// never taken for one.
///
/// [RFC 9110, section 9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6)
struct ConnectHandshake: ProxyHandshake {
    /// The limit for the answer, informational ones included.
    static let bytesMax = 256 * 1024
    static let linesMax = 500

    let greeting: [UInt8]
    private var line: [UInt8] = []
    private var byteCount = 0
    private var lineCount = 0
    /// The status of the answer whose fields are read; `nil` before its status line.
    private var status: Int?

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
                return .failed("the proxy's response to CONNECT is larger than the limit")
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
                return .failed("the proxy's response to CONNECT is not HTTP")
            }
            guard status < 300, status != 101 else {
                return .failed("the proxy responded to CONNECT with \(status)", .status(status))
            }
            self.status = status
            return nil
        }
        if line.isEmpty {
            guard status < 200 else { return .open(excess: excess) }
            self.status = nil
            return nil
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let isField =
            name.count < line.count && String(decoding: name, as: UTF8.self).isHTTPToken
            && line.allSatisfy(ASCII.isFieldContent)
        return isField ? nil : .failed("the proxy's response to CONNECT has a malformed header line")
    }
}
#endif
