public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Describes where and how a body differs from what its type expects.
///
/// It is created from the body after decoding has failed. By default, it contains no strings or numbers of the body,
/// because they may be secrets and a diagnosis is often logged. They are masked: shown by their shape, with 9 for each
/// digit and A or a for each letter. For example, a string masked as `9999-99-99A99:99` is visibly not a date in ISO
/// 8601. The text says what is masked: `a number masked as 9` may be any digit. `true`, `false` and `null` are shown,
/// and so are keys that are written like names, because they identify the location. Any other key may be data, such as
/// an identifier or an address in a dictionary, and is masked like a value: one with white space, with an `@` after its
/// beginning, with a long number, or with more than 40 bytes. A key that the type misses is always shown. A web page
/// is described by its length and the shape of its title.
///
/// Values are shown in full if ``HikyakuJSONDecoder/revealsValues`` is set, and by a diagnosis that is created again:
/// ```swift
/// do {
///     show(try HikyakuJSONDecoder().decode([Item].self, from: bytes))
/// } catch let diagnosis as DecodingDiagnosis {
///     if let error = diagnosis.error { print(DecodingDiagnosis(error, body: bytes, revealingValues: true)) }
/// }
/// ```
public struct DecodingDiagnosis: Error, Sendable, Hashable {
    /// The maximum number of diagnoses in ``further``.
    static let furtherMax = 100

    /// The kind of difference.
    public var kind: Kind
    /// The location as a JSON Pointer, such as `/items/3/user/id`.
    ///
    /// See [RFC 6901](https://www.rfc-editor.org/rfc/rfc6901).
    ///
    /// It is empty for the whole document. Its keys are the document's, without key conversion. If the pointer would
    /// be longer than 16 KiB, it is that of the nearest enclosing value with a shorter pointer.
    ///
    /// Keys that may be data are masked unless values are shown. All others are unchanged, so that the pointer resolves
    /// to the value if ``isPointerMasked`` is `false`. If values are shown, a key may contain any character: use
    /// ``description`` in logs.
    public var pointer: String
    /// Whether a key in ``pointer`` is masked; ``description`` says so.
    public var isPointerMasked = false
    /// What the type expects at this location: `Int`, `the key "id"`.
    public var expected: String
    /// What was found instead: `a string masked as "9a"`, `null`; `nil` if unknown.
    ///
    /// A value that is shown in full has other words: `the string "7b"`.
    public var found: String?
    /// The offset in bytes from the body's beginning, if known.
    public var byteOffset: Int?
    /// The line, counted from 1, if known.
    public var line: Int?
    /// The column in bytes, counted from 1, if known.
    public var column: Int?
    /// The document around the location, in at most 80 characters, if the location is known.
    ///
    /// Values, and keys that may be data, are masked by their shape. White space between them is shortened.
    public var snippet: String?
    /// Whether ``snippet`` shows values or keys by their shape; ``description`` says so.
    public var isSnippetMasked = false
    /// The error's own message, in at most 200 characters: of an error that a type's own decoding has thrown, or of
    /// any if values are revealed.
    ///
    /// It may quote values: unless they are revealed, `…` stands for words that are in the document, and for all that
    /// isn't a word.
    public var message: String?
    /// The other differences, if all failures were collected; at most 100.
    public var further: [DecodingDiagnosis] = []
    /// The number of other differences, including those that exceed the limit of ``further``.
    public var furtherCount = 0

    private var cause = Cause(error: nil)

    /// The decoder's error; its text may quote values of the body.
    ///
    /// It is ignored by equality and hashing.
    public var error: DecodingError? {
        get { cause.error }
        set { cause.error = newValue }
    }

    /// Creates a diagnosis, for custom formats and decoders.
    public init(kind: Kind, pointer: String = "", expected: String, found: String? = nil) {
        self.kind = kind
        self.pointer = pointer
        self.expected = expected
        self.found = found
    }

    /// An error that is ignored by comparisons, since errors can't be compared.
    private struct Cause: Sendable, Hashable {
        var error: DecodingError?

        static func == (one: Cause, other: Cause) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// The kind of difference; later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// A stable identifier for logs and metrics.
        public let rawValue: String

