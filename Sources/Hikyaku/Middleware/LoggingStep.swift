#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How much ``APIClient/logging(_:revealingSecrets:to:)`` shows.
public enum LoggingLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// One line for each call: method, URL, status, size, time.
    case line
    /// Also the header blocks, when they are sent and when they come.
    case headers
    /// Also the bodies: type and length, or their text where secrets are revealed.
    case bodies

    /// Orders levels by how much they show.
    public static func < (left: Self, right: Self) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .line: 0
        case .headers: 1
        case .bodies: 2
        }
    }
}

/// Writes what was really sent and received: the request as the transport got it, with all that the steps inside added.
struct LoggingStep: HTTPMiddleware {
    /// The most of a revealed body that is written, in bytes.
    private static let bodyBytesMax = 64 * 1024

    let level: LoggingLevel
    let revealingSecrets: Bool
    let sink: @Sendable (String) -> Void
    /// Tells the pieces of calls that overlap apart.
    private let count = Lock(0)

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        let mark = level > .line ? "#\(count.withLock { $0 += 1; return $0 }) " : ""
        if level > .line {
            context[WireTap.self] = { request in sink(text(of: request, mark + "> ")) }
            context[RedirectTap.self] = { response in sink(text(of: response, mark + "< ")) }
        }
        do {
            let response = try await next(request)
            let isStubbed = context[IsStubbed.self]
            if level > .line, !isStubbed { sink(text(of: response, mark + "< ")) }
            sink(mark + line(for: request, context, outcome: isStubbed ? "stubbed" : "\(response)"))
            return response
        } catch {
            sink(mark + line(for: request, context, outcome: Self.outcome(of: error)))
            throw error
        }
    }

    /// `GET https://a.example/items?page=… → 200 OK, application/json, 315 bytes, 12 ms`.
    private func line(for request: HTTPRequest, _ context: RequestContext, outcome: String) -> String {
        var sent = context.sent ?? request
        sent.pathSecrets.formUnion(request.pathSecrets)
        let shown = "\(sent.method) \(shownURL(of: sent))"
        let elapsed = context.start.duration(to: context.clock.now)
        let after = context.redirects.afterText
        return "\(shown)\(context.attempt == 0 ? " (not sent)" : "") → \(outcome), \(elapsed.milliseconds) ms\(after)"
    }

    /// Writes of a request that can't be sent.
    func log(_ failure: any APIFailure) {
        sink(failure.description)
    }

    /// Of an error that isn't the package's own, only the type: its text may hold secrets.
    private static func outcome(of error: any Error) -> String {
        switch error {
        case is CancellationError: "cancelled"
        case let error as TransportError: error.description
        case let error as any SettledError: "\(error.failure.reason): \(error.failure.failureReason ?? "")"
        default: "\(type(of: error))"
        }
    }

    private func text(of request: HTTPRequest, _ mark: String) -> String {
        block("\(request.method) \(shownURL(of: request))", request.headers, request.body, mark)
    }

    private func text(of response: HTTPResponse, _ mark: String) -> String {
        block("\(response.status)", response.headers, response.body, mark)
    }

    private func block(_ first: String, _ headers: HTTPHeaders, _ body: HTTPBody?, _ mark: String) -> String {
        var lines = [first] + headers.map(shown)
        if level == .bodies, let body {
            lines.append(revealingSecrets ? Self.revealed(body) : "‹\(Redaction.text(of: body, headers: headers))›")
        }
        // Each line of a body has the mark too, so that none can pass for another line of the log.
        return lines.joined(separator: "\n").byteSplit(separator: "\n", omittingEmptySubsequences: false)
            .map { mark + $0 }.joined(separator: "\n")
    }

    private func shownURL(of request: HTTPRequest) -> String {
        revealingSecrets ? Redaction.printable(request.url.absoluteString, scalarsMax: .max) : request.shownURL
    }

    private func shown(_ field: HTTPHeaders.Field) -> String {
        guard revealingSecrets else { return field.description }
        return Redaction.printable("\(field.name): \(field.value)", scalarsMax: .max)
    }

    private static func revealed(_ body: HTTPBody) -> String {
        guard let bytes = body.bytes else { return "‹\(body)›" }
        let text = String(decoding: bytes.prefix(bodyBytesMax), as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { Redaction.printable(String($0), scalarsMax: .max) }.joined(separator: "\n")
        return bytes.count > bodyBytesMax ? text + "… (\(body) in all)" : text
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

/// Sees each response that was a redirect and was followed.
enum RedirectTap: RequestContextKey {
    static let defaultValue: (@Sendable (HTTPResponse) -> Void)? = nil
}

extension Duration {
    /// Milliseconds with one digit behind the point, for people.
    var milliseconds: String {
        // `components` traps on what no Int64 of seconds holds.
        "\((self / .milliseconds(1) * 10).rounded(.down) / 10)"
    }
}
