/// A value of a document, in which keys are looked for as they stand there: what envelopes are read by.
///
/// Key strategies are for the keys of types, and an envelope's are none. What is found is decoded in place, so that all
/// parts of a document share the one index of it.
package struct DocumentPlace {
    private let decoder: ValueDecoder

    /// Takes the place at which a decoder stands; `nil` for one that isn't of `HikyakuJSONDecoder`.
    package init?(_ decoder: any Decoder) {
        guard let decoder = decoder as? ValueDecoder else { return nil }
        self.decoder = decoder
    }

    /// Goes from object to object.
    ///
    /// - Returns: What stands under the last key; `nil` where one of the keys is missing.
    /// - Throws: `DecodingError` where a value on the way is no object.
    package func value(at keys: [String]) throws -> (any Decoder)? {
        let (place, missing) = try follow(keys)
        return missing == nil ? ValueDecoder(session: decoder.session, place: place) : nil
    }

    /// What is thrown for a key that ``value(at:)`` doesn't find, with the place of the object that lacks it.
    package func missing(_ keys: [String]) throws -> DecodingError {
        let (place, missing) = try follow(keys)
        return decoder.session.missing(JSONCodingKey(missing ?? keys.last ?? ""), in: place)
    }

    /// The place that the keys lead to, or of the object that lacks one of them.
    private func follow(_ keys: [String]) throws -> (place: Int, missing: String?) {
        let session = decoder.session
        var place = decoder.place
        for key in keys {
            guard let next = session.value(ofSource: key, in: try object(at: place)) else { return (place, key) }
            place = next
        }
        return (place, nil)
    }

    private func object(at place: Int) throws -> Int {
        guard decoder.session.index[place].kind == .object else {
            throw decoder.session.mismatch([String: Any].self, "an object", at: place)
        }
        return place
    }

    /// What is thrown for a value that can be decoded and yet isn't what is expected.
    ///
    /// - Parameters:
    ///   - words: What is, in words that follow "expected".
    ///   - decoder: Stands at the value, whichever decoder's it is.
    /// - Returns: The error.
    package static func unacceptable(_ words: String, at decoder: any Decoder) -> DecodingError {
        guard let decoder = decoder as? ValueDecoder else {
            return .dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected \(words)",
                    underlyingError: JSONExpectation.words(words),
                )
            )
        }
        return .dataCorrupted(decoder.session.context("expected \(words)", at: decoder.place, .words(words)))
    }
}

extension DecodingSession {
    /// Finds the value of a key of the document, whatever keys are converted to.
    fileprivate func value(ofSource name: String, in object: Int) -> Int? {
        guard keyTexts != nil else { return value(of: name, in: object) }
        var found: Int?
        // The last one wins.
        forEachMember(of: object) { if sourceText(ofKeyAt: $0).utf8.elementsEqual(name.utf8) { found = $0 + 1 } }
        return found
    }
}
