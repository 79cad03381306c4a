/// The call that failed.
///
/// ```swift
/// do {
///     show(try await client.send(Shop.Dishes()))
/// } catch {
///     log(error.context.method, error.context.attempt, error.context.elapsed)
/// }
/// ```
/// It contains no secrets: query values and the secrets in the path are left out of the URL.
public struct CallContext: Sendable {
    /// The request's type: `Qiita.Items`.
    public let requestType: String
    /// The method.
    public let method: HTTPMethod
    /// Scheme, host and path with the names of the query items.
    ///
    /// If no URL could be created, the environment's base URL, or `nil` if that is malformed.
    public let url: String?
    /// Whether sending the request twice does no more harm than sending it once, as its method,
    /// ``APIRequest/isIdempotent`` and its idempotency key say.
    public let isIdempotent: Bool
    /// The number of the attempt, counted from 1; 0 if nothing was passed to the transport.
    public let attempt: Int
    /// The time from the start of the call to the failure.
    public let elapsed: Duration
    /// The attempts before the last one, in order.
    public let earlierAttempts: [EarlierAttempt]
    /// Why a transient failure was not followed by another attempt; `nil` for other failures, for requests that may not
    /// be repeated, and without retries.
    public let retryEnd: RetryEnd?
    /// The redirects that were followed before, in order; method and URL are those of the last request.
    public let redirects: [RedirectHop]
    /// The underlying error, as it was thrown; its own text may contain secrets.
    public let underlyingError: (any Error)?
    private var details: Details?

    /// What only some contexts have.
    private struct Extras {
        var spending: DeadlineSpending?
        var explanation: CallExplanation?
        var pageCursor: PageCursor?
        var hint: String?
        var transience: Transience??
        var bodyShape: String?
        var response: BufferedResponse?
        var texts: ErrorTexts?
    }

    /// A reference, since a larger context would make each response larger that is read.
    private final class Details: Sendable {
        let extras: Extras

        init(_ extras: Extras) {
            self.extras = extras
        }
    }

    private var extras: Extras {
        get { details?.extras ?? Extras() }
        set { details = Details(newValue) }
    }

    /// How the time was spent, if the call ended with ``FailureReason/deadline``; otherwise `nil`.
    public var spending: DeadlineSpending? { details?.extras.spending }
    /// What was sent, who set it, which policies applied, and when each attempt began and ended; `nil` if no request
    /// could be built, and for a context that a test has created.
    ///
    /// ```swift
    /// do {
    ///     show(try await client.send(Qiita.Items()))
    /// } catch {
    ///     log("\(error.context.explanation, default: "not sent")")
    /// }
    /// ```
    public internal(set) var explanation: CallExplanation? {
        get { details?.extras.explanation }
        set { extras.explanation = newValue }
    }
    /// The position of the page that failed, from which a walk through a list can continue, by
    /// ``BoundRequest/pages(from:)``; `nil` for the first page, and for other calls.
    public internal(set) var pageCursor: PageCursor? {
        get { details?.extras.pageCursor }
        set { extras.pageCursor = newValue }
    }
    /// What a developer can do about this failure, if the general hint of its reason doesn't fit.
    var hint: String? {
        get { details?.extras.hint }
        set { if newValue != nil || details != nil { extras.hint = newValue } }
    }
    /// Whether the cause may be gone a moment later, if that isn't what the reason says.
    var transience: Transience?? {
        get { details?.extras.transience }
        set { if newValue != nil || details != nil { extras.transience = newValue } }
    }
    /// The masked beginning of a body from which no failure could be read.
    var bodyShape: String? {
        get { details?.extras.bodyShape }
        set { if newValue != nil || details != nil { extras.bodyShape = newValue } }
    }
    /// What came of a response before the failure, which isn't about it.
    var response: BufferedResponse? {
        get { details?.extras.response }
        set { if newValue != nil || details != nil { extras.response = newValue } }
    }
    /// The client's texts; `nil` for the English ones.
    var texts: ErrorTexts? {
        get { details?.extras.texts }
        set { if newValue != nil || details != nil { extras.texts = newValue } }
    }

    /// For a response without an error.
    static let unknown = CallContext()

    /// Without `isIdempotent`, the method says it.
    package init(
        requestType: String = "",
        method: HTTPMethod = .get,
        url: String? = nil,
        isIdempotent: Bool? = nil,
        attempt: Int = 0,
        elapsed: Duration = .zero,
        earlierAttempts: [EarlierAttempt] = [],
        retryEnd: RetryEnd? = nil,
        spending: DeadlineSpending? = nil,
        redirects: [RedirectHop] = [],
        underlyingError: (any Error)? = nil,
    ) {
        self.requestType = requestType
        self.method = method
        self.url = url
        self.isIdempotent = isIdempotent ?? method.isIdempotent
        self.attempt = attempt
        self.elapsed = elapsed
        self.earlierAttempts = earlierAttempts
        self.retryEnd = retryEnd
        details = spending.map { Details(Extras(spending: $0)) }
        self.redirects = redirects
        self.underlyingError = underlyingError
    }
}

extension CallContext: CustomStringConvertible, CustomReflectable {
    /// `GET https://a.example/items?page=… (Items, attempt 1, 12.3 ms)`.
    public var description: String {
        let end = retryEnd.map { ", \($0)" } ?? ""
        let tries = (attempt == 0 ? "not sent" : "attempt \(attempt)") + end + redirects.afterText
        let place = url ?? "to a malformed base URL"
        let text = "\(method) \(place) (\(requestType), \(tries), \(elapsed.milliseconds) ms)"
        return Redaction.printable(text, scalarsMax: .max)
    }

    /// Everything except the content of the underlying error, for `dump` and debuggers.
    public var customMirror: Mirror {
        let underlying = underlyingError.map { String(describing: type(of: $0)) }
        return Mirror(
            self,
            children: [
                "call": description, "earlierAttempts": earlierAttempts, "spending": spending as Any,
                "underlyingError": underlying as Any,
            ],
        )
    }
}
