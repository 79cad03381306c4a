#if os(Linux)
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
#endif
