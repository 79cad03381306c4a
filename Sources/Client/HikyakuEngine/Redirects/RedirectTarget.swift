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
    static func url(of location: String, from base: URL) -> URL? {
        URLReference.text(of: location, from: base.absoluteString)
            .flatMap { URL(string: $0, encodingInvalidCharacters: false) }
    }

    private static func invalid(
        _ response: HTTPResponse,
        _ request: HTTPRequest,
        _ problem: String,
    ) -> TransportError {
        let from = RedirectHop.text(of: request.url, without: request.pathSecrets)
        return RedirectCause.redirectInvalid.error("\(from) responded with \(response.status) \(problem)")
    }
}
