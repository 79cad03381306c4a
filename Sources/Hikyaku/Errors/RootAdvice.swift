/// What a developer can do about a body that as a whole isn't what the request reads: often it is in an envelope.
enum RootAdvice {
    /// A hint that names the definition that reads the body; `nil` for the general one of the reason.
    static func hint<R: APIRequest>(
        for diagnosis: DecodingDiagnosis,
        _ response: BufferedResponse,
        of request: R.Type,
    ) -> String? {
        guard diagnosis.pointer.isEmpty, diagnosis.kind == .typeMismatch || diagnosis.kind == .missingKey else {
            return nil
        }
        let general = "The body as a whole has another form: change the request's Response, or its Definition."
        let fallback = diagnosis.kind == .typeMismatch ? general : nil
        guard let definition = R.Definition.self as? any WholeBodyDefinition.Type, response.decoder.readsJSON,
            let root = RootShape(of: response.body)
        else { return fallback }
        let model = "\(definition.modelType)"
        let element = (definition.modelType as? any ElementsType.Type)?.elementName
        switch (diagnosis.kind, root.kind, element) {
        case (.typeMismatch, .object, let element?): return hint(forElementsIn: root, element)
        case (.typeMismatch, .array, nil) where diagnosis.expected == "an object":
            return hint(forModelIn: root, model)
        case (.missingKey, .object, nil): return hint(forModelUnderKeyIn: root, model, diagnosis.error)
        default: return fallback
        }
    }

    /// An array was expected, and the root is an object.
    private static func hint(forElementsIn root: RootShape, _ element: String) -> String {
        let arrays = root.members.filter { $0.kind == .array }
        let outer = arrays.filter { $0.path.count == 1 }
        let found = outer.isEmpty ? arrays : outer
        guard let first = found.first else {
            return "The body is one object and has no array: if it is the model, write typealias Response = \(element)."
        }
        guard found.count == 1 else {
            let keys = found.prefix(3).map { "\"\(path(of: $0.path))\"" }.joined(separator: ", ")
            return "The body is an object with arrays under the keys \(keys)\(found.count > 3 ? " and others" : ""): "
                + "read one with KeyedResponse, or several with CombinedResponse."
        }
        let others = root.count > 1 && first.path.count == 1 ? " PageResponse reads the members beside it, too." : ""
        return "The body is an object whose key \"\(path(of: first.path))\" holds an array: "
            + definition("ArrayResponse<\(element)>", under: first.path) + others
    }

    /// A model was expected, and the root is an array.
    private static func hint(forModelIn root: RootShape, _ model: String) -> String {
        guard root.count == 1 else {
            return "The body is an array of \(root.count) elements: write typealias Response = [\(model)]."
        }
        return "The body is an array with one element: write typealias Definition = OnlyResponse<\(model)>, or "
            + "typealias Response = [\(model)] if there can be several."
    }

    /// The root lacks a key that an object in it has.
    private static func hint(
        forModelUnderKeyIn root: RootShape,
        _ model: String,
        _ error: DecodingError?,
    ) -> String? {
        guard case .keyNotFound(let key, _) = error else { return nil }
        let holders = root.members.filter { $0.path.count == 2 && $0.path[1] == key.stringValue }
        guard holders.count == 1, let holder = holders.first else { return nil }
        return "The key is in the object under \"\(holder.path[0])\": "
            + definition("SingleResponse<\(model)>", under: [holder.path[0]])
    }

    private static func definition(_ shape: String, under keys: [String]) -> String {
        let words = (keys.last ?? "").split { $0 == "_" || $0 == "-" }
        let key = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Key"
        return "write typealias Definition = KeyedResponse<\(key), \(shape)> with nonisolated enum \(key): ResponseKey "
            + "{ static let path = \"\(path(of: keys))\" }."
    }

    private static func path(of keys: [String]) -> String { keys.joined(separator: ".") }
}

/// A definition that reads the body as a whole as one type.
private protocol WholeBodyDefinition {
    static var modelType: any Any.Type { get }
}

extension Decoded: WholeBodyDefinition {
    static var modelType: any Any.Type { Result.self }
}

extension SingleResponse: WholeBodyDefinition {
    static var modelType: any Any.Type { Model.self }
}

extension ArrayResponse: WholeBodyDefinition {
    static var modelType: any Any.Type { [Model].self }
}

/// A type that is decoded from an array.
private protocol ElementsType {
    static var elementName: String { get }
}

extension Array: ElementsType {
    static var elementName: String { "\(Element.self)" }
}
