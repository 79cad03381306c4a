/// How a value is written into a query, a path or a field.
package struct ValueForm: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// By itself.
        case plain
        /// A list in a `QueryListStyle`.
        case list(Code)
        /// As it is encoded, an object in a `QueryObjectStyle`; `nil` is the usual one.
        case encoded(Code?)
        /// As JSON text.
        case json
    }

    package var kind = Kind.plain
    package var allowsReserved = false
    /// The `PathValueStyle`; `nil` for a value that is a segment by itself.
    package var pathStyle: Code?
    /// Whether the members of an object are written as `key=value` in a header field.
    package var isExploded = false

    /// The expression that writes a value.
    func source(_ value: Code, isOptional: Bool) -> Code {
        let source: Code =
            switch kind {
            case .plain: value
            case .list(let style): ".list(\(value), \(style))"
            case .encoded(let style): style.map { ".encoded(\(value), \($0))" } ?? ".encoded(\(value))"
            case .json: isOptional ? "\(value).map { QueryItemValue.json($0) }" : ".json(\(value))"
            }
        return allowsReserved ? ".allowingReserved(\(source))" : source
    }
}
