/// The keys that lead to a part of a document, from the outside inwards: `data.items`.
///
/// ```swift
/// let path: ResponsePath = "data.items"     // the key "items" in the object under "data"
/// let other: ResponsePath = "/data.items"   // the key "data.items": a text with a slash is a JSON Pointer
/// ```
/// The keys are the document's, whatever a decoder's key strategy makes of others. A path without keys is the document
/// as a whole.
public struct ResponsePath: Sendable, Hashable {
    /// The keys, as they are in the document.
    public let keys: [String]
    /// What is wrong with it, in words.
    let problem: String?

    /// Reads a path: keys with points between them, or a JSON Pointer
    /// ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)), which begins with a slash and can hold any key.
    ///
    /// A pointer leads through objects only. A malformed path is reported when a request that uses it is sent, and
    /// before anything is sent.
    public init(_ text: String) {
        if text.isEmpty {
            (keys, problem) = ([], nil)
        } else if text.hasBytePrefix("/") {
            keys = JSONPointer(text)?.tokens ?? []
            problem = keys.isEmpty ? "the path \"\(text)\" is no JSON Pointer" : nil
        } else {
            keys = text.byteSplit(separator: ".", omittingEmptySubsequences: false).map(String.init)
            problem = keys.contains("") ? "the path \"\(text)\" has an empty key" : nil
        }
    }

    /// Makes a path of one key, whatever is in it.
    public init(key: String) {
        keys = [key]
        problem = nil
    }
}

extension ResponsePath: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Reads a path as ``init(_:)`` does.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The path as a JSON Pointer.
    public var description: String { JSONPointer(tokens: keys).description }
}
