#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a developer can do about a body that as a whole isn't what the request reads: often it is in an envelope.
enum RootAdvice {
    private static let general =
        "The body as a whole has another form: change the request's Response, or its Definition."

    /// A hint that names the definition that reads the body; `nil` for the general one of the reason.
    static func hint<R: APIRequest>(
        for diagnosis: DecodingDiagnosis,
        _ response: BufferedResponse,
        of request: R.Type,
    ) -> String? {
        if diagnosis.pointer.isEmpty, diagnosis.kind == .missingValue {
            return "The body as a whole is null: make the request's Response optional if it can be."
        }
        guard diagnosis.pointer.isEmpty, diagnosis.kind == .typeMismatch || diagnosis.kind == .missingKey else {
            return nil
        }
        let fallback = diagnosis.kind == .typeMismatch ? general : nil
        guard response.decoder.readsJSON else { return fallback }
        // An error without an offset is that of another document, such as one inside a string.
        guard diagnosis.byteOffset != nil else { return nil }
        guard let definition = R.Definition.self as? any WholeBodyDefinition.Type,
            let root = RootShape(of: response.body)
        else { return fallback }
        let model = name(of: definition.modelType)
        let element = (definition.modelType as? any ElementsType.Type)?.elementName
        switch (diagnosis.kind, root.kind, element) {
        case (.typeMismatch, .object, let element?): return hint(forElementsIn: root, element)
        case (.typeMismatch, .array, nil) where diagnosis.expected == "an object":
            return hint(forModelIn: root, model)
        case (.missingKey, .object, nil):
            guard case .keyNotFound(let key, _)? = diagnosis.error else { return nil }
            return hint(forModelWith: key.stringValue, in: root, model, response.decoder.knownKeyConversion)
        default: return fallback
        }
    }

    /// An array was expected, and the root is an object.
    private static func hint(forElementsIn root: RootShape, _ element: String) -> String {
        let found = outermost(root.members.filter { $0.kind == .array })
        guard let first = found.first else {
            guard !root.hasArray else { return general }
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

    /// The root lacks a key that an object in it has, as the document or the decoder's key strategy spells it.
    private static func hint(
        forModelWith key: String,
        in root: RootShape,
        _ model: String,
        _ convertingKeys: ((String) -> String)?,
    ) -> String? {
        let holders = root.members.filter { member in
            guard member.path.count > 1, let last = member.path.last else { return false }
            return last == key || convertingKeys?(last) == key
        }
        let found = outermost(holders)
        guard found.count == 1, let holder = found.first?.path.dropLast() else { return nil }
        return "The key is in the object under \"\(path(of: Array(holder)))\": "
            + definition("SingleResponse<\(model)>", under: Array(holder))
    }

    /// Those of the outermost objects.
    private static func outermost(_ members: [RootShape.Member]) -> [RootShape.Member] {
        let depth = members.map(\.path.count).min()
        return members.filter { $0.path.count == depth }
    }

    private static func definition(_ shape: String, under keys: [String]) -> String {
        let key = keyType(of: keys.last ?? "")
        return "write typealias Definition = KeyedResponse<\(key), \(shape)> with enum \(key): ResponseKey "
            + "{ static let path = \"\(path(of: keys))\" }."
    }

    /// The name of a type for a key: `SearchResultsKey` for `search_results`, and `Body1stKey` for `_1st`.
    private static func keyType(of key: String) -> String {
        let words = key.split { $0 == "_" || $0 == "-" }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return (name.first?.isLetter == true ? "" : "Body") + name + "Key"
    }

    private static func path(of keys: [String]) -> String { keys.joined(separator: ".") }

    /// A type's name with its enclosing types, as code in its module spells it.
    fileprivate static func name(of type: any Any.Type) -> String { String(reflecting: type).withoutModule }
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
    static var elementName: String { RootAdvice.name(of: Element.self) }
}
