import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A field that tells the service how much time a call has left, so that it stops work whose result comes too late.
///
/// ```swift
/// let options = ClientOptions(timeout: .seconds(5), deadlineField: DeadlineField("X-Timeout-Ms", .milliseconds))
/// ```
/// It is computed for each attempt and each redirect, just before the request is signed and sent. It is not sent
/// - with a call that has no deadline;
/// - if the request has a field of that name;
/// - to another origin, nor after a redirect has led there: the field is an agreement with one service, and its value
///   would tell another one about the caller;
/// - with an exchange that several calls may share (``APIRequest/sharesExchange``): the other calls may have more time.
public struct DeadlineField: Sendable {
    /// How the time is written.
    ///
    /// ```swift
    /// let format = DeadlineField.Format { left, _ in "\(Int(left / .milliseconds(1)))ms" }
    /// let options = ClientOptions(timeout: .seconds(5), deadlineField: DeadlineField("X-Timeout", format))
    /// ```
    public struct Format: Sendable {
        fileprivate let write: @Sendable (Duration, Date) -> String?

        /// Creates a format of your own.
        ///
        /// - Parameter write: Called for each request with the time that is left, which is positive and less than 100
        ///   years, and the same instant as a date. It returns the field's value, or `nil` to send no field. A value
        ///   that can't be sent ends the call with ``FailureReason/header``.
        public init(_ write: @escaping @Sendable (_ left: Duration, _ deadline: Date) -> String?) {
            self.write = write
        }

        /// The time that is left in whole milliseconds, rounded up: `4200`.
        public static let milliseconds = Format { left, _ in "\(left.units(of: 1_000_000))" }
        /// The time that is left in whole seconds, rounded up: `5`.
        public static let seconds = Format { left, _ in "\(left.units(of: 1_000_000_000))" }
        /// The time that is left as gRPC writes it: at most eight digits, rounded up, and the unit: `4200000u`.
        ///
        /// The unit is the smallest one that fits: `n`, `u`, `m` for nano-, micro- and milliseconds, `S`, `M`, `H` for
        /// seconds, minutes and hours
        /// ([gRPC over HTTP/2](https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md)).
        public static let grpcTimeout = Format { left, _ in left.grpcTimeout }
        /// The deadline in milliseconds since 1970, by the client's clock (``HTTPClock/date``): `1700000004200`.
        ///
        /// Use it only between machines whose clocks agree.
        public static let unixMilliseconds = Format { _, deadline in
            Int64(exactly: (deadline.timeIntervalSince1970 * 1000).rounded()).map { "\($0)" }
        }
    }

    /// The name of the field.
    public let name: HTTPHeaderName
    private let format: Format

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name that the service expects.
    ///   - format: How the time is written.
    public init(_ name: HTTPHeaderName, _ format: Format) {
        (self.name, self.format) = (name, format)
    }

    /// `grpc-timeout`, as gRPC services read it.
    public static let grpcTimeout = DeadlineField("grpc-timeout", .grpcTimeout)

    fileprivate func value(for left: Duration, by clock: any HTTPClock) -> String? {
        let left = min(left, .farFuture)
        return format.write(left, clock.date.addingTimeInterval(left / .seconds(1)))
    }
}

extension Duration {
    /// The positive number of units of so many nanoseconds, rounded up.
    fileprivate func units(of nanoseconds: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
        return max(1, (whole - 1) / nanoseconds + 1)
    }

    fileprivate var grpcTimeout: String? {
        let names: [(String, Int64)] = [
            ("n", 1), ("u", 1000), ("m", 1_000_000), ("S", 1_000_000_000), ("M", 60_000_000_000),
            ("H", 3_600_000_000_000),
        ]
        for (name, nanoseconds) in names {
            let count = units(of: nanoseconds)
            if count <= 99_999_999 { return "\(count)\(name)" }
        }
        return nil
    }
}

/// Adds the field with the time that is left to each request that is sent to the origin of its environment.
///
/// It runs for each hop, inside cookies, whose store may take time, and outside signatures, which may cover the field.
struct DeadlineStep: OwnStep {
    let field: DeadlineField

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        // The scope of a shared exchange has no deadline, and events come for longer than their head may take.
        let isEventStream = context.call.traits.isEventStream
        guard let deadline = isEventStream ? context.call.bodyDeadline : CallCancellation.scope?.deadline,
            !request.headers.contains(field.name),
            HTTPOrigin(request.url) == context.environment.base.origin,
            !context.redirects.contains(where: \.changesOrigin)
        else { return try await next(request) }
        let left = context.clock.now.duration(to: deadline)
        guard left > .zero else { throw context.call.deadlineError }
        guard let value = field.value(for: left, by: context.clock) else { return try await next(request) }
        var request = request
        request.headers[field.name] = value
        return try await next(request)
    }
}
