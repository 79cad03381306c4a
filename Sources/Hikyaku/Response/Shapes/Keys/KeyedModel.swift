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
