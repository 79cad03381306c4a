// None of these is inlined: what reads a value would set up, for each, what only an error needs.
extension DecodingSession {
    /// What a value is, in words.
    func description(ofValueAt place: Int) -> String {
        switch index[place].kind {
        case .null: "null"
        case .true, .false: "a boolean"
        case .integer, .decimal: "a number"
        case .array: "an array"
        case .object: "an object"
        default: "a string"
        }
    }

    /// A value of another type than the one expected, which includes `null`.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ name: String? = nil, at place: Int) -> DecodingError {
        let text = MismatchText.of(name ?? TypeName.of(type), found: description(ofValueAt: place))
        let context = context(text, at: place)
        return isNull(at: place) ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// A number that its type can't hold.
    @inline(never)
    func unfitNumber(_ text: String, _ type: any Any.Type, at place: Int) -> DecodingError {
        .dataCorrupted(context("the number " + text, at: place, .type(type)))
    }

    /// An object that lacks a key.
    @inline(never)
    func missing(_ key: any CodingKey, in object: Int) -> DecodingError {
        .keyNotFound(key, context("the object has no key \"\(key.stringValue)\"", at: object))
    }

    func context(
        _ text: String,
        at place: Int,
        _ expectation: JSONExpectation? = nil,
    ) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath(to: place),
            debugDescription: text,
            underlyingError: JSONPlace(byteOffset: offset(of: place), expectation: expectation),
        )
    }

    /// The first byte of a value; of a text, its quote.
    func offset(of place: Int) -> Int { index[place].start }
}