        /// Creates a kind, for custom formats.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An object lacks a key that the type requires.
        public static let missingKey = Kind(rawValue: "missingKey")
        /// A value is `null` where the type requires a value, or an array ended early.
        public static let missingValue = Kind(rawValue: "missingValue")
        /// A value has another type than expected.
        public static let typeMismatch = Kind(rawValue: "typeMismatch")
        /// A value has the right type but is invalid, such as a string that is not a date.
        public static let invalidValue = Kind(rawValue: "invalidValue")
        /// A number is out of the range of its type.
        public static let outOfRange = Kind(rawValue: "outOfRange")
        /// An object has a repeated key, and repeated keys are rejected.
        public static let duplicateKey = Kind(rawValue: "duplicateKey")
        /// Arrays and objects are nested beyond the limit, or beyond the room on the thread's stack.
        public static let tooDeep = Kind(rawValue: "tooDeep")
        /// There is not enough memory to decode the body.
        public static let outOfMemory = Kind(rawValue: "outOfMemory")
        /// The body can't be parsed in the expected format.
        public static let malformed = Kind(rawValue: "malformed")
        /// The body is empty.
        public static let empty = Kind(rawValue: "empty")
        /// The body ends before its document does.
        public static let truncated = Kind(rawValue: "truncated")
        /// The body is a web page, such as a proxy's page, a login page or an error page.
        public static let html = Kind(rawValue: "html")
        /// The body is XML.
        public static let xml = Kind(rawValue: "xml")
        /// The body is human-readable plain text.
        public static let plainText = Kind(rawValue: "plainText")
        /// The body is not UTF-8, which JSON requires.
        ///
        /// See [RFC 8259, section 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1).
        public static let wrongCharset = Kind(rawValue: "wrongCharset")
        /// A byte order mark precedes the document, which must not be sent (RFC 8259, section 8.1).
        public static let byteOrderMark = Kind(rawValue: "byteOrderMark")
    }
}

extension DecodingDiagnosis: Redacted {
    /// One line with the location, what was expected and found, the line number and the snippet.
    ///
    /// ```text
    /// at /1/id: expected Int, found null (line 1, column 10, byte 9), in `[9,{"id":null}]` (values masked)
    /// ```
    public var description: String {
        var text = difference
        if let line {
            let place = [column.map { "column \($0)" }, byteOffset.map { "byte \($0)" }].compactMap { $0 }
            text += " (\((["line \(line)"] + place).joined(separator: ", ")))"
        }
        if let snippet { text += ", in `\(snippet)`\(isSnippetMasked ? " (values masked)" : "")" }
        if let message { text += "; the error says: \(message)" }
        return text + furtherText
    }

    /// The position and the difference, without the snippet.
    private var difference: String {
        let place = ShownPointer.words(pointer, isMasked: isPointerMasked, whole: "body")
        let difference = found.map { "expected \(expected), found \($0)" } ?? "expected \(expected)"
        return "\(place): \(difference)"
    }

    /// The first few further diagnoses.
    private var furtherText: String {
        guard !further.isEmpty else { return "" }
        let count = max(furtherCount, further.count)
        let shown = further.prefix(3).map(\.difference).joined(separator: "; ")
        return "; and \(count) more: \(shown)\(count > 3 ? "; …" : "")"
    }
}

extension DecodingDiagnosis: LocalizedError {
    /// The failure and its reason.
    ///
    /// It contains ``description``, so that `localizedDescription` includes the location.
    public var errorDescription: String? { "The document can't be decoded: \(description)" }

    /// The reason: ``description``.
    public var failureReason: String? { description }
}

/// Makes a peer's text safe to show: one line of bounded length, without control and direction characters.
enum VisibleText {
    static func of(
        _ text: some StringProtocol,
        max: Int,
        _ transform: (Unicode.Scalar) -> Unicode.Scalar = scalar,
    ) -> String {
        let scalars = text.unicodeScalars
        let shown = scalars.prefix(max).reduce(into: "") { $0.unicodeScalars.append(transform($1)) }
        return scalars.dropFirst(max).isEmpty ? shown : shown + "…"
    }

    /// The scalar, or a replacement character for control and format characters and line separators.
    static func scalar(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: scalar
        }
    }
}
