package import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The base URL of a service, such as production, staging or a local server, with what all its requests share.
///
/// ```swift
/// nonisolated extension APIEnvironment { static let library: Self = "https://library.example/api/v2" }
/// ```
/// An environment that is a static member is shared by all requests of a service. One that is stored in the request can
/// differ for each instance. A client replaces one environment with another by
/// ``APIClient/substituting(_:for:sendingCredentials:)``.
///
/// An environment can have its own transport, so that changing one value makes a program run without a network:
/// ``stubbed(baseURL:headers:answer:)``.
///
/// The base URL has the scheme `http` or `https`, a host, and optionally a port and a path. Anything else, including
/// credentials and a query, is rejected as ``FailureReason/baseURL`` when a request is built.
public struct APIEnvironment: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A single reference, since each call copies its environment several times.
    private let parts: Parts

    private final class Parts: Sendable {
        let baseURL: String
        let headers: HTTPHeaders
        let allowsCredentialsOverPlainHTTP: Bool
        let upgradesLinks: Bool
        let base: Base
        let ownTransport: EnvironmentTransport?

        init(
            _ baseURL: String,
            _ headers: HTTPHeaders,
            _ isAllowed: Bool,
            _ upgradesLinks: Bool,
            _ transport: (any HTTPTransport)?,
        ) {
            self.baseURL = baseURL
            self.headers = headers
            allowsCredentialsOverPlainHTTP = isAllowed
            self.upgradesLinks = upgradesLinks
            base = Base(baseURL)
            ownTransport = transport.map { EnvironmentTransport($0) }
        }
    }

    /// The URL that all paths are appended to.
    public var baseURL: String { parts.baseURL }
    /// Headers that all requests to this environment have; a request's own headers override them.
    public var headers: HTTPHeaders { parts.headers }
    /// Whether a client's credential may be sent over plain `http` to another machine, where an eavesdropper can read
    /// it.
    private var allowsCredentialsOverPlainHTTP: Bool { parts.allowsCredentialsOverPlainHTTP }
    /// Whether an `http` URL of the service's own host is read as `https`.
    package var upgradesLinks: Bool { parts.upgradesLinks }

    package var base: Base { parts.base }
    /// The URL without a trailing slash: paths are appended to it.
    package var prefix: String { parts.base.prefix }
    /// Why the base URL is invalid.
    package var problem: String? { parts.base.problem }
    package var ownTransport: EnvironmentTransport? { parts.ownTransport }

    /// Creates an environment; a malformed base URL is reported when it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that all paths are appended to.
    ///   - headers: Headers that all requests to this environment have.
    ///   - allowingCredentialsOverPlainHTTP: Whether a client's credential may be sent to a base URL with the scheme
    ///     `http` on another machine, where an eavesdropper can read it. If not, the call fails with
    ///     ``FailureReason/insecureOrigin``, and nothing is sent. Loopback is always allowed.
    ///   - upgradingLinks: Whether a link of the service to its own host with `http` is followed by `https`, if the
    ///     base URL has that: a service behind a proxy that ends TLS often writes such links.
    ///   - transport: The transport for these requests, including redirected ones, whichever client sends them; `nil`,
    ///     the default, uses the client's. The client's ``APIClient/shutdown(within:)`` does not shut it down.
    public init(
        baseURL: String,
        headers: HTTPHeaders = [:],
        allowingCredentialsOverPlainHTTP: Bool = false,
        upgradingLinks: Bool = false,
        transport: (any HTTPTransport)? = nil,
    ) {
        parts = Parts(baseURL, headers, allowingCredentialsOverPlainHTTP, upgradingLinks, transport)
    }

    /// Creates an environment from a base URL, without headers.
    public init(stringLiteral value: String) {
        self.init(baseURL: value)
    }
}

extension APIEnvironment {
    /// Rejects a credential that would be sent over an unencrypted connection.
    ///
    /// - Parameter other: Another environment that may allow it: the one that the credential was given for.
    /// - Throws: ``FailureReason/insecureOrigin``.
    package func checkConfidentiality(or other: APIEnvironment) throws(TransportError) {
        let isAllowed = allowsCredentialsOverPlainHTTP || other.allowsCredentialsOverPlainHTTP
        guard !isAllowed, !other.base.origin.isConfidential else { return }
        throw EnvironmentCause.insecureOrigin.error(
            "the credential for \(other.base.origin) would be sent over plain http"
        )
    }
}

extension APIEnvironment {
    /// The same environment with a transport of its own.
    package func with(transport: any HTTPTransport) -> APIEnvironment {
        APIEnvironment(
            baseURL: baseURL,
            headers: headers,
            allowingCredentialsOverPlainHTTP: allowsCredentialsOverPlainHTTP,
            upgradingLinks: upgradesLinks,
            transport: transport,
        )
    }
}

extension APIEnvironment {
    /// Compares base URLs by their text, headers in order, and transports by identity.
    public static func == (left: Self, right: Self) -> Bool {
        let (left, right) = (left.parts, right.parts)
        if left === right { return true }
        return left.baseURL == right.baseURL && left.headers == right.headers && left.base == right.base
            && left.allowsCredentialsOverPlainHTTP == right.allowsCredentialsOverPlainHTTP
            && left.upgradesLinks == right.upgradesLinks
            && left.ownTransport === right.ownTransport
    }

    /// Hashes the base URL.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts.baseURL)
    }
}

