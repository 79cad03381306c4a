/// Looks at a body again after decoding has failed.
///
/// For each error the time grows with the body and no faster; for several in the order of the document, the way to
/// their places is gone once.
struct Diagnoser {
    let bytes: UnsafeBufferPointer<UInt8>
    let revealingValues: Bool
    var isJSON = true
    var hasBody = true
    var convertingKeys: ((String) -> String)?
    /// Before the last place, and near it.
    private var walk: DocumentWalk
    /// Made when a coding path is all that an error says of its place.
    private var search: Result<PathSearch, JSONSyntaxError>?

    init(_ bytes: UnsafeBufferPointer<UInt8>, revealingValues: Bool) {
        self.bytes = bytes
        self.revealingValues = revealingValues
        walk = DocumentWalk(bytes)
    }

    /// What a decoder's error says, with what stands in the document.
    mutating func diagnosis(of error: DecodingError) -> DecodingDiagnosis {
        let context = error.context
        var diagnosis = context.map { isJSON && hasBody ? described(error, $0) : bare(error, $0) }
        if revealingValues, let text = context?.debugDescription, !text.isEmpty {
            diagnosis?.message = VisibleText.of(text, max: 200)
        }
        diagnosis?.error = error
        return diagnosis ?? DecodingDiagnosis(kind: .malformed, expected: "a body that the decoder can read")
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
            // One that fails at a value has read the document, which may be more than JSON.
            guard case .dataCorrupted = error, context.codingPath.isEmpty else { return bare(error, context) }
            return diagnosis(of: PathSearch.excess(in: bytes) ?? syntax)
        }
    }

    /// The place itself where a decoder knows but one near: the object's or array's other end.
    private func exactOffset(of error: DecodingError, at offset: Int) -> Int {
        switch (error, bytes[offset]) {
        case (.keyNotFound, Byte.closeBrace):
            // What was looked for is known to be missing at the end.
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
        if let search { return search }
        let made: Result<PathSearch, JSONSyntaxError>
        do throws(JSONSyntaxError) {
            made = .success(try PathSearch(bytes, convertingKeys: convertingKeys))
        } catch {
            made = .failure(error)
        }
        search = made
        return made
    }
}

extension Diagnoser {
    /// A place in the document, and what is around it.
    struct Spot {
        let walk: DocumentWalk
        let offset: Int
        let snippet: String?

        /// The first byte of the value at the place, also where the place is inside of a text.
        var valueOffset: Int { walk.offset }
    }

    /// Goes to the place; up to the second one the document is known to be in order.
    mutating func spot(at offset: Int, orderedEnd: Int) -> Spot {
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
        return Spot(walk: near, offset: offset, snippet: snippet.text())
    }

    func diagnosis(
        _ difference: Difference,
        at spot: Spot,
        part: DocumentWalk.Part = .value,
    ) -> DecodingDiagnosis {
        var diagnosis = DecodingDiagnosis(difference, pointer: spot.walk.pointer(to: part))
        diagnosis.byteOffset = spot.offset
        (diagnosis.line, diagnosis.column) = spot.walk.position(of: spot.offset)
        diagnosis.snippet = spot.snippet
        return diagnosis
    }

    /// What differs, wherever it is.
    struct Difference {
        let kind: DecodingDiagnosis.Kind
        let expected: String
        var found: String?
    }
}

extension DecodingDiagnosis {
    init(_ difference: Diagnoser.Difference, pointer: String = "") {
        self.init(kind: difference.kind, pointer: pointer, expected: difference.expected, found: difference.found)
    }
}
