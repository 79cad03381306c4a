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
