import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parses `Location` (RFC 9110, section 10.2.2).
enum RedirectTarget {
    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The target of a response.
    ///
    /// - Returns: An absolute URL without a fragment, of any scheme; `nil` if the response is not a redirect, or has no
    ///   target.
    /// - Throws: ``FailureReason/redirectInvalid`` if it has no single valid URL.
    static func url(of response: HTTPResponse, to request: HTTPRequest) throws(TransportError) -> URL? {
        guard statuses.contains(response.status.code) else { return nil }
        let locations = Set(response.headers.values(for: .location).map { ByteText(String($0.trimmingSpaces)) })
        guard locations.count <= 1 else {
            throw invalid(response, request, "with \(locations.count) different Location fields")
        }
        guard let location = locations.first?.text, !location.isEmpty else { return nil }
        guard let url = url(of: location, from: request.url) else {
            throw invalid(response, request, "with a Location that is not a URL")
        }
        return url
    }

    /// The URL of a `Location`.
    ///
    /// Invalid characters, including spaces and letters outside ASCII, are percent-encoded, as in browsers.
    static func url(of location: String, from base: URL) -> URL? {
        guard location.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        let encoded = location.percentEncoded { bytes, index in
            bytes[index].isURLByte || PercentCoding.byte(at: index, in: bytes) != nil
        }
        let reference = URLReference(encoded)
        var target = reference.resolved(against: URLReference(base.absoluteString))
        if target.authority != nil, target.path.isEmpty { target.path = "/" }
        // Brackets are only for addresses.
        target.path = target.path.withEncodedBrackets
        target.query = target.query?.withEncodedBrackets
        return URL(string: target.text, encodingInvalidCharacters: false)
    }

    private static func invalid(
        _ response: HTTPResponse,
        _ request: HTTPRequest,
        _ problem: String,
    ) -> TransportError {
        let from = RedirectHop.text(of: request.url, without: request.pathSecrets)
        return TransportError(.redirectInvalid, "\(from) responded with \(response.status) \(problem)")
    }
}

extension UInt8 {
    /// Whether the byte is valid anywhere in a URL (RFC 3986, section 2).
    fileprivate var isURLByte: Bool {
        ASCII.isUnreserved(self) || ":/?#[]@!$&'()*+,;=".utf8.contains(self)
    }
}

extension StringProtocol {
    fileprivate var withEncodedBrackets: Substring {
        Substring(percentEncoded { bytes, index in bytes[index] != 0x5B && bytes[index] != 0x5D })
    }

    fileprivate func percentEncoded(unless isKept: ([UInt8], Int) -> Bool) -> String {
        let bytes = Array(utf8)
        var encoded: [UInt8] = []
        for index in bytes.indices {
            if isKept(bytes, index) {
                encoded.append(bytes[index])
            } else {
                PercentCoding.appendTriplet(of: bytes[index], to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

/// A parsed URL or relative reference; nothing is decoded or validated.
///
/// Foundation resolves references by its own rules: it keeps dot segments in some cases and drops them in others, and
/// reads `//host` depending on the text before it. The origin decides where a credential is sent, so this follows the
/// RFC exactly.
///
/// [RFC 3986, appendix B](https://www.rfc-editor.org/rfc/rfc3986#appendix-B)
struct URLReference {
    var scheme: Substring?
    var authority: Substring?
    var path: Substring
    var query: Substring?

    /// Parses a text; its fragment is dropped, since it is never sent.
    ///
    /// - Parameter text: ASCII only, so that no character can combine with the delimiter before it.
    init(_ text: String) {
        var rest = text.prefix { $0 != "#" }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[colon] == ":",
            Self.isScheme(rest[..<colon])
        {
            scheme = rest[..<colon]
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = rest
    }

    static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
        return text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// The reference resolved against a base (RFC 3986, section 5.2.2, strictly).
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme == nil {
            target.scheme = base.scheme
            if authority == nil {
                target.authority = base.authority
                if path.isEmpty {
                    target.path = base.path
                    target.query = query ?? base.query
                } else if !path.hasPrefix("/") {
                    target.path = base.merged(with: path)
                }
            }
        }
        target.path = Self.withoutDotSegments(target.path)
        return target
    }

    /// Section 5.2.3.
    private func merged(with relative: Substring) -> Substring {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.lastIndex(of: "/") else { return relative }
        return path[...slash] + relative
    }

    /// Section 5.2.4; a dot may also be written as `%2e`, as in browsers.
    private static func withoutDotSegments(_ path: Substring) -> Substring {
        guard path.hasPrefix("/") else { return path }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased() {
            case ".", "%2e":
                if isLast { kept.append("") }
            case "..", ".%2e", "%2e.", "%2e%2e":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// The whole URL as text (section 5.3).
    var text: String {
        (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path + (query.map { "?\($0)" } ?? "")
    }
}
