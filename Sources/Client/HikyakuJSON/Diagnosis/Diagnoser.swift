import HikyakuBase

/// Finds and describes the differences between a body and its type after decoding has failed.
///
/// The time for each error is linear in the size of the body. The document is walked through once for several errors
/// that come in its order.
struct Diagnoser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let revealingValues: Bool
    var isJSON = true
    var hasBody = true
    var convertingKeys: ((String) -> String)?
    /// Stops shortly before the last offset that was diagnosed.
    private var walk: DocumentWalk
    /// Created when an error has only a coding path.
    private var search: Result<PathSearch, JSONSyntaxError>?

    init(_ bytes: UnsafeBufferPointer<UInt8>, revealingValues: Bool) {
        self.bytes = bytes
        self.revealingValues = revealingValues
        walk = DocumentWalk(bytes)
    }

    /// Describes a decoder's error together with what the document contains.
    mutating func diagnosis(of error: DecodingError) -> DecodingDiagnosis {
        let context = error.context
        var diagnosis = context.map { isJSON && hasBody ? described(error, $0) : bare(error, $0) }
        if let context, !context.debugDescription.isEmpty {
            let text = context.debugDescription
            diagnosis?.message = revealingValues ? VisibleText.of(text, max: 200) : ownWords(error, context)
        }
        diagnosis?.error = error
        return diagnosis ?? DecodingDiagnosis(kind: .malformed, expected: "a body that the decoder can read")
    }

    /// What the app's own decoding says; `nil` for an error of a decoder, whose difference says the same.
    private func ownWords(_ error: DecodingError, _ context: DecodingError.Context) -> String? {
        guard case .dataCorrupted = error, isJSON, hasBody, context.underlyingError == nil,
            !ErrorWords.isOfFoundation(context.debugDescription)
        else { return nil }
        return unsafe OwnWords.masked(VisibleText.of(context.debugDescription, max: 200), in: bytes)
    }

    private mutating func described(_ error: DecodingError, _ context: DecodingError.Context) -> DecodingDiagnosis {
        if let syntax = context.underlyingError as? JSONSyntaxError { return diagnosis(of: syntax) }
        if let place = context.underlyingError as? JSONPlace {
            guard bytes.indices.contains(place.byteOffset) else { return bare(error, context) }
            return diagnosis(of: error, context, at: exactOffset(of: error, at: place.byteOffset))
        }
        switch madeSearch() {
        case .success(let search):
            return diagnosis(of: error, context, at: search.outcome(of: context.codingPath))
        case .failure(let syntax):
            // A decoder that fails at a value has read the document, in a format that may be an extension of JSON.
            guard case .dataCorrupted = error, context.codingPath.isEmpty else { return bare(error, context) }
            return diagnosis(of: PathSearch.excess(in: bytes) ?? syntax)
        }
    }

    /// The exact offset, where a decoder knows only the other end of the object or array.
    private func exactOffset(of error: DecodingError, at offset: Int) -> Int {
        switch (error, bytes[offset]) {
        case (.keyNotFound, Byte.closeBrace):
            // A decoder that reads on to the end of the object finds out there that the key is missing.
            var walk = walk.offset <= offset ? walk : DocumentWalk(bytes)
            walk.advance(to: offset)
            return walk.containerStart ?? offset
        case (.valueNotFound, Byte.openBracket):
            return PathSearch.lastByte(of: bytes, from: offset)
        default:
            return offset
        }
    }

    private mutating func madeSearch() -> Result<PathSearch, JSONSyntaxError> {
        let made =
            search
            ?? Result { () throws(JSONSyntaxError) in try PathSearch(bytes, convertingKeys: convertingKeys) }
        search = made
        return made
    }

    /// An offset in the document and its surroundings.
    fileprivate struct Spot {
        let walk: DocumentWalk
        let offset: Int
        let snippet: String?
        let isSnippetMasked: Bool

        /// The first byte of the value, also if the offset is inside a string.
        var valueOffset: Int { walk.offset }
    }

    /// Walks to an offset.
    ///
    /// The document is known to be well-formed up to `orderedEnd`.
    private mutating func spot(at offset: Int, orderedEnd: Int) -> Spot {
        if walk.offset > offset { walk = DocumentWalk(bytes) }
        walk.advance(to: max(walk.offset, offset - Snippet.bytesBefore), within: offset)
        var near = walk
        near.advance(to: offset)
        var snippet = Snippet(
            bytes,
            from: walk.offset,
            around: offset,
            orderedEnd: orderedEnd,
            revealingValues: revealingValues,
        )
        let text = snippet.text()
        return Spot(walk: near, offset: offset, snippet: text, isSnippetMasked: snippet.isMasked)
    }

    private func placed(
        _ difference: Difference,
        at spot: Spot,
        part: DocumentWalk.Part = .value,
    ) -> DecodingDiagnosis {
        var diagnosis = difference
        diagnosis.place(at: spot.walk.pointer(to: part, revealingValues: revealingValues))
        diagnosis.byteOffset = spot.offset
        (diagnosis.line, diagnosis.column) = spot.walk.position(of: spot.offset)
        diagnosis.snippet = spot.snippet
        diagnosis.isSnippetMasked = spot.isSnippetMasked
        return diagnosis
    }

    /// A diagnosis that says what differs, and not yet where.
    private typealias Difference = DecodingDiagnosis
}

