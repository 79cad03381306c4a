import HikyakuBase

/// A function that `APIRequest` calls, as a type has to declare it.
struct RequestFunction: Sendable {
    /// The name with its labels: `prepare(_:)`.
    let name: String
    /// The right declaration.
    let declaration: String
    private let allowsThrows: Bool
    private let allowsAsync: Bool

    private init(_ name: String, _ declaration: String, allowsThrows: Bool = false, allowsAsync: Bool = false) {
        (self.name, self.declaration) = (name, declaration)
        (self.allowsThrows, self.allowsAsync) = (allowsThrows, allowsAsync)
    }

    static let all = [
        RequestFunction("prepare(_:)", "func prepare(_ request: inout HTTPRequest) throws", allowsThrows: true),
        RequestFunction("accepts(_:)", "func accepts(_ status: HTTPStatus) -> Bool"),
        RequestFunction("failure(in:)", "func failure(in response: BufferedResponse) -> Failure?"),
        RequestFunction(
            "response(from:)",
            "func response(from response: BufferedResponse) async throws -> Response",
            allowsThrows: true,
            allowsAsync: true,
        ),
        RequestFunction("fallback(for:)", "func fallback(for error: APIError<Failure>) -> Response?"),
    ]

    /// The function that one with a similar name, or another label, is probably meant to be.
    ///
    /// Its parameter has the type of that function: `accept(_ status: HTTPStatus)`, but not `accept(_ offer: Offer)`.
    ///
    /// - Parameters:
    ///   - name: The name with its labels.
    ///   - text: The declaration.
    /// - Returns: The function; `nil` for one that has its name, and for one of the type's own.
    static func meant(by name: String, _ text: String) -> RequestFunction? {
        guard let written = FunctionDeclaration(text), !written.isGeneric, !all.contains(where: { $0.name == name }),
            !NameUses.parts(of: name).label.isEmpty
        else { return nil }
        let candidates = all.filter { function in
            guard let own = FunctionDeclaration(function.declaration) else { return false }
            return written.type == own.type && (written.isInOut || !own.isInOut)
        }
        let (base, bases) = (NameUses.parts(of: name).name, candidates.map { NameUses.parts(of: $0.name).name })
        let meant = bases.contains(base) ? base : Spelling.suggestion(for: base, among: bases)
        guard let meant, meant.first == base.lowercased().first else { return nil }
        return candidates.first { NameUses.parts(of: $0.name).name == meant }
    }

    enum Fit { case right, ignored, unclear }

    /// Whether a request calls a function with this name and another declaration.
    ///
    /// Another type of a parameter is an error of the compiler in most functions, or another name of the right one.
    func fit(_ text: String) -> Fit {
        guard let written = FunctionDeclaration(text), let own = FunctionDeclaration(declaration), !written.isGeneric
        else { return .unclear }
        let isOtherType = written.type != own.type
        // What prepares anything but a request is a function of the type's own.
        if isOtherType, name != "response(from:)", name != "prepare(_:)" || !written.type.hasSuffix("Request") {
            return .unclear
        }
        let isRight =
            !isOtherType && written.isInOut == own.isInOut && !written.isMutating
            && (allowsThrows || !written.throwsErrors) && (allowsAsync || !written.isAsync)
            && (own.hasResult || !written.hasResult)
        return isRight ? .right : .ignored
    }
}

/// The parts of a function's declaration with a single parameter.
private struct FunctionDeclaration {
    private(set) var isMutating = false
    private(set) var isGeneric = false
    private(set) var isInOut = false
    /// The parameter's type, without outer types and generic arguments.
    private(set) var type = ""
    private(set) var isAsync = false
    private(set) var throwsErrors = false
    private(set) var hasResult = false

    /// - Parameter text: `func accepts(_ status: HTTPStatus) -> Bool`, as the compiler writes it.
    init?(_ text: String) {
        guard let keyword = text.firstRange(of: "func "), let open = text[keyword.upperBound...].firstIndex(of: "("),
            let close = Self.end(of: text[open...]),
            let colon = text[open..<close].firstIndex(of: ":")
        else { return nil }
        isMutating = text[..<keyword.lowerBound].split(separator: " ").contains("mutating")
        var words = text[text.index(after: colon)..<close].split(separator: " ")
        isInOut = words.contains("inout")
        words.removeAll { Self.modifiers.contains($0) }
        isGeneric = text[keyword.upperBound..<open].contains("<") || words.first == "some"
        let name = (words.first ?? "").prefix { $0 != "<" && $0 != "?" }
        type = name.split(separator: ".").last.map(String.init) ?? ""
        let tail = text[text.index(after: close)...]
        let arrow = tail.firstRange(of: "->")
        let effects = tail[..<(arrow?.lowerBound ?? tail.endIndex)].split(separator: " ")
        isAsync = effects.contains("async")
        throwsErrors = effects.contains { $0.hasPrefix("throws") && $0 != "throws(Never)" }
        let result = arrow.map { tail[$0.upperBound...].split(separator: " ").first ?? "" }
        hasResult = result.map { $0 != "()" && $0 != "Void" } ?? false
    }

    private static let modifiers: Set<Substring> = [
        "inout", "borrowing", "consuming", "sending", "__shared", "__owned",
    ]

    /// The index of the parenthesis that closes the first one.
    private static func end(of text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
