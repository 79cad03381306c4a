import HikyakuBase

extension PlaceSearch {
    /// Makes the tries, and says where inputs have become code.
    ///
    /// The files that a changed input becomes are checked, and compared with those of the same place with a harmless
    /// text (`Try.harmless`): apart from comments, names and the content of literals, they must have as many tokens of
    /// each kind. A description changes no token, so that their order must be the same, too.
    ///
    /// - Parameters:
    ///   - ways: How many ways of writing go by turns, by the number of a try.
    ///   - dividers: The signs by which the format divides all its texts, so that harmless texts have them, too.
    ///   - code: The files that a changed input becomes, in the way that the try's number says; none if it is refused.
    /// - Returns: What is wrong, by place.
    package func findingsInCode(
        ways: Int = 1,
        dividers: String = "",
        _ code: @escaping @Sendable (JSONTree, Try) -> [CodeCheck.File],
    ) async -> Findings {
        let known = KnownShapes()
        let tree = tree
        return await findings { changed, attempt in
            let files = code(changed, attempt)
            let faults = CodeCheck(files).faults
            guard faults.isEmpty, !files.isEmpty else { return faults }
            let shape = CodeShape(of: files)
            var nearest: CodeShape?
            for harmless in attempt.harmless(dividers) {
                let other = known.shape(harmless, way: attempt.number % ways) {
                    CodeShape(of: code(harmless.applied(to: tree), harmless))
                }
                if attempt.place.isDescription ? shape == other : shape.counts == other.counts { return [] }
                if nearest.map({ shape.distance(to: other) < shape.distance(to: $0) }) ?? true { nearest = other }
            }
            return ["other tokens than with a harmless text: \(shape.difference(to: nearest ?? CodeShape(of: [])))"]
        }
    }

    /// The shapes of harmless inputs; few are kept, since the tries at one place come one after another.
    private final class KnownShapes: Sendable {
        private struct Key: Hashable {
            var place: String
            var text: String
            var isRenamed: Bool
            var way: Int
        }

        private let shapes = Lock<[Key: CodeShape]>([:])
        private static let countMax = 200

        func shape(_ harmless: Try, way: Int, _ make: () -> CodeShape) -> CodeShape {
            let place = harmless.place.pointer
            let key = Key(place: place, text: harmless.text, isRenamed: harmless.isRenamed, way: way)
            if let shape = shapes.withLock({ $0[key] }) { return shape }
            let shape = make()
            shapes.withLock {
                if $0.count >= Self.countMax { $0 = [:] }
                $0[key] = shape
            }
            return shape
        }
    }
}

extension PlaceSearch.Try {
    /// Tries at the same place with texts that can't become code; what the text becomes has the tokens of one of them.
    ///
    /// There are several since some places distinguish texts. This is all that a text may change:
    /// - Its words become a name, which may be another's, a keyword, or too long: the same words.
    /// - Some signs are words of names: the same signs, and the word for the asterisk.
    /// - What is refused or without effect is left out, or what is there without it is used: no text, the usual one.
    /// - In a path or a URL, what is in braces is a parameter: the same words with the same braces.
    /// - A media type with an asterisk is a range.
    /// - A default that is too wide for a line is left out: a text of the same width.
    fileprivate func harmless(_ dividers: String) -> [Self] {
        if place.isDescription { return [with(place.text)] }
        var texts = [" harmless name", "harmless"] + payload.harmlessTexts() + [""] + payload.harmlessTexts("+-<=>%&")
        texts.append(payload.harmlessTextOfSameWidth)
        let named = Payload(name: "", text: payload.text.replacing("*", with: " Star "))
        texts += named.harmlessTexts("+-<=>%&")
        // A name is in templates, too, and is renamed there.
        let templates = place.isTemplate || isRenamed ? ["{}/", "{}/?#", "{}/#&;"] : []
        for dividers in [dividers] + templates.map({ dividers + $0 }) where !dividers.isEmpty {
            texts += payload.harmlessTexts(dividers)
        }
        if place.isMediaType { texts.append("a*") }
        // A keyword is not a measure of itself; its letters are, which may be options of a command line.
        texts = texts.map { $0 == payload.text && $0.allSatisfy(\.isLetter) ? String($0.sorted()) : $0 }
        let (appended, alone) = (texts.map { with(place.text + $0) }, texts.map { with($0) })
        return isAppended ? appended + alone : alone + appended
    }

    private func with(_ text: String) -> Self {
        var result = self
        (result.payload, result.isAppended) = (Payload(name: "harmless", text: text), false)
        return result
    }
}
