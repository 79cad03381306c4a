/// How a value is written into a query, a path or a field.
package struct ValueForm: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// By itself.
        case plain
        /// A list in a `QueryListStyle`.
        case list(String)
        /// As it is encoded, an object in a `QueryObjectStyle`; `nil` is the usual one.
        case encoded(String?)
        /// As JSON text.
        case json
    }

    package var kind = Kind.plain
    package var allowsReserved = false
    /// The `PathValueStyle`; `nil` for a value that is a segment by itself.
    package var pathStyle: String?
    /// Whether the members of an object are written as `key=value` in a header field.
    package var isExploded = false

    /// The expression that writes a value.
    func source(_ value: String, isOptional: Bool) -> String {
        let source =
            switch kind {
            case .plain: value
            case .list(let style): ".list(\(value), \(style))"
            case .encoded(let style): ".encoded(\(value)\(style.map { ", " + $0 } ?? ""))"
            case .json: isOptional ? "\(value).map { QueryItemValue.json($0) }" : ".json(\(value))"
            }
        return allowsReserved ? ".allowingReserved(\(source))" : source
    }
}
