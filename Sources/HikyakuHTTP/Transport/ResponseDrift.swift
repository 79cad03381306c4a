/// How a response was other than its model says, and was read nevertheless: a kind of place, and how often.
///
/// Everything of one response that is alike is one drift: `defaultedKey`, `String`, `/items/*/title`, 37. It holds no
/// value of the response, so that it can go to logs and metrics; keys are shown, since they name the place.
public struct ResponseDrift: Sendable, Hashable {
    /// What was tolerated, as a stable word: `lossyElement`, `unknownEnumValue`, `defaultedKey`; others may come.
    public var kind: String
    /// The type whose value wasn't there.
    public var typeName: String
    /// The places as a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) in which `*` stands for each
    /// index of an array, and for each key that is written as one; empty for the document as a whole.
    ///
    /// Its keys are as they came, control characters too: show them escaped. `nil` where it stands for the places
    /// beyond a limit.
    public var pointer: String?
    /// How many such places there are.
    public var count: Int

    /// Makes a drift, for tests of observers.
    public init(kind: String, typeName: String, pointer: String?, count: Int = 1) {
        self.kind = kind
        self.typeName = typeName
        self.pointer = pointer
        self.count = count
    }
}