extension APIEnvironment: CustomStringConvertible {
    /// The base URL, unless it is malformed: then it may contain credentials.
    public var description: String {
        base.problem == nil ? baseURL : "a malformed base URL"
    }
}

extension APIEnvironment: CustomReflectable {
    /// The base URL and the headers, redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["baseURL": description, "headers": headers])
    }
}

extension APIEnvironment {
    /// A parsed base URL: it is parsed once for each environment, not for each request.
    ///
    /// Two are equal if requests to them are: the case of the host and the default port don't matter.
    package struct Base: Sendable, Hashable {
        /// The URL without a trailing slash: paths are appended to it.
        package private(set) var prefix = ""
        /// The path of the URL without a trailing slash.
        package private(set) var path = ""
        /// Scheme, host and port; credentials are bound to them.
        package private(set) var origin = HTTPOrigin(scheme: "", host: "", port: nil)
        /// Why the URL is invalid.
        package private(set) var problem: String?
        /// The text of an invalid URL, which distinguishes it from another.
        private var invalidText: String?

        package static func == (one: Base, other: Base) -> Bool {
            one.origin == other.origin && one.path == other.path && one.invalidText == other.invalidText
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(origin)
            hasher.combine(path)
        }

        package init(_ text: String) {
            do {
                try parse(text)
            } catch {
                problem = error.message
                invalidText = text
            }
        }

        private mutating func parse(_ text: String) throws(TransportError) {
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
                throw Self.problem("contains a space or a control character")
            }
            let text = try Self.inASCII(text)
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            let scheme = text[..<colon].lowercased()
            let isBare = !text[colon...].hasPrefix("://")
            guard !isBare, scheme == "http" || scheme == "https" else {
                if scheme == "http" || scheme == "https", colon < text.endIndex {
                    throw Self.problem("lacks one or both slashes after \(scheme): write \(scheme)://")
                }
                throw Self.problem("does not begin with http:// or https://\(isBare ? ": write the scheme, too" : "")")
            }
            let rest = text[text.index(colon, offsetBy: 3)...]
            if let mark = rest.first(where: { $0 == "?" || $0 == "#" || $0 == "\\" }) {
                throw Self.problem(Self.fault(of: mark))
            }
            let authority = rest.prefix { $0 != "/" }
            guard !authority.contains("@") else {
                throw Self.problem("contains credentials: authorize the client instead")
            }
            let (host, port) = try Self.hostAndPort(of: authority)
            var encoded = ""
            PercentCoding.append(String(rest[authority.endIndex...]), to: &encoded, allowing: .path)
            if let problem = URLPath.problem(in: encoded) {
                throw EnvironmentCause.baseURL.error("base URL: \(problem)")
            }
            let slashless = encoded.hasSuffix("/") ? encoded.dropLast() : encoded[...]
            self.path = String(slashless)
            prefix = "\(scheme)://\(authority)\(slashless)"
            origin = HTTPOrigin(scheme: scheme, host: host, port: port)
            guard prefix.isPlainURL || URL(string: prefix, encodingInvalidCharacters: false) != nil else {
                throw Self.problem("is not a URL")
            }
        }

        /// The URL with an international host name as it is sent.
        private static func inASCII(_ text: String) throws(TransportError) -> String {
            guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
            let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
            let authority = text[start...].prefix { !"/?#\\".contains($0) }
            guard authority.utf8.contains(where: { $0 >= 0x80 }) else {
                throw problem("has a character in its path that is not ASCII: percent-encode it")
            }
            let host = authority.prefix { $0 != ":" && $0 != "@" }
            if let name = HostSpelling.checkedName(String(host)) {
                return try inASCII(text[..<host.startIndex] + name + text[host.endIndex...])
            }
            guard let written = Punycode.written(String(host)) else { throw problem("has a malformed host") }
            throw EnvironmentCause.baseURL.error(
                "base URL has a host that is not ASCII: write it as \(written)",
                hint: "Write the host in the base URL as \(written).",
            )
        }

        /// The host and the port of an authority, which has no credentials.
        package static func hostAndPort(of authority: Substring) throws(TransportError) -> (String, Int?) {
            let isLiteral = authority.hasPrefix("[")
            let hostEnd =
                isLiteral ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
            let host = authority[..<(hostEnd ?? authority.endIndex)]
            guard !host.isEmpty else { throw problem("has no host") }
            guard String(host).isURLHost else { throw problem("has a malformed host") }
            let tail = authority[host.endIndex...]
            if tail.isEmpty || tail == ":" { return (host.lowercased(), nil) }
            guard tail.hasPrefix(":"), let port = ASCII.decimal(tail.utf8.dropFirst()), 1...65535 ~= port else {
                throw problem("has a malformed port")
            }
            return (host.lowercased(), port)
        }

        /// What a character means that no base URL has; the text itself isn't shown, since it may contain a secret.
        private static func fault(of mark: Character) -> String {
            switch mark {
            case "?": "contains a query: leave it out, and put its items into the query of the requests"
            case "#": "contains a fragment, which is never sent: leave it out"
            default: "contains a backslash: separate the parts of the path with slashes"
            }
        }

        private static func problem(_ text: String) -> TransportError {
            EnvironmentCause.baseURL.error("base URL \(text)")
        }
    }
}

/// An environment's own transport, which is compared by identity.
package final class EnvironmentTransport: Sendable {
    package let transport: any HTTPTransport

    package init(_ transport: any HTTPTransport) {
        self.transport = transport
    }
}
