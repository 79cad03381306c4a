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

    /// An error that counts for nothing in a comparison, since errors can't be compared.
    private struct Cause: Sendable, Hashable {
        var error: DecodingError?

        static func == (one: Cause, other: Cause) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}
