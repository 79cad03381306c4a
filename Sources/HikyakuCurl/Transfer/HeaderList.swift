import CCurl
import HikyakuHTTP

/// The header fields of a request in libcurl's form, with those switched off that libcurl would add by itself.
struct HeaderList: ~Copyable {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// - Parameters:
    ///   - headers: What the request has; checked for the wire.
    ///   - hasContent: Whether libcurl sees a POST, for which it has fields of its own.
    init?(_ headers: HTTPHeaders, hasContent: Bool) {
        for field in headers where !append(Self.line(for: field)) { return nil }
        if !headers.contains(.accept), !append("Accept:") { return nil }
        guard hasContent else { return }
        if !headers.contains(.contentType), !append("Content-Type:") { return nil }
        // Waiting for "100 Continue" costs a round trip, or a second where the server doesn't know it.
        if !append("Expect:") { return nil }
    }

    deinit {
        curl_slist_free_all(pointer)
    }

    private mutating func append(_ line: String) -> Bool {
        guard let longer = curl_slist_append(pointer, line) else { return false }
        pointer = longer
        return true
    }

    /// libcurl takes `Name:` for a field to leave out, and `Name;` for one that is sent empty.
    private static func line(for field: HTTPHeaders.Field) -> String {
        let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return isEmpty ? field.name.rawName + ";" : field.name.rawName + ": " + field.value
    }
}

extension HTTPHeaders {
    /// Whether both have the same lines on the wire; `==` doesn't look at the case of names.
    func hasSameLines(as other: HTTPHeaders) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { $0.name.rawName == $1.name.rawName && $0.value == $1.value }
    }
}

extension HTTPRequest {
    /// Refuses fields that belong to the transport, since two opinions about where a message ends are how one request is
    /// read as two.
    func checkFraming() throws(TransportError) {
        for field in headers {
            switch field.name {
            case "Transfer-Encoding":
                throw TransportError(.header, "the transport chooses Transfer-Encoding")
            case "Expect":
                throw TransportError(.header, "the transport doesn't wait for an interim answer, as Expect would ask")
            case .contentLength where field.value != String(body?.count ?? 0) || isRepeated(.contentLength):
                throw TransportError(.header, "Content-Length differs from the body's length")
            case .host where field.value.isEmpty || isRepeated(.host):
                throw TransportError(.header, "there must be one Host, and it can't be empty")
            default:
                continue
            }
        }
    }

    private func isRepeated(_ name: HTTPHeaderName) -> Bool { headers.values(for: name).count > 1 }
}
