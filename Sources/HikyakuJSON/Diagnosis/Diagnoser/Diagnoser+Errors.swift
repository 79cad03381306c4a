extension Diagnoser {
    /// What an error says of the value that begins at a place, or of the array that ends there.
    mutating func diagnosis(
        of error: DecodingError,
        _ context: DecodingError.Context,
        at offset: Int,
    ) -> DecodingDiagnosis {
        let spot = spot(at: offset, orderedEnd: bytes.count)
        let part = spot.walk.elementsAtEnd == nil ? DocumentWalk.Part.value : .end
        return diagnosis(difference(error, context, at: spot), at: spot, part: part)
    }

    /// What an error says that has but a coding path, where that leads.
    mutating func diagnosis(
        of error: DecodingError,
        _ context: DecodingError.Context,
        at outcome: PathSearch.Outcome,
    ) -> DecodingDiagnosis {
        if isOfNoJSON(context), let syntax = PathSearch.excess(in: bytes) { return diagnosis(of: syntax) }
        if let difference = placeless(error, context) { return DecodingDiagnosis(difference) }
        switch (outcome, error) {
        case (.value(let offset), _) where agrees(error, context, with: offset),
            (.arrayEnd(let offset), .valueNotFound), (.arrayEnd(let offset), .dataCorrupted):
            return diagnosis(of: error, context, at: offset)
        case (.stop(let offset, let key), .dataCorrupted):
            let spot = spot(at: offset, orderedEnd: bytes.count)
            var difference = difference(error, context, at: spot)
            let name = key.intValue.map { "at the index \($0)" } ?? "under the key \(Self.quoted(key))"
            difference = Difference(
                kind: difference.kind,
                expected: "\(difference.expected) \(name)",
                found: ObjectKeys(bytes, at: offset)?.words ?? difference.found,
            )
            return diagnosis(difference, at: spot)
        default:
            // The error is of another document: of one inside of a text, say.
            return bare(error, context)
        }
    }

    /// Whether what stands at the place can be what the error is about.
    private func agrees(_ error: DecodingError, _ context: DecodingError.Context, with offset: Int) -> Bool {
        switch error {
        case .keyNotFound: bytes[offset] == Byte.openBrace
        case .valueNotFound: bytes[offset] == UInt8(ascii: "n")
        case .typeMismatch: ErrorWords.found(in: context.debugDescription).map { $0 == kindWords(at: offset) } ?? true
        default: true
        }
    }

    /// Whether it is what Foundation's decoder says of what is none, and also of numbers.
    private func isOfNoJSON(_ context: DecodingError.Context) -> Bool {
        context.codingPath.isEmpty && context.debugDescription.hasPrefix("The given data was not valid JSON")
    }

    /// Foundation's decoder says of a number that doesn't fit only that there is one somewhere.
    private func placeless(_ error: DecodingError, _ context: DecodingError.Context) -> Difference? {
        guard case .dataCorrupted = error, isOfNoJSON(context) else { return nil }
        return Difference(
            kind: .invalidValue,
            expected: "values that their types can hold",
            found: "a number beyond its range or with a fraction, whose place the decoder doesn't say",
        )
    }
}

extension Diagnoser {
    /// What differs at a place; without one, what an error says by itself.
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
                found: keys?.words ?? "an object without it",
            )
        case .valueNotFound(let type, _):
            return Difference(
                kind: .missingValue,
                expected: ErrorWords.name(of: type),
                found: found ?? "null or the end of an array",
            )
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
            // Foundation's decoder names the container of a date that is none.
            let kind = kindWords(at: spot.valueOffset)
            let isAround =
                expectation == nil && ErrorWords.isOfText(words) && (kind == "an object" || kind == "an array")
            let found = isAround ? kind.map { "\($0) with a string that is none" } : self.words(at: spot)
            return Difference(kind: .invalidValue, expected: words, found: found)
        case nil:
            return Difference(kind: .invalidValue, expected: "another value", found: words(at: spot))
        }
    }

    /// A value that isn't of the type, or a number that the type can't hold.
    private func difference(from type: any Any.Type, _ kind: DecodingDiagnosis.Kind, at spot: Spot) -> Difference {
        let expected = ErrorWords.name(of: type)
        guard let number = number(at: spot.valueOffset), let fault = NumberFault(of: number, for: expected) else {
            return Difference(kind: kind, expected: expected, found: words(at: spot))
        }
        let shown = revealingValues ? "\(numberWords(number))," : "a number"
        let which = revealingValues ? "which" : "that"
        return switch fault {
        case .range(let range):
            Difference(
                kind: .outOfRange,
                expected: expected,
                found: "\(shown) \(which) is beyond its range (\(range))",
            )
        case .fraction:
            Difference(kind: kind, expected: expected, found: "\(shown) \(which) has a fraction")
        case .form:
            Difference(kind: kind, expected: expected, found: "\(shown) \(which) isn't written as it has to be")
        }
    }

    /// What the standard library says of keys, which it calls a type's mismatch.
    private func keyDifference(
        _ type: any Any.Type,
        _ context: DecodingError.Context,
        at spot: Spot,
    ) -> Difference? {
        if context.debugDescription.hasPrefix("Expected Int key but found"), let key = context.codingPath.last {
            return Difference(
                kind: .typeMismatch,
                expected: "a key that is an integer",
                found: "the key \(Self.quoted(key))",
            )
        }
        guard context.debugDescription.hasPrefix("Invalid number of keys found, expected one") else { return nil }
        return Difference(
            kind: .typeMismatch,
            expected: "\(ErrorWords.name(of: type)) as an object with one key, that of a case",
            found: ObjectKeys(bytes, at: spot.valueOffset)?.words ?? words(at: spot),
        )
    }

    private static func quoted(_ key: any CodingKey) -> String { "\"\(VisibleText.of(key.stringValue, max: 100))\"" }
}

extension Diagnoser {
    /// What an error says by itself, where the body is none of ours or says nothing more.
    func bare(_ error: DecodingError, _ context: DecodingError.Context) -> DecodingDiagnosis {
        let pointer = DocumentWalk.pointer(to: context.codingPath)
        return DecodingDiagnosis(difference(error, context, at: nil), pointer: pointer)
    }

    private func bareCorruption(_ context: DecodingError.Context) -> Difference {
        if case .words(let words) = context.underlyingError as? JSONExpectation
            ?? ErrorWords.expectation(in: context.debugDescription)
        {
            return Difference(kind: .invalidValue, expected: words)
        }
        guard context.codingPath.isEmpty, hasBody else {
            return Difference(kind: .invalidValue, expected: "another value")
        }
        if bytes.allSatisfy(Byte.isSpace) {
            return Difference(kind: .empty, expected: "a document", found: "an empty body")
        }
        return Difference(
            kind: .malformed,
            expected: "a document that the decoder can read",
            found: "\(bytes.count) bytes that it can't",
        )
    }
}
