/// Items of a page, and what the service says of the page: how many there are, where the next one is.
public struct ResponsePage<Items, Info> {
    /// What is on the page.
    public var items: Items
    /// What is said of it.
    public var info: Info

    /// Makes a page, for tests and stubs.
    public init(items: Items, info: Info) {
        self.items = items
        self.info = info
    }
}

extension ResponsePage: Sendable where Items: Sendable, Info: Sendable {}
extension ResponsePage: Equatable where Items: Equatable, Info: Equatable {}
extension ResponsePage: Hashable where Items: Hashable, Info: Hashable {}
