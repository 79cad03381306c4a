extension BoundRequest where R: PagedRequest {
    /// The pages of the list, which are requested as they are read; see ``PageSequence``.
    ///
    /// - Parameter cursor: Where to begin: the ``ListPage/next`` of a page that was read before, or the
    ///   ``CallContext/pageCursor`` of an error; `nil` begins with the first page.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func pages(from cursor: PageCursor? = nil) -> PageSequence<R, APIError<R.Failure>> {
        PageSequence(self, from: cursor) { $0 }
    }

    /// The items of the list, whose pages are requested as they are read; see ``ItemSequence``.
    ///
    /// - Parameter cursor: Where to begin, as for ``pages(from:)``.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func items(from cursor: PageCursor? = nil) -> ItemSequence<R, APIError<R.Failure>> {
        pages(from: cursor).items
    }
}

extension MappedRequest where R: PagedRequest {
    /// The pages of the list, which are requested as they are read; see ``PageSequence``.
    ///
    /// - Parameter cursor: Where to begin, as for ``BoundRequest/pages(from:)``.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func pages(from cursor: PageCursor? = nil) -> PageSequence<R, Mapped> {
        PageSequence(bound, from: cursor) { [map] in map($0) }
    }

    /// The items of the list, whose pages are requested as they are read; see ``ItemSequence``.
    ///
    /// - Parameter cursor: Where to begin, as for ``BoundRequest/pages(from:)``.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func items(from cursor: PageCursor? = nil) -> ItemSequence<R, Mapped> { pages(from: cursor).items }
}

// Former names of clients.
extension APIClient {
    /// Unavailable: write `client.bind(request).pages()`.
    @available(*, unavailable, renamed: "bind(_:)", message: "write client.bind(request).pages()")
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, APIError<R.Failure>> {
        BoundRequest(request: request, core: core).pages(from: cursor)
    }

    /// Unavailable: write `client.bind(request).items()`.
    @available(*, unavailable, renamed: "bind(_:)", message: "write client.bind(request).items()")
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, APIError<R.Failure>> {
        BoundRequest(request: request, core: core).items(from: cursor)
    }
}
