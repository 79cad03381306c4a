extension DecodingSession {
    /// Objects with more members than this are searched by a table.
    private static let searchedMembersMax = 24

    /// Finds the value of a key.
    ///
    /// Types ask for their keys in the order of their declaration nearly always, and documents have them in that order
    /// mostly: so the member behind the one that was found last is looked at first.
    ///
    /// - Returns: The value's place; `nil` where the object has no such key.
    @inline(__always)
    func value(of name: String, in object: Int) -> Int? {
        // Not `withUTF8`, which takes a copy of the string.
        if let place = name.utf8.withContiguousStorageIfAvailable({ value(of: $0, in: object) }) { return place }
        return Array(name.utf8).withUnsafeBufferPointer { value(of: $0, in: object) }
    }

    @inline(__always)
    private func value(of name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let member = index.expected(in: object)
        if member > 0, member < index.end(of: object), isKey(at: member, named: name) {
            index.expect(index.next(after: member + 1), in: object)
            return member + 1
        }
        return search(for: name, in: object)
    }

    @inline(never)
    private func search(for name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        prepare(object)
        guard let member = member(named: name, in: object) else { return nil }
        index.expect(index.next(after: member + 1), in: object)
        return member + 1
    }

    private func member(named name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        if hasTable(object), let table = tables[object] { return table.member(named: name, in: self) }
        let end = index.end(of: object)
        let expected = index.expected(in: object)
        return member(named: name, from: expected, to: end) ?? member(named: name, from: object + 2, to: expected)
    }

    private func member(named name: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        firstMember(from: start, to: end) { isKey(at: $0, named: name) }
    }

    /// The first member of an object that fulfils the condition.
    @inline(__always)
    func firstMember(of object: Int, where isMatch: (_ member: Int) -> Bool) -> Int? {
        firstMember(from: object + 2, to: index.end(of: object), where: isMatch)
    }

    @inline(__always)
    private func firstMember(from start: Int, to end: Int, where isMatch: (_ member: Int) -> Bool) -> Int? {
        var member = start
        while member < end {
            if isMatch(member) { return member }
            member = index.next(after: member + 1)
        }
        return nil
    }

    /// Goes through the members of an object.
    @inline(__always)
    func forEachMember(of object: Int, _ body: (_ member: Int) throws -> Void) rethrows {
        let end = index.end(of: object)
        var member = object + 2
        while member < end {
            try body(member)
            member = index.next(after: member + 1)
        }
    }

    @inline(__always)
    func isKey(at member: Int, named name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = index[member]
        if entry.kind == .plainKey {
            guard entry.length == name.count, name.count < JSONEntry.lengthMax || textLength(of: entry) == name.count
            else { return false }
            return Bytes.equal(start(of: entry), name.baseAddress.unsafelyUnwrapped, name.count)
        }
        if entry.kind == .convertedKey, let keyTexts { return keyTexts.text(entry.length, equals: name) }
        return isUnusualKey(entry, named: name)
    }

    @inline(never)
    private func isUnusualKey(_ entry: JSONEntry, named name: UnsafeBufferPointer<UInt8>) -> Bool {
        entry.kind != .shadowedKey && text(ofKey: entry).utf8.elementsEqual(name)
    }

    /// The key as types know it: without escapes, and converted.
    func text(ofKeyAt member: Int) -> String {
        text(ofKey: index[member])
    }

    func text(ofKey entry: JSONEntry) -> String {
        if entry.kind == .convertedKey, let keyTexts { return keyTexts[entry.length] }
        let length = textLength(of: entry)
        return string(at: start(of: entry), length, isEscaped: entry.kind != .plainKey)
    }

    /// The key as it stands in the document, without escapes.
    func sourceText(ofKeyAt member: Int) -> String {
        let entry = index[member]
        // What an entry is now may not say what its bytes are.
        return string(at: start(of: entry), textLength(of: entry), isEscaped: entry.kind != .plainKey)
    }

    /// Makes an object ready to be searched, once: keys are converted, and those that come again are marked.
    func prepare(_ object: Int) {
        guard index.expected(in: object) == 0 else { return }
        index.expect(object + 2, in: object)
        if let keyTexts {
            convertKeys(of: object, by: keyTexts)
            forgetPath(through: object)
        }
        if hasTable(object) {
            tables[object] = MemberTable(of: object, in: self)
        } else {
            shadowRepeatedKeys(of: object)
        }
    }

    private func hasTable(_ object: Int) -> Bool { index[object].length > Self.searchedMembersMax }

    /// Marks each key that comes again behind it.
    ///
    /// Equal keys have equal marks among 128, and those few that have another's are compared.
    private func shadowRepeatedKeys(of object: Int) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        forEachMember(of: object) { member in
            let number = KeyMark.of(index[member], in: self)
            let mark: UInt64 = 1 &<< (number & 63)
            let isHigh = number > 63
            if (isHigh ? high : low) & mark != 0 { shadow(keysLike: member, from: object + 2) }
            low |= isHigh ? 0 : mark
            high |= isHigh ? mark : 0
        }
    }

    private func shadow(keysLike last: Int, from first: Int) {
        var member = first
        while member < last {
            if areEqual(index[member], index[last]) { shadow(member) }
            member = index.next(after: member + 1)
        }
    }

    func shadow(_ member: Int) {
        // The length of a converted key is none, so that of each is counted when somebody asks for it.
        index[member] = JSONEntry(.shadowedKey, at: index[member].offset, length: JSONEntry.lengthMax)
    }

    @inline(__always)
    func areEqual(_ one: JSONEntry, _ other: JSONEntry) -> Bool {
        if one.kind == .plainKey, other.kind == .plainKey {
            let length = textLength(of: one)
            return length == textLength(of: other) && Bytes.equal(start(of: one), start(of: other), length)
        }
        return areUnusualAndEqual(one, other)
    }

    @inline(never)
    private func areUnusualAndEqual(_ one: JSONEntry, _ other: JSONEntry) -> Bool {
        guard one.kind != .shadowedKey else { return false }
        if one.kind == .convertedKey, other.kind == .convertedKey { return one.length == other.length }
        return text(ofKey: one).utf8.elementsEqual(text(ofKey: other).utf8)
    }

    private func convertKeys(of object: Int, by texts: KeyTexts) {
        forEachMember(of: object) { member in
            let entry = index[member]
            index[member] = JSONEntry(.convertedKey, at: entry.offset, length: texts.number(of: entry, in: self))
        }
    }

    /// The keys of an object as types know them, in the order of the document, without those that come again.
    func keys(of object: Int) -> [String] {
        prepare(object)
        var keys: [String] = []
        keys.reserveCapacity(index.members(of: object))
        forEachMember(of: object) { if index[$0].kind != .shadowedKey { keys.append(text(ofKeyAt: $0)) } }
        return keys
    }
}
