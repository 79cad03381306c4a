import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds the answer to a request: in the queue, then the routes, then by the fallback.
final class AnswerBook: Sendable {
    typealias Handler = @Sendable (MockRequest) throws -> MockAnswer

    private struct Route {
        let method: HTTPMethod
        let pattern: RoutePattern
        let handler: Handler
    }

    private struct State {
        var queue: [MockAnswer] = []
        var routes: [Route] = []
        var fallback: Handler?
    }

    private static let routesShownMax = 100

    private let state: Lock<State>

    init(fallback: Handler?) {
        state = Lock(State(fallback: fallback))
    }

    func enqueue(_ answers: [MockAnswer]) {
        state.withLock { $0.queue.append(contentsOf: answers) }
    }

    func addRoute(_ method: HTTPMethod, _ pattern: RoutePattern, _ handler: @escaping Handler) {
        let route = Route(method: method, pattern: pattern, handler: handler)
        state.withLock { state in
            if let same = state.routes.firstIndex(where: { $0.method == method && $0.pattern == pattern }) {
                return state.routes[same] = route
            }
            let place = state.routes.firstIndex { pattern.precedes($0.pattern) }
            state.routes.insert(route, at: place ?? state.routes.count)
        }
    }

    /// Releases all handlers, which may keep the server alive.
    func clear() {
        var old = State()
        state.withLock { swap(&$0, &old) }
    }

    /// The request with its parameters, and its handler.
    func resolve(_ request: MockRequest) -> (MockRequest, Handler) {
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
            let answer = notFound(request, state.routes)
            return (request, { _ in answer })
        }
    }

    private func route(for request: MockRequest, in routes: [Route]) -> (Route, [String: String])? {
        // A route of GET also answers HEAD, unless there is a route of HEAD.
        let methods: [HTTPMethod] = request.method == .head ? [.head, .get] : [request.method]
        for method in methods {
            for route in routes where route.method == method {
                if let parameters = route.pattern.match(request.pathSegments) { return (route, parameters) }
            }
        }
        return nil
    }

    /// A problem by RFC 9457: of all bodies, a client shows only its title in errors and logs.
    private func notFound(_ request: MockRequest, _ routes: [Route]) -> MockAnswer {
        let count = routes.count == 1 ? "the only route does not fit" : "none of the \(routes.count) routes fits"
        let why = routes.isEmpty ? "there are no routes" : count
        let title = "MockServer has no answer for \(request.method) \(request.path): \(why), and the queue is empty"
        let shown = routes.prefix(Self.routesShownMax).map { "\n    " + Self.json("\($0.method) \($0.pattern)") }
        let list = shown.isEmpty ? "" : ",\n  \"routes\": [\(shown.joined(separator: ","))\n  ]"
        let todo = "Add a route to the server, or enqueue an answer."
        let text = "{\n  \"title\": \(Self.json(title)),\n  \"detail\": \(Self.json(todo))\(list)\n}\n"
        return .bytes(text.utf8, type: "application/problem+json", status: .notFound)
    }

    /// A text as JSON, in quotes.
    private static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}

/// The pattern of a route's path: `/items/:id/comments`, `/files/*`.
struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
    /// Ordered by priority.
    private enum Part: Hashable {
        case literal(ByteText)
        case parameter(String)
        case rest

        var rank: Int {
            switch self {
            case .literal: 0
            case .parameter: 1
            case .rest: 2
            }
        }
    }

    let description: String
    private let parts: [Part]

    init(_ text: String) {
        description = text.hasBytePrefix("/") ? text : "/" + text
        let words = description.byteSplit(separator: "/", omittingEmptySubsequences: false).dropFirst()
        parts =
            description == "/"
            ? []
            : words.enumerated().map { index, word in
                if word == "*", index == words.count - 1 { return .rest }
                guard word.hasBytePrefix(":") else { return .literal(ByteText(String(word))) }
                return .parameter(String(Substring(word.utf8.dropFirst())))
            }
    }

    /// The values of the named parts; `nil` if the path doesn't match.
    func match(_ segments: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (index, part) in parts.enumerated() {
            guard index < segments.count else { return nil }
            switch part {
            case .rest:
                parameters["*"] = segments[index...].joined(separator: "/")
                return parameters
            case .literal(let word):
                guard segments[index].hasSameBytes(as: word.text) else { return nil }
            case .parameter(let name):
                guard !segments[index].isEmpty else { return nil }
                parameters[name] = segments[index]
            }
        }
        return parts.count == segments.count ? parameters : nil
    }

    /// Whether this pattern has priority if both match: at the first difference, a literal segment precedes a named
    /// part, and a named part precedes the rest.
    func precedes(_ other: RoutePattern) -> Bool {
        parts.map(\.rank).lexicographicallyPrecedes(other.parts.map(\.rank))
    }
}
