#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a body differs from what its type expects, and how.
///
/// It is made from the body when decoding has failed, and only then. Unless more is asked for, it holds no value of the
/// body: texts and numbers may be secrets, and a diagnosis ends up in logs. Of a text it shows the shape, with 9 for
/// each digit and A or a for each letter, of which one can see that `9999-99-99A99:99` is no date in ISO 8601. Keys,
/// `true`, `false` and `null` are shown, since they name the place. Of a web page it shows the length, and the shape of
/// its title.
///
/// Values are shown whole where ``HikyakuJSONDecoder/revealsValues`` is set, and by a diagnosis that is made anew:
/// ```swift
/// catch let diagnosis as DecodingDiagnosis {
///     if let error = diagnosis.error { print(DecodingDiagnosis(error, body: body, revealingValues: true)) }
/// }
/// ```
public struct DecodingDiagnosis: Error, Sendable, Hashable {
    /// The most diagnoses that ``further`` has.
    public static let furtherMax = 100

    /// What kind of difference it is.
    public var kind: Kind
    /// The place as a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)): `/items/3/user/id`; empty for
    /// the document as a whole.
    ///
    /// Its keys are the document's, whatever a strategy makes of them. Of a place whose pointer would have more than
    /// 16 KiB, it names the one around it that has less. They are as they came, control characters too, so that the
    /// pointer leads to the place: in logs, ``description`` shows it.
    public var pointer: String
    /// What the type expects there: `Int`, `the key "id"`.
    public var expected: String
    /// What stands there instead: `the string "9a"`, `null`; `nil` where nobody can say.
    public var found: String?
    /// The place in bytes from the body's beginning, where it is known.
    public var byteOffset: Int?
    /// The line, counted from 1, where it is known.
    public var line: Int?
    /// The column in bytes, counted from 1, where it is known.
    public var column: Int?
    /// The document around the place in at most 80 characters, where the place is known: keys as they are, values by
    /// their shape, white space between them shortened.
    public var snippet: String?
    /// What the error said itself, in at most 200 characters; only where values are revealed, since it may quote them.
    public var message: String?
    /// What else differs, where all failures were asked for; at most ``furtherMax``.
    public var further: [DecodingDiagnosis] = []
    /// How many other differences there are, also those that ``further`` has no room for.
    public var furtherCount = 0

    private var cause = Cause(error: nil)

    /// What the decoder threw; its text may quote values of the body.
    ///
    /// Equality and hash don't look at it.
    public var error: DecodingError? {
        get { cause.error }
        set { cause.error = newValue }
    }

    /// Makes a diagnosis, for shapes and decoders of one's own.
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

    /// What kind of difference it is; new kinds may come with any version.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// A stable word for logs and metrics.
        public let rawValue: String

        /// Makes a kind, for shapes of one's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An object lacks a key that the type requires.
        public static let missingKey = Kind(rawValue: "missingKey")
        /// `null` stands where the type requires a value, or an array ended early.
        public static let missingValue = Kind(rawValue: "missingValue")
        /// A value is of another type than expected.
        public static let typeMismatch = Kind(rawValue: "typeMismatch")
        /// A value is of the right type and yet not acceptable: a text that is no date, say.
        public static let invalidValue = Kind(rawValue: "invalidValue")
        /// A number is beyond what its type can hold.
        public static let outOfRange = Kind(rawValue: "outOfRange")
        /// An object has a key twice, where that is refused.
        public static let duplicateKey = Kind(rawValue: "duplicateKey")
        /// Arrays and objects are inside of each other beyond the limit, or beyond what the thread's stack has room
        /// for.
        public static let tooDeep = Kind(rawValue: "tooDeep")
        /// There is no memory to read the body with.
        public static let outOfMemory = Kind(rawValue: "outOfMemory")
        /// The body can't be read in the format that was expected.
        public static let malformed = Kind(rawValue: "malformed")
        /// There is no body.
        public static let empty = Kind(rawValue: "empty")
        /// The body ends in the midst of its document.
        public static let truncated = Kind(rawValue: "truncated")
        /// The body is a web page: a proxy's, a login's, an error's.
        public static let html = Kind(rawValue: "html")
        /// The body is XML.
        public static let xml = Kind(rawValue: "xml")
        /// The body is a text for people.
        public static let plainText = Kind(rawValue: "plainText")
        /// The body's bytes aren't UTF-8, which JSON has to be ([RFC 8259, section
        /// 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1)).
        public static let wrongCharset = Kind(rawValue: "wrongCharset")
        /// A mark of the order of bytes stands before the document, which must not be sent (RFC 8259, section 8.1).
        public static let byteOrderMark = Kind(rawValue: "byteOrderMark")
    }
}

extension DecodingDiagnosis: CustomStringConvertible, CustomReflectable {
    /// One paragraph on one line: where, what was expected and found, the line, and the snippet.
    ///
    /// ```
    /// at /items/3/id: expected Int, found null (line 1, column 60, byte 59), in `…"aaaaa"},{"id":null}]}`
    /// ```
    public var description: String {
        var text = difference
        if let line {
            let place = [column.map { "column \($0)" }, byteOffset.map { "byte \($0)" }].compactMap { $0 }
            text += " (\((["line \(line)"] + place).joined(separator: ", ")))"
        }
        if let snippet { text += ", in `\(snippet)`" }
        if let message { text += "; the error says: \(message)" }
        return text + furtherText
    }

    /// The paragraph alone, for `dump`: the error's own text may quote values.
    public var customMirror: Mirror { Mirror(self, children: ["diagnosis": description]) }

    /// The position and the difference, without the snippet.
    private var difference: String {
        let place = pointer.isEmpty ? "in the body as a whole" : "at \(VisibleText.of(pointer, max: 200))"
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
    /// What happened and why: ``description`` is in it, so that `localizedDescription` says where as well.
    public var errorDescription: String? { "The document can't be decoded: \(description)" }

    /// Why: ``description``.
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
