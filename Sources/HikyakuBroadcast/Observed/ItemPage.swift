import Hikyaku

/// A response that is one page of a list.
///
/// Arrays are, and a `ResponsePage` of them. An envelope of one's own says where its items are:
/// ```swift
/// extension SearchResult: ItemPage { var pageItems: [Dish] { results } }
/// ```
public protocol ItemPage {
    /// What the list is made of.
    associatedtype PageItem
    /// The page's items, in their order.
    var pageItems: [PageItem] { get }
}

extension Array: ItemPage {
    /// The array itself.
    public var pageItems: [Element] { self }
}

extension LossyArray: ItemPage {
    /// The elements that could be read.
    public var pageItems: [Element] { elements }
}

extension ResponsePage: ItemPage where Items: ItemPage {
    /// Those of the items.
    public var pageItems: [Items.PageItem] { items.pageItems }
}
