/// A type of Swift, as generated code uses it.
package indirect enum SwiftType: Sendable, Hashable {
    /// One of Swift, Foundation or Hikyaku, or of the user.
    case standard(Code)
    /// A generated type, by its ``TypePlan/id``.
    case model(String)
    case array(SwiftType)
    /// A dictionary by texts.
    case dictionary(SwiftType)
    case optional(SwiftType)

    static let anything = SwiftType.standard("JSONValue")
    static let secret = SwiftType.standard("Secret<String>")
    static let text = SwiftType.standard("String")

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The type that may be `nil`.
    var asOptional: SwiftType { isOptional ? self : .optional(self) }

    var withoutOptional: SwiftType {
        if case .optional(let type) = self { type } else { self }
    }

    /// Whether it is a list of anything, or of lists of anything.
    var isOfAnything: Bool {
        if case .array(let element) = self { element == .anything || element.isOfAnything } else { false }
    }

    /// The expression of a value for a text, where a secret is revealed.
    func revealed(_ value: Code) -> Code {
        guard withoutOptional == .secret else { return value }
        return isOptional ? "\(value)?.reveal()" : "\(value).reveal()"
    }

    /// The generated types in it, in arrays and dictionaries as well.
    var models: [String] {
        switch self {
        case .standard: []
        case .model(let id): [id]
        case .array(let type), .dictionary(let type), .optional(let type): type.models
        }
    }

    /// The generated type that is stored in place, so that it must not contain this one.
    var storedModel: String? {
        switch self {
        case .model(let id): id
        case .optional(let type): type.storedModel
        case .standard, .array, .dictionary: nil
        }
    }
}
