// What the header block of a message has to say about content codings.

extension HTTPRequest {
    /// Whether the request's own `Accept-Encoding` names each of these codings (RFC 9110, section 12.5.3).
    func acceptsCodings(_ names: [String]) -> Bool {
        let asked = headers.elements(of: .acceptEncoding).compactMap { element -> String? in
            let parts = element.byteSplit(separator: ";").map { $0.trimmingSpaces.asciiLowercased }
            let weight = parts.dropFirst().first { $0.hasBytePrefix("q=") }
                .flatMap { Double(Substring($0.utf8.dropFirst(2))) }
            return weight == 0 ? nil : parts.first?.codingName
        }
        return names.allSatisfy { asked.contains($0.codingName) }
    }
}

extension HTTPResponse {
    /// The codings of the body in the order in which they were applied; `identity` is none.
    var codingNames: [String] {
        headers.elements(of: .contentEncoding).map(\.asciiLowercased).filter { $0 != "identity" }
    }

    /// Whether something else than the connection's end says where the body ends.
    var hasStatedEnd: Bool {
        isEndStated ?? (headers.contains(.contentLength) || headers.contains("Transfer-Encoding"))
    }

    /// Whether the response to such a request has content at all (RFC 9110, section 6.4.1).
    func mayHaveContent(after method: HTTPMethod) -> Bool {
        method != .head && status != .noContent && status != .notModified && !status.isInformational
    }
}

extension HTTPHeaders {
    /// The elements of a list, empty ones left out (RFC 9110, section 5.6.1).
    fileprivate func elements(of name: HTTPHeaderName) -> [String] {
        values(for: name).flatMap { $0.byteSplit(separator: ",") }.map { String($0.trimmingSpaces) }
            .filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// The name without the prefix of older times (RFC 9110, section 8.4.1.3).
    fileprivate var codingName: String {
        String(self[utf8.index(startIndex, offsetBy: hasBytePrefix("x-") ? 2 : 0)...])
    }
}
