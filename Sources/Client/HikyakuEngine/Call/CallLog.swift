import HikyakuBase

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

/// How much ``APIClient/logging(_:revealingSecrets:to:)`` logs.
///
/// ```swift
/// let talking = client.logging(.headers)  // what is sent and received, without secrets
/// let dishes = try await talking.send(Shop.Dishes())
/// ```
public enum LoggingLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// One line for each call: method, URL, status, size, time.
    case line
    /// Also the header blocks, when they are sent and received.
    case headers
    /// Also the bodies: type and length, or their text if secrets are revealed.
    case bodies

    /// Orders levels by how much they show.
    public static func < (left: Self, right: Self) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { self == .line ? 0 : self == .headers ? 1 : 2 }
}

/// What a client logs of its calls, and where.
package struct CallLogging: Sendable {
    /// What an entry is about.
    package enum Kind: Sendable {
        /// A call that failed, or a request that can't be sent.
        case failure
        /// A call that succeeded, was cancelled, or falls back.
        case outcome
        /// What was sent or received for a call.
        case detail
    }

    package let level: LoggingLevel
    package let revealingSecrets: Bool
    let sink: @Sendable (Kind, String) -> Void
    /// Distinguishes the log entries of concurrent calls.
    fileprivate let count = Lock(0)

    package init(
        level: LoggingLevel,
        revealingSecrets: Bool,
        sink: @escaping @Sendable (Kind, String) -> Void,
    ) {
        self.level = level
        self.revealingSecrets = revealingSecrets
        self.sink = sink
    }

    /// Logs a request that can't be sent.
    package func log(_ error: any Error) {
        if let settled = error as? any SettledError { sink(.failure, settled.line) }
    }

    /// Writes a text and a line break to standard error at once.
    @Sendable package static func standardError(_ text: String) {
        let line = text + "\n"
        _ = unsafe write(2, line, line.utf8.count)
    }
}

/// Logs what one call really sent and received: the request as passed to the transport, with everything that was added.
package struct CallLog: Sendable {
    /// The maximum size of a revealed body in the log, in bytes.
    private static let bodyBytesMax = 64 * 1024

    private let logging: CallLogging
    private let mark: String

    init(_ logging: CallLogging) {
        self.logging = logging
        mark = logging.level > .line ? "#\(logging.count.withLock { $0 += 1; return $0 }) " : ""
    }

    /// Logs a request that is passed to the transport.
    package func sends(_ request: HTTPRequest) {
        guard logging.level > .line else { return }
        let first = "\(request.method) \(shownURL(of: request))"
        logging.sink(.detail, block(first, request.headers, request.body, mark + "> "))
    }

    /// Logs that the transport sends the request once more by itself.
    func resends(after reason: FailureReason) {
        guard logging.level > .line else { return }
        logging.sink(.detail, mark + "> sent once more after \(reason)")
    }

    /// Logs a response that was a redirect and was followed, or the last one.
    package func receives(_ response: HTTPResponse) {
        guard logging.level > .line else { return }
        logging.sink(.detail, block("\(response.status)", response.headers, response.body, mark + "< "))
    }

    /// Logs that the call has succeeded.
    @inline(never)
    package func ends(_ request: HTTPRequest, _ context: RequestContext, with response: HTTPResponse, isStubbed: Bool) {
        if !isStubbed { receives(response) }
        let outcome = isStubbed ? "stubbed" : "\(response)"
        logging.sink(.outcome, mark + line(for: request, context, outcome: outcome))
    }

    /// Logs that the call has failed.
    @inline(never)
    package func ends(_ request: HTTPRequest, _ context: RequestContext, throwing error: any Error) {
        let kind: CallLogging.Kind = Self.isCancellation(error) ? .outcome : .failure
        logging.sink(kind, mark + line(for: request, context, outcome: Self.outcome(of: error, context)))
    }

    /// Logs that a call that has failed falls back.
    ///
    /// - Parameters:
    ///   - requestType: The type of the request.
    ///   - reason: Why the call failed.
    package func fallsBack(_ requestType: String, after reason: FailureReason) {
        logging.sink(.outcome, mark + "\(requestType) falls back to its own value after \(reason)")
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

    /// For an error of another package, only the type: its text may contain secrets.
    private static func outcome(of error: any Error, _ context: RequestContext) -> String {
        switch error {
        case is CancellationError: "cancelled"
        case let error as TransportError: context.detailed(error).description
        case let error as any SettledError: error.logText
        default: "\(type(of: error))"
        }
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        switch error {
        case is CancellationError: true
        case let error as TransportError: error.reason == .cancelled
        case let error as any SettledError: error.reason == .cancelled
        default: false
        }
    }

    private func block(_ first: String, _ headers: HTTPHeaders, _ body: HTTPBody?, _ mark: String) -> String {
        var lines = [first] + headers.map(shown)
        if logging.level == .bodies, let body {
            let hidden = "‹\(Redaction.text(of: body, headers: headers))›"
            lines.append(logging.revealingSecrets ? Self.revealed(body) : hidden)
        }
        // Each line of a body has the mark too, so that it can't imitate another log entry.
        return lines.joined(separator: "\n").byteSplit(separator: "\n", omittingEmptySubsequences: false)
            .map { mark + $0 }.joined(separator: "\n")
    }

    private func shownURL(of request: HTTPRequest) -> String {
        logging.revealingSecrets ? Redaction.printable(request.urlText, scalarsMax: .max) : request.shownURL
    }

    private func shown(_ field: HTTPHeaders.Field) -> String {
        guard logging.revealingSecrets else { return field.description }
        return Redaction.printable("\(field.name): \(field.value)", scalarsMax: .max)
    }

    private static func revealed(_ body: HTTPBody) -> String {
        guard let bytes = body.bytes else { return "‹\(body)›" }
        let text = String(decoding: bytes.prefix(bodyBytesMax), as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { Redaction.printable(String($0), scalarsMax: .max) }.joined(separator: "\n")
        return bytes.count > bodyBytesMax ? text + "… (\(body) in all)" : text
    }
}
