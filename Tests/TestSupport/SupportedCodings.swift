/// The content codings that a client on Linux accepts.
///
/// They are listed here again, so that a change of the library's own list does not pass unnoticed.
package enum SupportedCodings {
    /// The names in the order of `Accept-Encoding`.
    package static let names = ["zstd", "br", "gzip", "deflate"]

    /// The value of `Accept-Encoding` in requests that do not set it.
    package static let acceptEncoding = names.joined(separator: ", ")
}