extension Diagnoser {
    /// The diagnosis for the value that begins at an offset, or for the array that ends there.
    private mutating func diagnosis(
        of error: DecodingError,
        _ context: DecodingError.Context,
        at offset: Int,
    ) -> DecodingDiagnosis {
        let spot = spot(at: offset, orderedEnd: bytes.count)
        let part = spot.walk.elementsAtEnd == nil ? DocumentWalk.Part.value : .end
        return placed(difference(error, context, at: spot), at: spot, part: part)
    }

    /// The diagnosis of an error that has only a coding path.
    private mutating func diagnosis(
        of error: DecodingError,
        _ context: DecodingError.Context,
        at outcome: PathSearch.Outcome,
    ) -> DecodingDiagnosis {
        if isOfNoJSON(context), let syntax = PathSearch.excess(in: bytes) { return diagnosis(of: syntax) }
        if let difference = placeless(error, context) { return difference }
        switch (outcome, error) {
        case (.value(let offset), _) where agrees(error, context, with: offset),
            (.arrayEnd(let offset), .valueNotFound), (.arrayEnd(let offset), .dataCorrupted):
            return diagnosis(of: error, context, at: offset)
        case (.stop(let offset, let key), .dataCorrupted):
            let spot = spot(at: offset, orderedEnd: bytes.count)
            var difference = difference(error, context, at: spot)
            let name = key.intValue.map { "at the index \($0)" } ?? "under the key \(shown(key))"
            difference.expected += " \(name)"
            difference.found = keyWords(at: offset) ?? difference.found
            return placed(difference, at: spot)
        default:
            // The error belongs to another document, such as one inside a string.
            return bare(error, context)
        }
    }

    /// Whether the value at the offset can be the one that the error describes.
    private func agrees(_ error: DecodingError, _ context: DecodingError.Context, with offset: Int) -> Bool {
        switch error {
        case .keyNotFound: bytes[offset] == Byte.openBrace
        case .valueNotFound: bytes[offset] == UInt8(ascii: "n")
        case .typeMismatch: ErrorWords.found(in: context.debugDescription).map { $0 == kindWords(at: offset) } ?? true
        default: true
        }
    }

    /// Whether it is the text of Foundation's decoder for malformed JSON, which it also uses for numbers.
    private func isOfNoJSON(_ context: DecodingError.Context) -> Bool {
        context.codingPath.isEmpty && context.debugDescription.hasPrefix("The given data was not valid JSON")
    }

    /// Foundation's decoder gives no position for a number that does not fit.
    private func placeless(_ error: DecodingError, _ context: DecodingError.Context) -> Difference? {
        guard case .dataCorrupted = error, isOfNoJSON(context) else { return nil }
        return Difference(
            kind: .invalidValue,
            expected: "numbers that their types can represent",
            found: "a number that is out of range or has a fraction (the decoder gives no position)",
        )
    }

    /// The difference at a position; without one, what the error itself contains.
    private func difference(
        _ error: DecodingError,
        _ context: DecodingError.Context,
        at spot: Spot?,
    ) -> Difference {
        let found = spot.map { words(at: $0) } ?? ErrorWords.found(in: context.debugDescription)
        switch error {
        case .keyNotFound(let key, _):
            let keys = spot.map { ObjectKeys(bytes, at: $0.valueOffset) } ?? context.underlyingError as? ObjectKeys
            return Difference(
                kind: .missingKey,
                expected: "the key \(Self.quoted(key))",
                found: keys?.words(revealingValues: revealingValues) ?? "an object without this key",
            )
        case .valueNotFound(let type, _):
            let found = found ?? "null or the end of an array"
            return Difference(kind: .missingValue, expected: ErrorWords.name(of: type), found: found)
        case .typeMismatch(let type, _):
            guard let spot else {
                return Difference(kind: .typeMismatch, expected: ErrorWords.name(of: type), found: found)
            }
            return keyDifference(type, context, at: spot) ?? difference(from: type, .typeMismatch, at: spot)
        default:
            return spot.map { corruption(context, at: $0) } ?? bareCorruption(context)
        }
    }

