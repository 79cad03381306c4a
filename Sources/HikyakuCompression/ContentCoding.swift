#if os(Linux)
import HikyakuHTTP

/// A content coding that can be undone here.
///
/// [RFC 9110, section 8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1)
package enum ContentCoding: String, Sendable, CaseIterable {
    // In the order in which a client asks for them: `deflate` comes last, since servers mean two different things by it.

    /// Frames of RFC 8878, one after the other, with windows of at most 8 MiB, as RFC 9659 says.
    case zstd
    /// A stream of RFC 7932, with windows of at most 16 MiB, as that says.
    case brotli = "br"
    /// Members of RFC 1952, one after the other, and nothing behind the last: no padding either, which RFC 1952 doesn't
    /// know.
    case gzip
    /// The zlib format of RFC 1950, as RFC 9110 says, or bare deflate of RFC 1951, as many servers have it.
    case deflate

    /// The coding of a name, which is compared without regard to case; `nil` for one that isn't known.
    package init?(name: String) {
        let name = name.asciiLowercased
        // `x-gzip` is the name from before the standard (section 8.4.1.3).
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// What `Accept-Encoding` says to get any of them; none has a weight, so that the server takes what is best for it.
    package static let acceptEncoding = allCases.map(\.rawValue).joined(separator: ", ")

    func makeLayer() throws(TransportError) -> any CodingLayer {
        switch self {
        case .gzip: try ZlibLayer(.gzip)
        case .deflate: try ZlibLayer(.deflate)
        case .brotli: try BrotliLayer()
        case .zstd: try ZstdLayer()
        }
    }
}
#endif
