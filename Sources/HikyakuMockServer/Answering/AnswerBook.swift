import HikyakuHTTP

/// What decides how a request is answered: the queue, then the routes, then the handler for everything else.
final class AnswerBook: Sendable {
    private struct Route {
        let method: HTTPMethod
        let pattern: RoutePattern
        let handler: MockServer.Handler
    }

    private struct State {
        var queue: [MockAnswer] = []
        var routes: [Route] = []
        var fallback: MockServer.Handler?
    }

    private static let routesShownMax = 100

    private let state: Lock<State>

    init(fallback: MockServer.Handler?) {
        state = Lock(State(fallback: fallback))
    }

    func enqueue(_ answers: [MockAnswer]) {
        state.withLock { $0.queue.append(contentsOf: answers) }
    }

    func addRoute(_ method: HTTPMethod, _ pattern: RoutePattern, _ handler: @escaping MockServer.Handler) {
        let route = Route(method: method, pattern: pattern, handler: handler)
        state.withLock { state in
            if let same = state.routes.firstIndex(where: { $0.method == method && $0.pattern == pattern }) {
                return state.routes[same] = route
            }
            let place = state.routes.firstIndex { pattern.precedes($0.pattern) }
            state.routes.insert(route, at: place ?? state.routes.count)
        }
    }

    /// Lets go of all handlers, which may hold the server that holds them.
    func clear() {
        var old = State()
        state.withLock { swap(&$0, &old) }
    }

    /// The request with its parameters, and what answers it.
    func resolve(_ request: MockRequest) -> (MockRequest, MockServer.Handler) {
        state.withLock { state in
            if !state.queue.isEmpty {
                let answer = state.queue.removeFirst()
                return (request, { _ in answer })
            }
            if let (route, parameters) = route(for: request, in: state.routes) {
                var request = request
                request.parameters = parameters
                return (request, route.handler)
            }
            if let fallback = state.fallback { return (request, fallback) }
            let text = notFoundText(request, state.routes)
            return (request, { _ in .text(text, status: .notFound) })
        }
    }

    private func route(for request: MockRequest, in routes: [Route]) -> (Route, [String: String])? {
        // What answers GET answers HEAD too, unless there is a route of its own.
        let methods: [HTTPMethod] = request.method == .head ? [.head, .get] : [request.method]
        for method in methods {
            for route in routes where route.method == method {
                if let parameters = route.pattern.match(request.pathSegments) { return (route, parameters) }
            }
        }
        return nil
    }

    private func notFoundText(_ request: MockRequest, _ routes: [Route]) -> String {
        var lines = ["MockServer has no answer for \(request.method) \(request.path)."]
        lines.append(routes.isEmpty ? "There are no routes, and the queue is empty." : "The routes are:")
        lines += routes.prefix(Self.routesShownMax).map { "  \($0.method) \($0.pattern)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