    private func corruption(_ context: DecodingError.Context, at spot: Spot) -> Difference {
        let expectation =
            (context.underlyingError as? JSONPlace)?.expectation ?? context.underlyingError as? JSONExpectation
        switch expectation ?? ErrorWords.expectation(in: context.debugDescription) {
        case .type(let type):
            return difference(from: type, .invalidValue, at: spot)
        case .words(let words):
            var found = self.words(at: spot)
            // For a text that is not a date, Foundation's decoder names the container around it.
            if expectation == nil, ErrorWords.isOfText(words), found == "an object" || found == "an array" {
                found? += " with an invalid string"
            }
            return Difference(kind: .invalidValue, expected: words, found: found)
        case nil:
            return Difference(kind: .invalidValue, expected: "a valid value", found: words(at: spot))
        }
    }

    /// A value of another type, or a number that the type can't hold.
    private func difference(from type: any Any.Type, _ kind: DecodingDiagnosis.Kind, at spot: Spot) -> Difference {
        let expected = ErrorWords.name(of: type)
        guard let number = number(at: spot.valueOffset), let fault = NumberFault(of: number, for: expected) else {
            return Difference(kind: kind, expected: expected, found: words(at: spot))
        }
        let shown = revealingValues ? "\(numberWords(number)), which" : "a number that"
        return switch fault {
        case .range(let range):
            Difference(kind: .outOfRange, expected: expected, found: "\(shown) is out of range (\(range))")
        case .fraction:
            Difference(kind: kind, expected: expected, found: "\(shown) has a fraction")
        case .form:
            Difference(kind: kind, expected: expected, found: "\(shown) has an unsupported notation")
        }
    }

    /// The errors of the standard library about keys, which it throws as type mismatches.
    private func keyDifference(
        _ type: any Any.Type,
        _ context: DecodingError.Context,
        at spot: Spot,
    ) -> Difference? {
        if context.debugDescription.hasPrefix("Expected Int key but found"), let key = context.codingPath.last {
            return Difference(kind: .typeMismatch, expected: "an integer key", found: "the key \(shown(key))")
        }
        guard context.debugDescription.hasPrefix("Invalid number of keys found, expected one") else { return nil }
        return Difference(
            kind: .typeMismatch,
            expected: "\(ErrorWords.name(of: type)) as an object with one key, the name of a case",
            found: keyWords(at: spot.valueOffset) ?? words(at: spot),
        )
    }

    private func keyWords(at offset: Int) -> String? {
        ObjectKeys(bytes, at: offset)?.words(revealingValues: revealingValues)
    }

    /// A key of the type.
    private static func quoted(_ key: any CodingKey) -> String { "\"\(VisibleText.of(key.stringValue, max: 100))\"" }

    /// A key that may be the document's.
    private func shown(_ key: any CodingKey) -> String {
        ValueShape.quoted(key: key.stringValue, max: 100, revealingValues: revealingValues)
    }

    /// The diagnosis from the error alone, where the body is not JSON or has no further information.
    private func bare(_ error: DecodingError, _ context: DecodingError.Context) -> DecodingDiagnosis {
        var diagnosis = difference(error, context, at: nil)
        var pointer = ShownPointer(revealingValues: revealingValues)
        pointer.append(context.codingPath)
        diagnosis.place(at: pointer)
        return diagnosis
    }

    private func bareCorruption(_ context: DecodingError.Context) -> Difference {
        if case .words(let words) = context.underlyingError as? JSONExpectation
            ?? ErrorWords.expectation(in: context.debugDescription)
        {
            return Difference(kind: .invalidValue, expected: words)
        }
        guard context.codingPath.isEmpty, hasBody else {
            return Difference(kind: .invalidValue, expected: "a valid value")
        }
        if bytes.allSatisfy(Byte.isSpace) {
            return Difference(kind: .empty, expected: "a document", found: "an empty body")
        }
        return malformed("a document that the decoder can read", "\(bytes.count) bytes that it can't read")
    }

