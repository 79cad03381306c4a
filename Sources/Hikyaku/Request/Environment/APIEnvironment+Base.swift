#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIEnvironment {
    /// A base URL taken apart, once for each environment and not once for each request.
    struct Base: Sendable, Hashable {
        /// The URL without the slash at its end: paths are put behind it.
        private(set) var prefix = ""
        /// Scheme, host and port, which credentials are bound to.
        private(set) var origin = HTTPOrigin(scheme: "", host: "", port: nil)
        /// What makes the URL unfit.
        private(set) var problem: String?
        /// What tells one unfit URL from another.
        private var unfitText: String?

        init(_ text: String) {
            do {
                try parse(text)
            } catch {
                problem = error.message
                unfitText = text
            }
        }

        private mutating func parse(_ text: String) throws(TransportError) {
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw Self.problem("holds a space, a control character or one that is not ASCII")
            }
            guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
                throw Self.problem("does not begin with http:// or https://")
            }
            let scheme = text[..<colon].lowercased()
            guard scheme == "http" || scheme == "https" else {
                throw Self.problem("does not begin with http:// or https://")
            }
            let rest = text[text.index(colon, offsetBy: 3)...]
            guard !rest.contains(where: { $0 == "?" || $0 == "#" || $0 == "\\" }) else {
                throw Self.problem("holds a query, a fragment or a backslash")
            }
            let authority = rest.prefix { $0 != "/" }
            guard !authority.contains("@") else {
                throw Self.problem("holds credentials: authorize the client instead")
            }
            let (host, port) = try Self.hostAndPort(of: authority)
            let path = RequestPath(String(rest[authority.endIndex...]))
            if let problem = path.problem { throw TransportError(.baseURL, "base URL: \(problem)") }
            let slashless = path.encoded.hasSuffix("/") ? path.encoded.dropLast() : path.encoded[...]
            prefix = "\(scheme)://\(authority)\(slashless)"
            origin = HTTPOrigin(scheme: scheme, host: host, port: port)
            guard prefix.isPlainURL || URL(string: prefix, encodingInvalidCharacters: false) != nil else {
                throw Self.problem("is no URL")
            }
        }

        private static func hostAndPort(of authority: Substring) throws(TransportError) -> (String, Int?) {
            let isLiteral = authority.hasPrefix("[")
            let hostEnd =
                isLiteral ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
            let host = authority[..<(hostEnd ?? authority.endIndex)]
            guard !host.isEmpty else { throw problem("has no host") }
            let inside = String(host.dropFirst().dropLast())
            guard isLiteral ? host.hasSuffix("]") && inside.isIPLiteral : isName(host) else {
                throw problem("has a malformed host")
            }
            let tail = authority[host.endIndex...]
            if tail.isEmpty || tail == ":" { return (host.lowercased(), nil) }
            guard tail.hasPrefix(":"), tail.dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let port = Int(tail.dropFirst()), 1...65535 ~= port
            else { throw problem("has a malformed port") }
            return (host.lowercased(), port)
        }

        /// A dot at the end is the root of all names; two dots have an empty name between them.
        private static func isName(_ host: Substring) -> Bool {
            String(host).isHostName && !host.hasPrefix(".") && !host.contains("..")
        }

        private static func problem(_ text: String) -> TransportError {
            TransportError(.baseURL, "base URL \(text)")
        }
    }
}
