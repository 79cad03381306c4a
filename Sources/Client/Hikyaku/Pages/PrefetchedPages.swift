import HikyakuBase

/// Requests the pages of one walk ahead of its reader.
///
/// Each page has its own task, which waits for the one before it. The last task of the queue is the one that the next
/// is chained to, so there is always at most one request in flight.
final class PrefetchedPages<R: PagedRequest>: Sendable {
    /// Returns `nil` if the list ends before the page.
    private typealias PageTask = Task<ListPage<R>?, any Error>

    private struct State {
        /// The tasks of the pages that were not read, in order.
        var tasks: [PageTask] = []
        /// The number of pages that may still be requested.
        var left: Int
        var isCancelled = false
    }

    private let source: PageSource<R>
    private let count: Int
    private let state: Lock<State>

    init(_ source: PageSource<R>, _ options: PageOptions<R.Response.PageItem>) {
        self.source = source
        count = options.prefetchCount
        state = Lock(State(left: options.pagesMax))
    }

    deinit {
        for task in state.withLock(\.tasks) { task.cancel() }
    }

    /// The next page, whose position is known to the reader.
    func page(at cursor: PageCursor?) async throws(APIError<R.Failure>) -> ListPage<R> {
        let task = takeTask(at: cursor)
        do {
            let page = try await CallCancellation.withHandler {
                try await task.value
            } onCancel: {
                task.cancel()
                self.cancel()
            }
            if let page { return page }
            throw source.error(.lostPage, "a page that was announced was not requested", at: cursor)
        } catch let error as APIError<R.Failure> {
            throw error
        } catch {
            throw source.error(.cancelled, "the caller cancelled the walk", at: cursor)
        }
    }

    /// Ends all requests.
    func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    /// The task of the next page; those of the pages after it are started.
    ///
    /// Only the reader calls it, one call at a time.
    private func takeTask(at cursor: PageCursor?) -> PageTask {
        let (started, left) = state.withLock { ($0.tasks, $0.isCancelled ? 0 : $0.left) }
        let isFirst = started.isEmpty
        var tasks = isFirst ? [start(after: nil, cursor)] : started
        while tasks.count <= count, tasks.count - started.count < left { tasks.append(start(after: tasks.last, nil)) }
        let (added, rest) = (tasks.count - started.count, Array(tasks.dropFirst()))
        let isCancelled = state.withLock { state in
            state.tasks = rest
            state.left -= min(added, state.left)
            return state.isCancelled
        }
        if isCancelled { for task in rest { task.cancel() } }
        return tasks[0]
    }

    /// Starts the task of the page after that of another task, or of the page at a position.
    private func start(after previous: PageTask?, _ cursor: PageCursor?) -> PageTask {
        let source = source
        // As with a call that is started: it doesn't end with a call that it is started in, but with its reader.
        return CallCancellation.$scope.withValue(nil) {
            UnstructuredTask.startThrowing {
                guard let previous else { return try await source.page(at: cursor) }
                guard let next = try await previous.value?.next else { return nil }
                return try await source.page(at: next)
            }
        }
    }
}
