import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What can be checked of a response's head although URLSession has read it already, and leniently.
enum HeadCheck {
    /// The limit for all fields together, with what separates them.
    static let bytesMax = 256 * 1024
    /// The limit for the number of names, since fields of one name are one here.
    static let fieldCountMax = 500

    /// Why a response must not be used; `nil` where nothing speaks against it.
    ///
    /// [RFC 9112, section 6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)
    ///
    /// - Parameters:
    ///   - response: What URLSession made of the head.
    ///   - method: That of the request.
    /// - Returns: An error with a reason of its own for each rule that is broken.
    static func problem(in response: HTTPURLResponse, to method: HTTPMethod) -> TransportError? {
        if isTooLarge(response) {
            return TransportError(
                .headersTooLarge,
                "the header block has more than \(fieldCountMax) fields or \(bytesMax) bytes",
            )
        }
        if response.statusCode == 101 {
            return TransportError(
                .unexpectedUpgrade,
                "the server switches to another protocol, which nobody asked for",
            )
        }
        guard method != .head, ![204, 304].contains(response.statusCode) else { return nil }
        return problemOfLength(in: response)
    }

    private static func isTooLarge(_ response: HTTPURLResponse) -> Bool {
        let fields = response.allHeaderFields
        guard fields.count <= fieldCountMax else { return true }
        let bytes = fields.reduce(0) { sum, field in
            sum + ((field.key as? String)?.utf8.count ?? 0) + ((field.value as? String)?.utf8.count ?? 0) + 4
        }
        return bytes > bytesMax
    }

    private static func problemOfLength(in response: HTTPURLResponse) -> TransportError? {
        guard let text = response.value(forHTTPHeaderField: "Content-Length") else { return nil }
        let coding = response.value(forHTTPHeaderField: "Transfer-Encoding")?.asciiLowercased ?? ""
        guard coding.utf8.firstRange(of: "chunked".utf8) == nil else {
            return TransportError(.ambiguousLength, "there are both Content-Length and Transfer-Encoding")
        }
        let lengths = text.byteSplit(separator: ",", omittingEmptySubsequences: false).map { length(of: $0) }
        guard let first = lengths.first, !lengths.contains(nil) else {
            return TransportError(.malformedContentLength, "Content-Length is no number of bytes")
        }
        // The same length again and again stands for that length (RFC 9110, section 8.6).
        guard lengths.allSatisfy({ $0 == first }) else {
            return TransportError(.conflictingContentLength, "there are two different Content-Lengths")
        }
        return nil
    }

    private static func length(of element: Substring) -> Int? {
        ASCII.decimal(element.trimmingSpaces.utf8)
    }
}
