extension MappedRequest where R: PagedRequest {
    /// The pages of the list, which are requested as they are read; see ``PageSequence``.
    ///
    /// - Parameter cursor: Where to begin: the ``ListPage/next`` of a page that was read before, or the
    ///   ``CallContext/pageCursor`` of an error; `nil` begins with the first page.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func pages(from cursor: PageCursor? = nil) -> PageSequence<R, Mapped> {
        PageSequence(bound, from: cursor) { [map] in map($0) }
    }

    /// The items of the list, whose pages are requested as they are read; see ``ItemSequence``.
    ///
    /// - Parameter cursor: Where to begin, as for ``pages(from:)``.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func items(from cursor: PageCursor? = nil) -> ItemSequence<R, Mapped> { pages(from: cursor).items }
}

// The gate again, as on the client itself.
extension MappedClient {
    /// The pages of a list, which are requested as they are read; see ``PageSequence``.
    ///
    /// - Parameters:
    ///   - request: The request for the first page.
    ///   - cursor: Where to begin: the ``ListPage/next`` of a page that was read before, or the
    ///     ``CallContext/pageCursor`` of an error; `nil` begins with the first page.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, Mapped> where R.Access: OpenLevel {
        bind(request).pages(from: cursor)
    }

    /// The pages of a list whose request is of the client's own level.
    @_disfavoredOverload
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, Mapped> where R.Access == Level {
        bind(request).pages(from: cursor)
    }

    /// The pages of a list whose request is of the level below.
    @_disfavoredOverload
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, Mapped> where R.Access == Level.Includes {
        bind(request).pages(from: cursor)
    }

    /// The pages of a list whose request is of the level two below.
    @_disfavoredOverload
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, Mapped> where R.Access == Level.Includes.Includes {
        bind(request).pages(from: cursor)
    }
}

extension MappedClient {
    /// The items of a list, which are requested as they are read; see ``ItemSequence``.
    ///
    /// - Parameters:
    ///   - request: The request for the first page.
    ///   - cursor: Where to begin: the ``ListPage/next`` of a page that was read before, or the
    ///     ``CallContext/pageCursor`` of an error; `nil` begins with the first page.
    /// - Returns: The sequence; nothing is sent before it is read.
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, Mapped> where R.Access: OpenLevel {
        bind(request).items(from: cursor)
    }

    /// The items of a list whose request is of the client's own level.
    @_disfavoredOverload
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, Mapped> where R.Access == Level {
        bind(request).items(from: cursor)
    }

    /// The items of a list whose request is of the level below.
    @_disfavoredOverload
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, Mapped> where R.Access == Level.Includes {
        bind(request).items(from: cursor)
    }

    /// The items of a list whose request is of the level two below.
    @_disfavoredOverload
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, Mapped> where R.Access == Level.Includes.Includes {
        bind(request).items(from: cursor)
    }
}

@available(*, unavailable, message: "this client is not authorized for this request: use client.authorized(by:for:)")
extension MappedClient where Level == Public {
    /// Rejects a request that needs authorization on a client that has none.
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, Mapped> where R.Access == Authorized {
        MappedRequest(bound: BoundRequest(request: request, core: client.core), map: map).pages(from: cursor)
    }

    /// Rejects a request that needs authorization on a client that has none.
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, Mapped> where R.Access == Authorized {
        MappedRequest(bound: BoundRequest(request: request, core: client.core), map: map).items(from: cursor)
    }
}

@available(
    *,
    unavailable,
    message: "this client's level does not include what the request needs: authorized(by:for:as:)"
)
extension MappedClient {
    /// Rejects a request that needs more than the client's level includes.
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, Mapped> where R.Access.Includes.Includes.Includes == Public {
        MappedRequest(bound: BoundRequest(request: request, core: client.core), map: map).pages(from: cursor)
    }

    /// Rejects a request that needs more than the client's level includes.
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, Mapped> where R.Access.Includes.Includes.Includes == Public {
        MappedRequest(bound: BoundRequest(request: request, core: client.core), map: map).items(from: cursor)
    }
}

@available(
    *,
    unavailable,
    message: """
        constrain T.Access of a generic request (where T.Access: OpenLevel), or take a MappedRequest of it; \
        a level above the fourth has no client
        """
)
extension MappedClient {
    /// Rejects a generic request whose level is unknown.
    public func pages<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> PageSequence<R, Mapped> {
        MappedRequest(bound: BoundRequest(request: request, core: client.core), map: map).pages(from: cursor)
    }

    /// Rejects a generic request whose level is unknown.
    public func items<R: PagedRequest>(
        of request: R,
        from cursor: PageCursor? = nil,
    ) -> ItemSequence<R, Mapped> {
        MappedRequest(bound: BoundRequest(request: request, core: client.core), map: map).items(from: cursor)
    }
}
