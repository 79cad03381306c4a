extension JSONReader {
    // MARK: The open object

    /// Whether the value has to be read again, because a guess was wrong or was never checked.
    var hasMisread: Bool { guesses != 0 || misreads != 0 }

    mutating func openObject() throws {
        let (start, depth) = (place, depthLeft)
        try beginMembersByName()
        object = OpenObject(start: start, depthAround: depth, firstName: names.count, firstFound: found.count)
        if search == .indexing { try passRest() }
    }

    @inline(__always)
    mutating func closeObject() {
        place += 1
        depthLeft += 1
        if object.isGuessed { guesses -= 1 }
        names.truncate(to: object.firstName)
        found.truncate(to: object.firstFound)
    }

    /// Goes back to the beginning of the open object, after a failure.
    ///
    /// What was taken as missing had no influence on the failure of another member.
    @inline(never)
    mutating func leaveObject() {
        if object.isGuessed { guesses -= 1 }
        object.isGuessed = false
        names.truncate(to: object.firstName)
        found.truncate(to: object.firstFound)
        goBack(to: object.start, object.depthAround)
    }

    // MARK: Finding

    /// Moves to the value of a member, if it is next and has no white space before it.
    @inline(__always)
    mutating func findNextMember(_ name: MemberName) -> Bool {
        let (before, count) = (place, name.count)
        // A comma, both quotes, a colon, and a byte of the value.
        guard end - before > count &+ 4,
            Bytes.pair(before + (count &+ 2)) == Bytes.pair(of: Byte.quote, Byte.colon),
            Bytes.pair(before) == Bytes.pair(of: Byte.comma, Byte.quote) || isFirstKey(before),
            Bytes.equal(before + 2, name.start, count)
        else { return false }
        names.append(name)
        place = before + (count &+ 4)
        if place.pointee <= Byte.space { skipRareSpace() }
        return true
    }

    @inline(__always)
    private func isFirstKey(_ place: UnsafePointer<UInt8>) -> Bool {
        place == object.start && Bytes.pair(place) == Bytes.pair(of: Byte.openBrace, Byte.quote)
    }

    /// Moves to the value of a member.
    ///
    /// - Returns: Whether there is one. If it is optional, a wrong answer is noticed later.
    @inline(never)
    mutating func searchMember(_ name: MemberName, isOptional: Bool) throws -> Bool {
        if found.count > object.firstFound, findAmongFound(name) { return true }
        do {
            guard isOptional, search == .guessing else { return try passMembers(until: name) }
            if try readKey(name) { return true }
            if place.pointee == Byte.closeBrace { return false }
        } catch {
            leaveObject()
            throw error
        }
        names.append(name)
        if !object.isGuessed { guesses += 1 }
        object.isGuessed = true
        return false
    }

    /// Reads the next key, if it is that of a member; otherwise, the reader is before its comma or the object's end.
    private mutating func readKey(_ name: MemberName) throws -> Bool {
        skipSpace()
        let before = place
        guard try beginMember() else { return false }
        guard try readFoundKey().isEqual(name, in: context.bytes) else {
            place = before
            return false
        }
        names.append(name)
        return true
    }

    /// Reads the brace or the comma before a member; `false` at the object's end, which is not read.
    @inline(__always)
    private mutating func beginMember() throws -> Bool {
        guard place < end else { throw fault(.unexpectedEnd) }
        if place == object.start {
            place += 1
            skipSpace()
            return place == end || place.pointee != Byte.closeBrace
        }
        if place.pointee != Byte.comma {
            guard place.pointee == Byte.closeBrace else { throw fault(.noSeparator) }
            return false
        }
        place += 1
        skipSpace()
        return true
    }

    /// Reads a key and the colon after it.
    @inline(__always)
    private mutating func readFoundKey() throws -> FoundMember {
        guard place < end, place.pointee == Byte.quote else { throw fault(.noKey) }
        let (start, base) = (place + 1, context.bytes)
        let stop = TextScan.firstStop(from: start, to: end)
        // A key without escapes, and a colon without white space around it.
        if end - stop > 2, stop.pointee == Byte.quote, stop[1] == Byte.colon, stop[2] > Byte.space,
            let key = FoundMember(start, stop - start, isEscaped: false, in: base, value: stop + 2)
        {
            place = stop + 2
            return key
        }
        return try readUnusualKey()
    }

    @inline(never)
    private mutating func readUnusualKey() throws -> FoundMember {
        let (start, base) = (place + 1, context.bytes)
        let text = try text()
        try skipColon()
        let count = text.end - start
        guard let key = FoundMember(start, count, isEscaped: text.isEscaped, in: base, value: place) else {
            throw fault(.tooLarge)
        }
        return key
    }

    /// Passes over all further members of the object; the reader is at the object's end then.
    @inline(never)
    mutating func passRest() throws {
        do {
            _ = try passMembers(until: nil)
        } catch {
            leaveObject()
            throw error
        }
        if object.isGuessed { guesses -= 1 }
        object.isGuessed = false
    }

    /// Passes over members up to the value of one of a name, or up to the object's end.
    ///
    /// - Returns: Whether there is one of this name.
    private mutating func passMembers(until name: MemberName?) throws -> Bool {
        let (base, tag) = (context.bytes, name.map { MemberName.tag($0.start, $0.count) } ?? FoundMember.readTag)
        skipSpace()
        var hasNext = try beginMember()
        while hasNext {
            let key = try readFoundKey()
            if let name, key.tag == tag || key.isEscaped, key.isEqual(name, in: base) {
                names.append(name)
                return true
            }
            if key.isEscaped { object.hasEscapedKeys = true }
            if key.isAny(of: names.elements(from: object.firstName), in: base) { throw misread() }
            try found.checkRoom()
            found.append(key)
            try passValue()
            if end - place > 1, Bytes.pair(place) == Bytes.pair(of: Byte.comma, Byte.quote) {
                place += 1
            } else {
                skipSpace()
                hasNext = try beginMember()
            }
        }
        return false
    }

    /// The error by which a value is read again, since the guess that a member is missing was wrong, or since a member
    /// is repeated.
    private mutating func misread() -> MembersMisread {
        misread(object.isGuessed ? .searching : .indexing)
    }

    private mutating func misread(_ search: MemberSearch) -> MembersMisread {
        context.memberSearch = max(search, context.memberSearch)
        misreads += 1
        return MembersMisread()
    }

    /// Moves to the value of the last member of a name among those that were passed over.
    @inline(__always)
    private mutating func findAmongFound(_ name: MemberName) -> Bool {
        let base = context.bytes
        let members = found.mutableElements(from: object.firstFound)
        let value =
            object.hasEscapedKeys
            ? FoundMember.takeUnescaped(name, from: members, base) : FoundMember.take(name, from: members, base)
        guard let value else { return false }
        names.append(name)
        object.next = place
        place = base + value
        return true
    }

    /// The members that no name was given for, the last ones first.
    mutating func findOthers() throws -> [(key: String, value: Int)] {
        try passRest()
        let (base, members) = (context.bytes, found.elements(from: object.firstFound))
        // An earlier one of a repeated member that was read is not another member.
        let read = Set(names.elements(from: object.firstName).map(\.text))
        return members.reversed().compactMap { member in
            let key = member.isRead ? nil : member.text(in: base)
            return key.flatMap { read.contains($0) ? nil : ($0, Int(member.value)) }
        }
    }

    // MARK: Values

    /// The numbers of names and of found members, to which they return after a value.
    @inline(__always)
    var marks: (names: Int, found: Int) { (names.count, found.count) }

    /// Goes on after the value of a member that has opened no object.
    @inline(__always)
    mutating func endMember() {
        guard let next = object.next else { return }
        place = next
        object.next = nil
    }

    /// Goes on after the value of a member, whatever objects it has opened.
    @inline(__always)
    mutating func endMember(
        of outer: OpenObject,
        from start: UnsafePointer<UInt8>,
        _ marks: (names: Int, found: Int),
    ) throws {
        object = outer
        names.truncate(to: marks.names)
        found.truncate(to: marks.found)
        let depth = outer.depthAround - 1
        if place == start || depthLeft != depth { try skip(from: start, depth) }
        if let next = outer.next {
            place = next
            object.next = nil
        }
    }

    // MARK: Failures

    /// Goes back to the beginning of a value that is read again, since the first guess about the order of its members
    /// was wrong.
    ///
    /// Only the first one: values in it would be read again and again. After any other one, the document is read again.
    @inline(never)
    mutating func readsAgain(
        after error: any Error,
        from start: UnsafePointer<UInt8>,
        of outer: OpenObject,
        _ marks: (names: Int, found: Int),
    ) -> Bool {
        guard readsAgain(after: error) else { return false }
        object = outer
        names.truncate(to: marks.names)
        found.truncate(to: marks.found)
        goBack(to: start, outer.depthAround - 1)
        return true
    }

    /// Goes back to the beginning of an element, if the first guess about the order of its members was wrong.
    @usableFromInline
    @inline(never)
    mutating func readElementAgain(
        after error: any Error,
        from start: UnsafePointer<UInt8>,
        _ depth: Int,
    ) throws {
        guard readsAgain(after: error) else { throw error }
        goBack(to: start, depth)
    }

    private mutating func readsAgain(after error: any Error) -> Bool {
        guard search == .guessing, context.memberSearch == .searching, error is MembersMisread,
            context.settings.driftLog == nil
        else { return false }
        search = .searching
        misreads -= 1
        return true
    }

    @inline(never)
    mutating func missingMember(_ name: MemberName) -> DecodingError {
        let offset = object.start - context.bytes
        let text = EscapeScan.string(name.start, name.count)
        leaveObject()
        return .keyNotFound(JSONCodingKey(text), .init("the object has no key \"\(text)\"", at: offset))
    }

    /// The same for a value that has opened no object.
    @inline(never)
    mutating func failedMember(
        _ name: MemberName,
        from start: UnsafePointer<UInt8>,
        _ error: any Error,
    ) -> any Error {
        failedMember(name, from: start, of: object, error)
    }

    /// Goes back to the object, and returns the error of one of its values.
    @inline(never)
    mutating func failedMember(
        _ name: MemberName?,
        from start: UnsafePointer<UInt8>,
        of outer: OpenObject,
        _ error: any Error,
    ) -> any Error {
        object = outer
        var isRepeated = false
        if let name, search != .indexing, !(error is JSONSyntaxError), !(error is MembersMisread) {
            goBack(to: start, outer.depthAround - 1)
            isRepeated = (try? self.isRepeated(name)) ?? false
        }
        leaveObject()
        return isRepeated ? misread(.indexing) : error
    }

    /// Whether the member that begins here is followed by another one of its name.
    private mutating func isRepeated(_ name: MemberName) throws -> Bool {
        try passValue()
        skipSpace()
        while try beginMember() {
            if try readFoundKey().isEqual(name, in: context.bytes) { return true }
            try passValue()
            skipSpace()
        }
        return false
    }

    /// The text of the last member of a name in an object.
    mutating func findText(of name: MemberName) throws -> String? {
        var text: String?
        guard try beginMembers() else { return nil }
        repeat {
            let key = try readFoundKey()
            guard key.isEqual(name, in: context.bytes) else {
                try passValue()
                continue
            }
            if place < end, place.pointee == Byte.quote {
                text = try readText()
            } else {
                text = nil
                try passValue()
            }
        } while try nextMember()
        return text
    }
}
