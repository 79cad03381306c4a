#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body as text in the charset of its `Content-Type`, or UTF-8 without one.
///
/// ```swift
/// struct Terms: Shop.Request {
///     typealias Definition = TextResponse         // Response is String
///     var path: RequestPath { "/terms.txt" }
/// }
/// let terms = try await client.send(Terms())
/// ```
/// The charsets of browsers are supported, by all of their labels, and UTF-32. A byte order mark decides, whatever the
/// label says. A body that is not valid in its charset is a decoding failure, never text with replacement characters.
public enum TextResponse: ResponseDefinition {
    /// Text is preferred.
    public static var acceptedMediaTypes: String? { "text/*, */*;q=0.5" }

    /// Decodes the body as text.
    public static func read(_ response: BufferedResponse) throws -> String {
        let label = response.headers.mediaType?.parameter("charset") ?? "utf-8"
        guard let charset = Charset(label: label) else {
            let shown = "the charset \"\(Redaction.printable(label, scalarsMax: 40))\", which is unknown"
            throw DecodingDiagnosis(kind: .wrongCharset, expected: "text in a charset of browsers", found: shown)
        }
        guard let text = charset.text(of: response.body) else {
            let found = "bytes that are not valid in it"
            throw DecodingDiagnosis(kind: .wrongCharset, expected: "text in \(charset.name)", found: found)
        }
        return text
    }
}
