/// Looks through all objects of a document for a key that its object already has.
///
/// Keys are compared as what they say: `"a"` and `"\u0061"` are one. They are found as those are that decoding passes
/// over, so that the time grows with the document and no faster.
enum DuplicateKeySearch {
    /// Goes through a document before it is read.
    ///
    /// - Throws: The first key in the document that its object already has, at its quote; what else is wrong with the
    ///   document is thrown first.
    static func check(_ bytes: UnsafeBufferPointer<UInt8>, depthMax: Int) throws {
        var settings = HikyakuJSONDecoder()
        settings.depthMax = depthMax
        _ = try DecodingSession.decode(bytes, settings: settings) { session in
            guard let key = firstRepeatedKey(session) else { return }
            throw JSONSyntaxError(.duplicateKey, at: session.index[key].start)
        }
    }

    private static func firstRepeatedKey(_ session: DecodingSession) -> Int? {
        // An object behind the key that was found can't have an earlier one.
        var first: Int?
        var place = 0
        while place < first ?? session.index.count {
            let entry = session.index[place]
            if entry.kind == .object { first = repeatedKey(of: place, session) ?? first }
            place += entry.isContainer ? 2 : 1
        }
        return first
    }

    private static func repeatedKey(of object: Int, _ session: DecodingSession) -> Int? {
        session.prepare(object)
        guard session.firstMember(of: object, where: { session.index[$0].kind == .shadowedKey }) != nil else {
            return nil
        }
        var seen: Set<ExactText> = []
        return session.firstMember(of: object) { !seen.insert(ExactText(session.sourceText(ofKeyAt: $0))).inserted }
    }
}
