/// What the keys of a document become by a key strategy, found once for each text.
final class KeyTexts {
    private struct Known {
        /// The key's bytes in the document, escapes and all.
        let source: UnsafeMutableBufferPointer<UInt8>
        /// The number of what it became.
        let number: Int
    }

    private let convert: (String) -> String
    /// Each key that was seen, in the order of its first appearance.
    private var known: [Known] = []
    private var placesOfSources: [String: Int] = [:]
    private var texts: [String] = []
    private var numbersOfTexts: [String: Int] = [:]
    /// The key that is expected next: objects of one type have theirs in the same order.
    private var expected = 0

    /// Keeps nothing where keys stay as they are.
    init?(_ strategy: HikyakuJSONDecoder.KeyDecodingStrategy) {
        switch strategy {
        case .useDefaultKeys: return nil
        case .convertFromSnakeCase: convert = SnakeCase.camelCase
        case .custom(let function): convert = function
        }
    }

    deinit {
        for known in known { known.source.deallocate() }
    }

    subscript(number: Int) -> String { texts[number] }

    func text(_ number: Int, equals name: UnsafeBufferPointer<UInt8>) -> Bool {
        texts[number].utf8.withContiguousStorageIfAvailable { text in
            text.count == name.count
                && Bytes.equal(text.baseAddress.unsafelyUnwrapped, name.baseAddress.unsafelyUnwrapped, name.count)
        } ?? false
    }

    /// The number of what a key becomes.
    func number(of entry: JSONEntry, in session: DecodingSession) -> Int {
        let length = session.textLength(of: entry)
        let start = session.start(of: entry)
        if expected < known.count {
            let next = known[expected]
            if next.source.count == length,
                length == 0 || Bytes.equal(start, next.source.baseAddress.unsafelyUnwrapped, length)
            {
                expected += 1
                return next.number
            }
        }
        return find(UnsafeBufferPointer(start: start, count: length), entry, session)
    }

    private func find(_ source: UnsafeBufferPointer<UInt8>, _ entry: JSONEntry, _ session: DecodingSession) -> Int {
        let key = String(decoding: source, as: UTF8.self)
        let place = placesOfSources[key] ?? add(source, key, session.text(ofKey: entry))
        expected = place + 1
        return known[place].number
    }

    private func add(_ source: UnsafeBufferPointer<UInt8>, _ key: String, _ text: String) -> Int {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
        _ = copy.initialize(from: source)
        known.append(Known(source: copy, number: number(of: convert(text))))
        placesOfSources[key] = known.count - 1
        return known.count - 1
    }

    private func number(of text: String) -> Int {
        if let number = numbersOfTexts[text] { return number }
        var text = text
        text.makeContiguousUTF8()
        texts.append(text)
        numbersOfTexts[text] = texts.count - 1
        return texts.count - 1
    }
}

/// The two ways to write a name of several words.
enum SnakeCase {
    /// `created_at` gives `createdAt`; underscores around a name stay, and a name of one word is left alone.
    static func camelCase(_ name: String) -> String {
        let isUnderscore = { (character: Character) in character == "_" }
        guard let first = name.firstIndex(where: { !isUnderscore($0) }),
            let last = name.lastIndex(where: { !isUnderscore($0) })
        else { return name }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let inner = words.dropFirst().reduce(words[0].lowercased()) { $0 + capitalized($1) }
        return name[..<first] + inner + name[name.index(after: last)...]
    }

    private static func capitalized(_ word: Substring) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
}
