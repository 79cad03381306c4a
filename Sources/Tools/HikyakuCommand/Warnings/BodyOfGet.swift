/// Finds requests that have a body and the method GET, most of which lack their method.
///
/// Both facts must be certain: a stored property may have another value in each instance.
struct BodyOfGetFinder {
    let values: ValueReader
    /// The requests.
    let types: [ConstType]
    /// The source files that are listed, with their modules.
    let sources: [String: String]

    func found() -> [MisspelledName] {
        types.compactMap { type in
            let (method, body) = (values.method(of: type), values.body(of: type))
            guard sources[type.file] != nil, method.value == "GET", method.origin != .initial,
                let kind = body.value, kind != "none", body.origin != .initial
            else { return nil }
            let finder = values.finder
            let path = finder.symbols.symbol(of: type)?.path ?? Array(TypeName.components(of: type.name).dropFirst())
            let location = finder.find(.body, in: type).location.flatMap { sources[$0.file] == nil ? nil : $0 }
            return MisspelledName(
                kind: .body,
                name: "body",
                meant: method.origin == .default ? "method" : "another method",
                type: path.joined(separator: "."),
                file: location?.file ?? type.file,
                line: location?.line ?? type.line,
            )
        }
    }
}