    /// The value at an offset, in words that follow "found"; `nil` if none begins or ends there.
    private func words(at spot: Spot) -> String? {
        let offset = spot.valueOffset
        if let count = spot.walk.elementsAtEnd {
            let elements = count == 1 ? "1 element" : "\(count) elements"
            return count == 0 ? "the end of an empty array" : "the end of an array of \(elements)"
        }
        if let number = number(at: offset) { return numberWords(number) }
        let kind = kindWords(at: offset)
        switch kind {
        case "a string": return textWords(at: offset)
        case "a boolean" where revealingValues: return bytes[offset] == UInt8(ascii: "t") ? "true" : "false"
        default: return kind
        }
    }

    /// The kind of value that begins at an offset.
    private func kindWords(at offset: Int) -> String? {
        offset < bytes.count ? MismatchText.kind(ofValueAt: bytes[offset]) : nil
    }

    private func textWords(at quote: Int) -> String {
        let shown = TextToken(bytes, at: quote).shown(
            max: revealingValues ? 80 : 40,
            revealingValues ? VisibleText.scalar : ValueShape.scalar,
        )
        return shown.isEmpty
            ? "an empty string" : ValueShape.words("string", "\"\(shown)\"", isMasked: !revealingValues)
    }

    /// The bytes of the number that begins at an offset.
    private func number(at offset: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
        guard kindWords(at: offset) == "a number", let base = bytes.baseAddress,
            let found = try? NumberScan.number(from: base + offset, to: base + bytes.count)
        else { return nil }
        return bytes[offset..<found.end - base]
    }

    private func numberWords(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let text = String(decoding: number.prefix(40), as: UTF8.self)
        let shown = revealingValues ? text : String(text.map { $0.isNumber ? "9" : $0 })
        return ValueShape.words("number", "\(shown)\(number.count > 40 ? "…" : "")", isMasked: !revealingValues)
    }

    /// What a malformed body is, or where it stops being JSON.
    mutating func diagnosis(of error: JSONSyntaxError) -> DecodingDiagnosis {
        if let difference = wholeBody(error) { return difference }
        let offset = min(max(0, error.byteOffset), bytes.count)
        let isCut = error.kind == .unexpectedEnd || isCutCharacter(error.kind, at: offset)
        let spot = spot(at: isCut ? bytes.count : offset, orderedEnd: isCut ? bytes.count : offset)
        if isCut {
            let found = "the end of the data, truncated at byte \(bytes.count)"
            let difference = Difference(kind: .truncated, expected: "the rest of the JSON document", found: found)
            return placed(difference, at: spot)
        }
        if spot.walk.depth == 0, let content = BodyContent(textIn: bytes, revealingValues: revealingValues),
            wrongWord(at: offset) == nil
        {
            return foreign(content)
        }
        return placed(difference(error.kind, at: spot), at: spot, part: error.kind.part)
    }

    /// The differences that concern the whole body.
    private func wholeBody(_ error: JSONSyntaxError) -> Difference? {
        if error.kind == .empty || bytes.isEmpty {
            let found = bytes.isEmpty ? "an empty body" : "only white space"
            return Difference(kind: .empty, expected: "a JSON document", found: found)
        }
        if error.kind == .noMemory {
            let found = "a document of \(bytes.count) bytes"
            return Difference(kind: .outOfMemory, expected: "a document that fits into memory", found: found)
        }
        if error.kind == .tooLarge {
            let found = "a document of \(bytes.count) bytes"
            return Difference(kind: .malformed, expected: "a document smaller than 4 GiB", found: found)
        }
        if error.byteOffset <= 3, let content = BodyContent(binaryIn: bytes) { return foreign(content) }
        guard error.kind == .byteOrderMark else { return nil }
        if let content = BodyContent(textIn: bytes, revealingValues: revealingValues) { return foreign(content) }
        let found = "a byte order mark before the document"
        return Difference(kind: .byteOrderMark, expected: "a JSON document", found: found)
    }

    private func foreign(_ content: BodyContent) -> Difference {
        let expected = content.kind == .wrongCharset ? "a JSON document in UTF-8" : "a JSON document"
        return Difference(kind: content.kind, expected: expected, found: content.words)
    }

    /// A character that is cut by the end of the body looks like invalid UTF-8.
    private func isCutCharacter(_ kind: JSONSyntaxError.Kind, at offset: Int) -> Bool {
        let rest = bytes[offset...]
        guard kind == .invalidUTF8, let first = rest.first, 0xC2...0xF4 ~= first else { return false }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        return rest.count < length && rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    }

