/// Where a body differs from what its type expects, and how.
///
/// It holds no value of the body: texts and numbers may be secrets, and a diagnosis ends up in logs. Keys are shown,
/// since they name the place.
public struct DecodingDiagnosis: Error, Sendable, Hashable {
    /// What kind of difference it is; new kinds may come with any version.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// A stable word for logs and metrics.
        public let rawValue: String

        /// Makes a kind, for shapes of one's own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// An object lacks a key that the type requires.
        public static let missingKey = Kind(rawValue: "missingKey")
        /// `null` stands where the type requires a value, or an array ended early.
        public static let missingValue = Kind(rawValue: "missingValue")
        /// A value is of another type than expected.
        public static let typeMismatch = Kind(rawValue: "typeMismatch")
        /// A value is of the right type and yet not acceptable: a text that is no date, say.
        public static let invalidValue = Kind(rawValue: "invalidValue")
        /// The body as a whole can't be read in the format that was expected.
        public static let malformed = Kind(rawValue: "malformed")
        /// There is no body.
        public static let empty = Kind(rawValue: "empty")
    }

    /// What kind of difference it is.
    public var kind: Kind
    /// The place as a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)): `/items/3/user/id`; empty for
    /// the document as a whole.
    public var pointer: String
    /// What the type expects there: `Int`, `the key "id"`.
    public var expected: String
    /// What stands there instead: `a string`, `null`; `nil` where the decoder doesn't say.
    public var found: String?
    /// The place in bytes from the body's beginning, where the decoder knows it.
    public var byteOffset: Int?
    /// The line, counted from 1, where the decoder knows it.
    public var line: Int?
    /// The column in bytes, counted from 1, where the decoder knows it.
    public var column: Int?

    /// Makes a diagnosis, for shapes and decoders of one's own.
    public init(kind: Kind, pointer: String = "", expected: String, found: String? = nil) {
        self.kind = kind
        self.pointer = pointer
        self.expected = expected
        self.found = found
    }
}

extension DecodingDiagnosis: CustomStringConvertible {
    /// One sentence: `at /items/3/id: expected Int, found a string`.
    public var description: String {
        let place = pointer.isEmpty ? "in the body as a whole" : "at \(shownPointer)"
        let position = line.map { line in column.map { " (line \(line), column \($0))" } ?? " (line \(line))" } ?? ""
        let difference = found.map { "expected \(expected), found \($0)" } ?? "expected \(expected)"
        return "\(place)\(position): \(difference)"
    }

    /// The pointer as one line of bounded length: its keys may come from the peer.
    private var shownPointer: String {
        let shown = pointer.unicodeScalars.prefix(200).reduce(into: "") { text, scalar in
            text += Self.isControl(scalar) ? "\u{FFFD}" : String(scalar)
        }
        return pointer.unicodeScalars.count > 200 ? shown + "…" : shown
    }

    /// Also what turns the direction of writing, and line separators that are no control characters.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
