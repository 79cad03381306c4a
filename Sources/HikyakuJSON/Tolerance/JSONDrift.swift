/// A place where a document was other than its type says and was read nevertheless, since the type tolerates it.
///
/// ``LossyArray``, ``OpenEnum`` and ``Defaulted`` say what is tolerated; ``HikyakuJSONDecoder/onDrift`` is told when
/// that was needed, so that a service that drifts away from its description is noticed before something breaks. As
/// ``DecodingDiagnosis`` it holds no value of the document; keys are shown, since they name the place.
public struct JSONDrift: Sendable, Hashable {
    /// What was tolerated; new kinds may come with any version.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// A stable word for logs and metrics.
        public let rawValue: String

        /// Makes a kind, for tolerant types of one's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An element of a ``LossyArray`` couldn't be read and was left out.
        public static let lossyElement = Kind(rawValue: "lossyElement")
        /// A value of an ``OpenEnum`` is none of those that are known.
        public static let unknownEnumValue = Kind(rawValue: "unknownEnumValue")
        /// A key is missing, or `null`, and its default was taken: see ``Defaulted``.
        public static let defaultedKey = Kind(rawValue: "defaultedKey")
    }

    /// How many drifts of a document are reported one by one; the others are counted by their kinds and types.
    public static let reportedMax = 100

    /// What was tolerated.
    public var kind: Kind
    /// The place as a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)): `/items/3/state`.
    ///
    /// A key that is missing is named as its type has it, all others as the document has them. Of a place whose pointer
    /// would have more than 16 KiB, it names the one around it that has less. Empty where ``count`` stands for many.
    /// Keys are as they came, control characters too: in logs, ``description`` shows it.
    public var pointer: String
    /// The type whose value wasn't there: that of the lost element, of the known cases, of the default.
    public var typeName: String
    /// The first byte of the value, of a missing key that of the object without it; `nil` where ``count`` stands for
    /// many.
    public var byteOffset: Int?
    /// How many drifts this one stands for: 1, or all those of its kind and type beyond ``reportedMax``.
    public var count = 1
    /// What is wrong with an element that was lost; `nil` where its type threw an error of its own.
    public var diagnosis: DecodingDiagnosis?
    /// The type of the error that a lost element threw, where there is no diagnosis; its text may quote values.
    public var errorTypeName: String?

    /// Why an element was lost, in one line.
    public var reason: String? {
        diagnosis?.description ?? errorTypeName.map { "it threw an error of the type \($0)" }
    }

    /// Makes a drift, for tests and for tolerant types of one's own.
    public init(kind: Kind, pointer: String, typeName: String, byteOffset: Int? = nil) {
        self.kind = kind
        self.pointer = pointer
        self.typeName = typeName
        self.byteOffset = byteOffset
    }
}

extension JSONDrift: CustomStringConvertible {
    /// One line: what was tolerated, where, and why.
    ///
    /// ```
    /// lossyElement of Int at /items/3: at /items/3: expected Int, found null (line 1, column 15, byte 14), in `…`
    /// defaultedKey of String, 12 more
    /// ```
    public var description: String {
        let what = "\(kind.rawValue) of \(typeName)"
        guard byteOffset != nil || !pointer.isEmpty else { return "\(what), \(count) more" }
        let place = pointer.isEmpty ? "in the body as a whole" : "at \(VisibleText.of(pointer, max: 200))"
        return "\(what) \(place)" + (reason.map { ": \($0)" } ?? "")
    }
}
