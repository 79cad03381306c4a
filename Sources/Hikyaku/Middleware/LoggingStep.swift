#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How much ``APIClient/logging(_:revealingSecrets:to:)`` shows.
public enum LoggingLevel: Sendable, Hashable, Comparable {
    /// One line for each call: method, URL, status, size, time.
    case line
    /// Also the header blocks, when they are sent and when they come.
    case headers
    /// Also the bodies: type and length, or their text where secrets are revealed.
    case bodies
}

/// Writes what was really sent and received: the request as the transport got it, with all that the steps inside added.
struct LoggingStep: HTTPMiddleware {
    /// The most of a revealed body that is written, in bytes.
    private static let bodyBytesMax = 64 * 1024

    let level: LoggingLevel
    let revealingSecrets: Bool
    let sink: @Sendable (String) -> Void

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        if level > .line {
            context[WireTap.self] = { request in sink(text(of: request)) }
        }
        do {
            let response = try await next(request)
            sink(line(for: context.sent ?? request, context, outcome: "\(response)"))
            if level > .line { sink(text(of: response)) }
            return response
        } catch {
            let outcome = (error as? TransportError)?.description ?? "\(type(of: error))"
            sink(
                line(
                    for: context.sent ?? request,
                    context,
                    outcome: error is CancellationError ? "cancelled" : outcome,
                )
            )
            throw error
        }
    }

    /// `GET https://a.example/items?page=… → 200 OK, application/json, 315 bytes, 12 ms`.
    private func line(for request: HTTPRequest, _ context: RequestContext, outcome: String) -> String {
        let shown = revealingSecrets ? "\(request.method) \(request.url.absoluteString)" : request.description
        let elapsed = context.start.duration(to: context.clock.now)
        let stub = context.attempts == 0 ? " (not sent)" : ""
        return "\(shown)\(stub) → \(outcome), \(elapsed.milliseconds) ms"
    }

    private func text(of request: HTTPRequest) -> String {
        let url = revealingSecrets ? request.url.absoluteString : Redaction.text(of: request.url)
        return block("> ", ["\(request.method) \(url)"], request.headers, request.body)
    }

    private func text(of response: HTTPResponse) -> String {
        block("< ", ["\(response.status)"], response.headers, response.body)
    }

    private func block(_ mark: String, _ first: [String], _ headers: HTTPHeaders, _ body: HTTPBody?) -> String {
        var lines = first
        lines += headers.map { revealingSecrets ? "\($0.name): \($0.value)" : $0.description }
        if level == .bodies, let body {
            lines += ["", revealingSecrets ? Self.revealed(body) : "‹\(Redaction.text(of: body, headers: headers))›"]
        }
        return lines.map { mark + $0 }.joined(separator: "\n")
    }

    private static func revealed(_ body: HTTPBody) -> String {
        let text = String(decoding: body.bytes.prefix(bodyBytesMax), as: UTF8.self)
        return body.bytes.count > bodyBytesMax ? text + "… (\(body) in all)" : text
    }

    /// Writes a text and a line break to standard error in one piece.
    @Sendable static func standardError(_ text: String) {
        let line = text + "\n"
        _ = write(2, line, line.utf8.count)
    }
}

/// Sees each request as it is handed to the transport.
enum WireTap: RequestContextKey {
    static let defaultValue: (@Sendable (HTTPRequest) -> Void)? = nil
}

extension Duration {
    /// Milliseconds with one digit behind the point, for people.
    var milliseconds: String {
        let (seconds, attoseconds) = components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
