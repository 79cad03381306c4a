import HikyakuBase

/// The place of a part in a document, given where it is used.
///
/// ```swift
/// enum Starters: ResponseKey { static let path = "menu.starters" }
/// typealias Definition = KeyedResponse<Starters, ArrayResponse<Dish>>
/// ```
public protocol ResponseKey {
    /// Keys with points between them, or a JSON Pointer: see ``ResponsePath``.
    static var path: String { get }
}

/// The keys that lead to a part of a document, from the outside inwards: `data.items`.
///
/// ```swift
/// let path: ResponsePath = "data.items"     // the key "items" in the object under "data"
/// let other: ResponsePath = "/data.items"   // the key "data.items": a text with a slash is a JSON Pointer
/// ```
/// The keys are the document's, whatever a decoder's key strategy makes of others. A path without keys is the document
/// as a whole.
public struct ResponsePath: Sendable, Hashable {
    /// The keys, as they are in the document.
    public let keys: [String]
    /// What is wrong with it, in words.
    let problem: String?

    /// Reads a path: keys with points between them, or a JSON Pointer
    /// ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)), which begins with a slash and can hold any key.
    ///
    /// A pointer leads through objects only. A malformed path is reported when a request that uses it is sent, and
    /// before anything is sent.
    public init(_ text: String) {
        if text.isEmpty {
            (keys, problem) = ([], nil)
        } else if text.hasBytePrefix("/") {
            keys = JSONPointer(text)?.tokens ?? []
            problem = keys.isEmpty ? "the path \"\(text)\" is not a JSON Pointer" : nil
        } else {
            keys = text.byteSplit(separator: ".", omittingEmptySubsequences: false).map(String.init)
            problem = keys.contains("") ? "the path \"\(text)\" has an empty key" : nil
        }
    }

    /// Makes a path of one key, whatever is in it.
    public init(key: String) {
        keys = [key]
        problem = nil
    }
}

extension ResponsePath: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Reads a path as ``init(_:)`` does.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The path as a JSON Pointer.
    public var description: String { JSONPointer(tokens: keys).description }
}

/// A model that knows the keys that it stands under in an envelope.
///
/// ```swift
/// struct MenuItem: KeyedModel { … }                    // menu_item, menu_items
/// struct Person: KeyedModel { static let pluralKey = "people" … }
/// ```
/// The keys are the document's, whatever a decoder's key strategy makes of others, and a point in one is a point. Those
/// that aren't written are made of the type's name: see ``singleKey`` and ``pluralKey``.
public protocol KeyedModel: Decodable {
    /// The key of one model. Default: the type's name in snake case.
    ///
    /// `MenuItem` gives `menu_item`, `HTMLPage` gives `html_page`. Generic arguments, and the types that it is nested
    /// in, are left out. It is constant: the defaults are made once for each type.
    static var singleKey: String { get }
    /// The key of an array of models. Default: the regular plural of ``singleKey``.
    ///
    /// `-y` after a consonant becomes `-ies`; `-s`, `-x`, `-z`, `-ch` and `-sh` take `-es`; all others take `-s`.
    /// Irregular words are written by hand.
    static var pluralKey: String { get }
}

extension KeyedModel {
    /// The type's name in snake case.
    public static var singleKey: String { ModelKeys.single(of: Self.self) }
    /// The regular plural of the single key.
    public static var pluralKey: String { ModelKeys.plural(of: Self.self) }
}

/// A model that may be `null` has the model's keys, and its key may be missing.
extension Optional: KeyedModel where Wrapped: KeyedModel {
    /// That of the model.
    public static var singleKey: String { Wrapped.singleKey }
    /// That of the model.
    public static var pluralKey: String { Wrapped.pluralKey }
}

/// The ``KeyedModel/singleKey`` of a model, as the place of one in a document.
public enum SingleKey<Model> {}

extension SingleKey: ResponseKey where Model: KeyedModel {
    /// The key; a point in it is a point.
    public static var path: String { ResponsePath(key: Model.singleKey).description }
}

/// The ``KeyedModel/pluralKey`` of a model, as the place of several in a document.
public enum PluralKey<Model> {}

extension PluralKey: ResponseKey where Model: KeyedModel {
    /// The key; a point in it is a point.
    public static var path: String { ResponsePath(key: Model.pluralKey).description }
}

/// The keys that are made of types' names, each once.
private enum ModelKeys {
    private struct Known: Sendable {
        var singles: [ObjectIdentifier: String] = [:]
        var plurals: [ObjectIdentifier: String] = [:]
    }

    private static let known = Lock(Known())

    static func single(of type: any KeyedModel.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let key = known.withLock({ $0.singles[identifier] }) { return key }
        let key = snakeCase(name(of: type))
        known.withLock { $0.singles[identifier] = key }
        return key
    }

    static func plural(of type: any KeyedModel.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let key = known.withLock({ $0.plurals[identifier] }) { return key }
        // Asked for outside of the lock: it is the user's code, or takes the lock itself.
        let key = plural(of: type.singleKey)
        known.withLock { $0.plurals[identifier] = key }
        return key
    }

    /// The type's own name, without its generic arguments and the types around it.
    static func name(of type: any Any.Type) -> String {
        String(String(describing: type).prefix { $0 != "<" })
    }

    /// `MenuItem` gives `menu_item`, `HTMLPage` gives `html_page`: of several capitals in a row, the last one begins a
    /// word if a small letter follows.
    private static func snakeCase(_ name: String) -> String {
        let characters = Array(name)
        var key = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let previous = characters[index - 1]
                let isLast = index + 1 == characters.count
                let endsAcronym = previous.isUppercase && !isLast && characters[index + 1].isLowercase
                if previous != "_", !previous.isUppercase || endsAcronym { key += "_" }
            }
            key += character.lowercased()
        }
        return key
    }

    static func plural(of word: String) -> String {
        if word.hasSuffix("y"), let letter = word.dropLast().last, letter.isLetter, !"aeiouAEIOU".contains(letter) {
            return word.dropLast() + "ies"
        }
        let takesSyllable = ["s", "x", "z", "ch", "sh"].contains { word.hasSuffix($0) }
        return word + (takesSyllable ? "es" : "s")
    }
}