    private func difference(_ kind: JSONSyntaxError.Kind, at spot: Spot) -> Difference {
        let seen = seen(at: spot.offset)
        return switch kind {
        case .noValue, .badWord:
            malformed("a value", wrongWord(at: spot.offset) ?? afterComma(seen, at: spot.offset))
        case .noKey: malformed("a key in double quotes", afterComma(seen, at: spot.offset))
        case .noColon: malformed("a colon after the key", seen)
        case .noSeparator: malformed("a comma or \"\(spot.walk.isInObject == true ? "}" : "]")\"", seen)
        case .badNumber: malformed("a number in JSON syntax", numberFault(at: spot.offset) ?? seen)
        case .controlCharacter: malformed("an escape sequence such as \\n", "\(seen) in a string")
        case .badEscape: malformed("an escape sequence of JSON", "a backslash before another character")
        case .loneSurrogate: malformed("a surrogate pair", "an unpaired surrogate")
        case .invalidUTF8:
            Difference(
                kind: .wrongCharset,
                expected: "a JSON document in UTF-8",
                found: "text in another charset, such as Latin-1",
            )
        case .trailingBytes: malformed("the end of the document", "\(seen) after it")
        case .duplicateKey: duplicate(at: spot)
        case .tooDeep, .stackEnd:
            Difference(
                kind: .tooDeep,
                expected: "at most \(spot.walk.depth) nested arrays and objects"
                    + (kind == .stackEnd ? " (the stack of this thread has no room for more)" : ""),
                found: "one more level",
            )
        // Handled before.
        case .empty, .byteOrderMark, .unexpectedEnd, .tooLarge, .noMemory: malformed("a JSON document", nil)
        }
    }

    private func malformed(_ expected: String, _ found: String?) -> Difference {
        Difference(kind: .malformed, expected: expected, found: found)
    }

    private func duplicate(at spot: Spot) -> Difference {
        let key = TextToken(bytes, at: spot.valueOffset).beginning(max: ObjectKeys.keyScalarsMax + 1)
        let shown = ValueShape.quoted(key: key, max: ObjectKeys.keyScalarsMax, revealingValues: revealingValues)
        let found = "the key \(shown) a second time"
        return Difference(kind: .duplicateKey, expected: "each key only once", found: found)
    }

    private func numberFault(at offset: Int) -> String? {
        if let word = wrongWord(at: offset) { return word }
        let isZero = offset + 1 < bytes.count && bytes[offset] == Byte.zero && ASCII.isDigit(bytes[offset + 1])
        return isZero ? "a number with a leading zero" : nil
    }

    /// A literal of another language, which JSON does not have or spells differently.
    private func wrongWord(at offset: Int) -> String? {
        let rest = bytes[offset...].prefix(16)
        if rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8) { return "a comment, which JSON doesn't allow" }
        let letters = rest.prefix(while: ASCII.isLetter)
        let words = [
            "NaN", "nan", "Infinity", "inf", "undefined", "None", "True", "False", "TRUE", "FALSE", "NULL", "nil",
        ]
        return words.first { letters.elementsEqual($0.utf8) }.map { "the word \($0), which JSON doesn't allow" }
    }

    private func afterComma(_ seen: String, at offset: Int) -> String {
        guard offset < bytes.count, [Byte.closeBrace, Byte.closeBracket].contains(bytes[offset]) else { return seen }
        let before = bytes[..<offset].last { !Byte.isSpace($0) }
        return before == Byte.comma ? "\(seen) after a comma" : seen
    }

    /// The character at an offset.
    ///
    /// Letters and digits are shown only if values are revealed.
    private func seen(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end" }
        switch bytes[offset] {
        case Byte.quote: return "a double quote"
        case UInt8(ascii: "'"): return "a single quote"
        case ..<0x20, 0x7F:
            let digits = String(bytes[offset], radix: 16, uppercase: true)
            return "a control character (U+00\(digits.count == 1 ? "0" : "")\(digits))"
        case 0x80...: return "a non-ASCII character"
        case let byte:
            let character = Character(Unicode.Scalar(byte))
            guard !revealingValues else { return "\"\(character)\"" }
            return character.isLetter ? "a letter" : character.isNumber ? "a digit" : "\"\(character)\""
        }
    }
}

extension JSONSyntaxError.Kind {
    /// The part of the document that is wrong.
    fileprivate var part: DocumentWalk.Part {
        switch self {
        case .noKey, .noSeparator: .container
        case .duplicateKey: .key
        default: .value
        }
    }
}

extension DecodingDiagnosis {
    fileprivate mutating func place(at pointer: ShownPointer) {
        (self.pointer, isPointerMasked) = (pointer.text, pointer.isMasked)
    }
}
