/// A difference between a document and its type that the type tolerates.
///
/// ```swift
/// var decoder = HikyakuJSONDecoder()
/// decoder.onDrift = { drift in log(drift.kind.rawValue, drift.pointer, drift.count) }
/// let client = APIClient(options: ClientOptions(decoder: decoder))
/// ```
/// ``LossyArray``, ``OpenEnum`` and ``Defaulted`` define what is tolerated. ``HikyakuJSONDecoder/onDrift`` is called
/// for each such difference. This shows that a service deviates from its description before something breaks. Like
/// ``DecodingDiagnosis``, it contains no values of the document. Keys are shown, because they are part of the
/// location, unless they may be data.
public struct JSONDrift: Sendable, Hashable {
    /// The kind of difference; later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// A stable identifier for logs and metrics.
        public let rawValue: String

        /// Creates a kind, for custom tolerant types.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An element of a ``LossyArray`` could not be decoded and was left out.
        public static let lossyElement = Kind(rawValue: "lossyElement")
        /// A value of an ``OpenEnum`` is not a known case.
        public static let unknownEnumValue = Kind(rawValue: "unknownEnumValue")
        /// A key is missing or `null`, and its default was used: see ``Defaulted``.
        public static let defaultedKey = Kind(rawValue: "defaultedKey")
    }

    /// The maximum number of drifts reported one by one per document; the others are counted by kind and type.
    package static let reportedMax = 100

    /// The kind of difference.
    public var kind: Kind
    /// The location as a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)): `/items/3/state`.
    ///
    /// A missing key is given as the type spells it, all other keys as the document spells them. If the pointer would
    /// be longer than 16 KiB, it is that of the nearest enclosing value with a shorter pointer. It is empty if
    /// ``count`` combines several drifts. Keys of the document that may be data are masked as in a
    /// ``DecodingDiagnosis``.
    public var pointer: String
    /// Whether a key in ``pointer`` is masked.
    var isPointerMasked = false
    /// The type whose value was not available: that of the lost element, the known cases or the default.
    public var typeName: String
    /// The offset of the value's first byte, or `nil` if ``count`` combines several drifts.
    ///
    /// For a missing key, it is the offset of the object without the key.
    public var byteOffset: Int?
    /// The number of drifts: 1, or all those of this kind and type beyond the 100 that are reported one by one.
    public var count = 1
    /// The diagnosis of a lost element; `nil` if its type threw an error of its own.
    public var diagnosis: DecodingDiagnosis?
    /// The type of the error that a lost element threw, if there is no diagnosis.
    ///
    /// The error's text is not included, because it may quote values.
    var errorTypeName: String?

    /// The reason why an element was lost, in one line.
    public var reason: String? {
        diagnosis?.description ?? errorTypeName.map { "it threw an error of the type \($0)" }
    }

    package init(kind: Kind, pointer: String, typeName: String, byteOffset: Int? = nil) {
        self.kind = kind
        self.pointer = pointer
        self.typeName = typeName
        self.byteOffset = byteOffset
    }
}

extension JSONDrift: CustomStringConvertible {
    /// One line with the kind of difference, its location and the reason.
    ///
    /// ```text
    /// lossyElement of Int at /items/3: at /items/3: expected Int, found null (line 1, column 15, byte 14), in `…`
    /// defaultedKey of String, 12 more
    /// ```
    public var description: String {
        let what = "\(kind.rawValue) of \(typeName)"
        guard byteOffset != nil || !pointer.isEmpty else { return "\(what), \(count) more" }
        let place = ShownPointer.words(pointer, isMasked: isPointerMasked, whole: "body")
        return "\(what) \(place)" + (reason.map { ": \($0)" } ?? "")
    }
}
