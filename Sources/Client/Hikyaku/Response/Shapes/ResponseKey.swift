import HikyakuBase

/// The path to a part of a document, as a type that a definition names.
///
/// ```swift
/// enum Starters: ResponseKey { static let path = "menu.starters" }
///
/// struct Menu: Shop.Request {
///     typealias Definition = KeyedResponse<Starters, ArrayResponse<Dish>>
///     var path: RequestPath { "/menu" }
/// }
/// ```
public protocol ResponseKey: SendableMetatype {
    /// Keys separated by dots, or a JSON Pointer: see ``ResponsePath``.
    static var path: String { get }
}

/// The keys that lead to a part of a document, outermost first: `data.items`.
///
/// ```swift
/// let path: ResponsePath = "data.items"     // the key "items" in the object under "data"
/// let other: ResponsePath = "/data.items"   // the key "data.items": a text with a slash is a JSON Pointer
/// ```
/// The keys are those of the document; a decoder's key strategy does not apply. A path without keys is the whole
/// document.
public struct ResponsePath: Sendable, Hashable {
    /// The keys, as in the document.
    public let keys: [String]
    /// Why the path is invalid.
    let problem: String?

    package init(_ text: String) {
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

    /// One key, which may contain any character.
    package init(key: String) {
        keys = [key]
        problem = nil
    }
}

extension ResponsePath: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Parses a path: keys separated by dots, or a JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)),
    /// which begins with a slash and can contain any key.
    ///
    /// A pointer can lead only through objects. A malformed path is reported when a request that uses it is sent,
    /// before anything is sent.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The path as a JSON Pointer.
    public var description: String { JSONPointer(tokens: keys).description }
}

/// A model with its own keys in an envelope.
///
/// ```swift
/// struct MenuItem: KeyedModel { var name: String }  // menu_item, menu_items
/// struct Person: KeyedModel { static let pluralKey = "people" }
/// ```
/// The keys are those of the document; a decoder's key strategy does not apply, and a dot in a key is a dot. The
/// default keys are derived from the type's name: see ``singleKey`` and ``pluralKey``.
public protocol KeyedModel: Decodable, SendableMetatype {
    /// The key of one model. Default: the type's name in snake case.
    ///
    /// `MenuItem` gives `menu_item`, `HTMLPage` gives `html_page`. Generic arguments and enclosing types are left out.
    /// It must be constant: the defaults are computed once for each type.
    static var singleKey: String { get }
    /// The key of an array of models. Default: the regular plural of ``singleKey``.
    ///
    /// `-y` after a consonant becomes `-ies`; `-s`, `-x`, `-z`, `-ch` and `-sh` take `-es`; all others take `-s`.
    /// Irregular plurals must be implemented.
    static var pluralKey: String { get }
}

extension KeyedModel {
    /// The type's name in snake case.
    public static var singleKey: String { ModelKeys.single(of: Self.self) }
    /// The regular plural of the single key.
    public static var pluralKey: String { ModelKeys.plural(of: Self.self) }
}

/// An optional model has the model's keys, and its key may be missing.
extension Optional: KeyedModel where Wrapped: KeyedModel {
    /// That of the model.
    public static var singleKey: String { Wrapped.singleKey }
    /// That of the model.
    public static var pluralKey: String { Wrapped.pluralKey }
}

/// The ``KeyedModel/singleKey`` of a model as a path in a document.
public enum _SingleKey<Model> {}

extension _SingleKey: ResponseKey where Model: KeyedModel {
    /// The key; a dot in it is a dot.
    public static var path: String { ResponsePath(key: Model.singleKey).description }
}

/// The ``KeyedModel/pluralKey`` of a model as a path in a document.
public enum _PluralKey<Model> {}

extension _PluralKey: ResponseKey where Model: KeyedModel {
    /// The key; a dot in it is a dot.
    public static var path: String { ResponsePath(key: Model.pluralKey).description }
}

/// The keys that are derived from type names, each computed once.
private enum ModelKeys {
    private static let singles = TypeCache<String>()
    private static let plurals = TypeCache<String>()

    static func single(of type: any KeyedModel.Type) -> String {
        singles.value(for: ObjectIdentifier(type)) { snakeCase(name(of: type)) }
    }

    static func plural(of type: any KeyedModel.Type) -> String {
        plurals.value(for: ObjectIdentifier(type)) { plural(of: type.singleKey) }
    }

    /// The type's own name, without its generic arguments and enclosing types.
    static func name(of type: any Any.Type) -> String {
        String(String(describing: type).prefix { $0 != "<" })
    }

    /// `MenuItem` gives `menu_item`, `HTMLPage` gives `html_page`: in a run of capitals, the last one starts a word if
    /// a lowercase letter follows.
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
