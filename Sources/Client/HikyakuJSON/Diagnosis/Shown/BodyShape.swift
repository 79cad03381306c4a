#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a body looks like from which nothing was decoded, with masked values.
package enum BodyShape {
    /// Whether a body begins like an object or an array.
    package static func isJSON(_ body: Data) -> Bool {
        let first = body.first { !Byte.isSpace($0) }
        return first == Byte.openBrace || first == Byte.openBracket
    }

    /// `an HTML page with a title masked as "Aaa aaaaa"`, or the masked beginning of a JSON document.
    ///
    /// Keys that are names are shown as in a ``DecodingDiagnosis``, other keys and values never.
    ///
    /// - Parameter body: The body, or its beginning.
    /// - Returns: The text in one line; `nil` if its bytes show nothing that its type doesn't.
    package static func text(of body: Data) -> String? {
        unsafe body.withUnsafeBytes { (raw: UnsafeRawBufferPointer) -> String? in
            let bytes = unsafe raw.assumingMemoryBound(to: UInt8.self)
            let text = unsafe BodyContent(textIn: bytes, revealingValues: false, showingSize: false)
            if let content = unsafe BodyContent(binaryIn: bytes) ?? text { return content.words }
            let start = unsafe Bytes.start(of: bytes)
            let first = unsafe bytes.dropFirst(start).first { !Byte.isSpace($0) }
            guard first == Byte.openBrace || first == Byte.openBracket else { return nil }
            // A key is shown only if everything before it is well-formed.
            var orderedEnd = bytes.count
            do throws(JSONSyntaxError) {
                _ = unsafe try PathSearch(bytes, convertingKeys: nil)
            } catch {
                orderedEnd = min(error.byteOffset, bytes.count)
            }
            var snippet = unsafe Snippet(
                bytes,
                from: start,
                around: start,
                orderedEnd: orderedEnd,
                revealingValues: false,
            )
            return snippet.text().map { "`\($0)` (values masked)" }
        }
    }
}
