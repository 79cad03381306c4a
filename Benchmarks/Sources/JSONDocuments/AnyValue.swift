/// A value of any kind, that finds out which by trying one after another, as types for documents without one do.
public enum AnyValue: Decodable, Hashable, Sendable {
    case none
    case boolean(Bool)
    case integer(Int)
    case double(Double)
    case text(String)
    case array([AnyValue])
    case object([String: AnyValue])

    /// Tries all kinds in turn.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([AnyValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyValue].self))
        }
    }
}
