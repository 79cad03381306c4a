import HikyakuBase

/// The proxies in the environment's variables, the same ones that curl reads.
package struct EnvironmentProxies: Sendable {
    /// The result of reading one scheme's variables; an error names the variable and shows nothing of its value, which
    /// may contain a password.
    package typealias Outcome = Result<HTTPProxy.Server?, TransportError>

    /// For `http`; `nil` if no variable names one.
    package let http: Outcome
    /// For `https`.
    package let https: Outcome
    /// The hosts in `no_proxy`.
    package let exceptions: [String]

    /// Reads the variables.
    ///
    /// `HTTP_PROXY` is left out, since any client of a CGI program can set it by a field `Proxy`.
    ///
    /// - Parameter value: Returns the value of a variable; an empty value counts as none.
    package init(_ value: (String) -> String?) {
        http = Self.server(in: ["http_proxy", "all_proxy", "ALL_PROXY"], value)
        https = Self.server(in: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], value)
        let exceptions = ["no_proxy", "NO_PROXY"].compactMap(value).first { !$0.isEmpty } ?? ""
        self.exceptions = exceptions.utf8.split { ",; \t".utf8.contains($0) }.map { String(Substring($0)) }
    }

    private static func server(in names: [String], _ value: (String) -> String?) -> Outcome {
        for name in names {
            guard let text = value(name), !text.isEmpty else { continue }
            do throws(ProxyURL.Problem) {
                return .success(try ProxyURL.server(text))
            } catch {
                return .failure(HTTPCause.proxyVariable.error("the environment's \(name): \(error.text)"))
            }
        }
        return .success(nil)
    }
}

/// Reads the URL of a proxy, as curl does, but rejects what curl ignores silently.
private enum ProxyURL {
    struct Problem: Error {
        let text: String
    }

    static func server(_ text: String) throws(Problem) -> HTTPProxy.Server {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw Problem(text: "the URL contains a space or a control character")
        }
        let mark = bytes.firstRange(of: Array("://".utf8))
        let scheme = try scheme(bytes[..<(mark?.lowerBound ?? 0)], isNamed: mark != nil)
        let rest = bytes[(mark?.upperBound ?? 0)...]
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        guard !rest[authority.endIndex...].contains(UInt8(ascii: "@")) else {
            throw Problem(text: "a name or password with one of / ? # must be percent-encoded")
        }
        // For a SOCKS proxy, it would be the path of a socket; for others it has no meaning.
        guard rest.count - authority.count <= 1 || scheme == .http || scheme == .https else {
            throw Problem(text: "the URL of a SOCKS proxy has a path")
        }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let (host, port) = try hostAndPort(of: at.map { authority[($0 + 1)...] } ?? authority)
        let server = HTTPProxy.Server(
            scheme: scheme,
            host: host,
            port: port ?? (scheme == .https ? HTTPOrigin.defaultPort(isSecure: true) : 1080),
            credentials: try credentials(authority[..<(at ?? authority.startIndex)], areNamed: at != nil),
        )
        if let problem = server.problem { throw Problem(text: problem) }
        return server
    }

    private static func scheme(_ bytes: ArraySlice<UInt8>, isNamed: Bool) throws(Problem) -> HTTPProxy.Scheme {
        guard isNamed else { return .http }
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        if name == "socks" { return .socks4 }
        guard let scheme = HTTPProxy.Scheme(rawValue: name) else {
            let known = HTTPProxy.Scheme.allCases.map(\.rawValue).sorted().joined(separator: ", ")
            throw Problem(text: "the URL's scheme is not one of \(known)")
        }
        return scheme
    }

    private static func credentials(
        _ bytes: ArraySlice<UInt8>,
        areNamed: Bool,
    ) throws(Problem) -> HTTPProxy.Credentials? {
        guard areNamed else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let username = try decoded(parts[0])
        let password = parts.count == 2 ? try decoded(parts[1]) : ""
        return HTTPProxy.Credentials(username: username, password: Secret(password))
    }

    /// A % without two digits is kept as it is: it is common in passwords.
    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
        let decoded = PercentCoding.decoded(bytes)
        guard decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem(text: "the name or the password contains a control character")
        }
        guard let text = PercentCoding.validated(decoded) else {
            throw Problem(text: "the name or the password is not UTF-8")
        }
        return text
    }

    private static func hostAndPort(of bytes: ArraySlice<UInt8>) throws(Problem) -> (String, Int?) {
        let isLiteral = bytes.first == UInt8(ascii: "[")
        let colon =
            isLiteral
            ? bytes.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : bytes.firstIndex(of: UInt8(ascii: ":"))
        let host = String(decoding: bytes[..<(colon ?? bytes.endIndex)], as: UTF8.self)
        let digits = bytes[(colon ?? bytes.endIndex)...]
        guard !digits.dropFirst().isEmpty else {
            guard digits.isEmpty || digits.first == UInt8(ascii: ":") else { throw Problem(text: malformedPort) }
            return (host, nil)
        }
        guard digits.first == UInt8(ascii: ":"), let port = ASCII.decimal(digits.dropFirst()) else {
            throw Problem(text: malformedPort)
        }
        return (host, port)
    }

    private static let malformedPort = "the URL's port is malformed"
}
