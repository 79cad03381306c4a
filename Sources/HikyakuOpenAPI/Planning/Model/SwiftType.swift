/// A type of Swift, as generated code uses it.
package indirect enum SwiftType: Sendable, Hashable {
    /// One of Swift, Foundation or Hikyaku, or of the user.
    case standard(String)
    /// A generated type, by its ``TypePlan/id``.
    case model(String)
    case array(SwiftType)
    /// A dictionary by texts.
    case dictionary(SwiftType)
    case optional(SwiftType)

    static let anything = SwiftType.standard("JSONValue")
    static let text = SwiftType.standard("String")

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The type that may be `nil`.
    var asOptional: SwiftType { isOptional ? self : .optional(self) }

    var withoutOptional: SwiftType {
        if case .optional(let type) = self { type } else { self }
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
