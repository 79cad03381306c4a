/// Why a call failed, where there is no response to look into.
public struct CallFailure: Sendable {
    /// Why, in a form that code can switch over.
    public let reason: FailureReason
    /// The particulars in one line, without secrets.
    public let message: String
    /// Which call it was.
    public let context: CallContext

    /// Makes a failure, for tests of what handles errors.
    public init(_ reason: FailureReason, message: String = "", context: CallContext = CallContext()) {
        self.reason = reason
        self.message = message
        self.context = context
    }
}

extension CallFailure: CustomStringConvertible {
    /// The reason and the particulars, without secrets.
    public var description: String {
        message.isEmpty ? "\(reason)" : Redaction.printable("\(reason): \(message)", scalarsMax: .max)
    }
}

extension FailureReason {
    /// The service answered with its own failure.
    public static let service = FailureReason(.service, "service")
    /// The status isn't accepted, and no failure could be read from the body.
    public static let unacceptableStatus = FailureReason(.unacceptableStatus, "unacceptableStatus")
    /// Hikyaku found itself in a state that can't be; please report it with the message.
    public static let defect = FailureReason(.other, "defect")
    /// A middleware or a token provider threw.
    public static let other = FailureReason(.other, "other")
}

/// Which call it was that failed.
///
/// It holds no secret: of the URL, the query's values and the secrets in the path are left out.
public struct CallContext: Sendable {
    /// The request's type: `Qiita.Items`.
    public let requestType: String
    /// The method.
    public let method: HTTPMethod
    /// Scheme, host and path with the names of the query's items; when no URL could be made, the environment's base
    /// URL, and `nil` when that is malformed.
    public let url: String?
    /// Which attempt it was, counted from 1; 0 when nothing was handed to the transport.
    public let attempt: Int
    /// From the call to the failure.
    public let elapsed: Duration
    /// The redirects that were followed before, in their order; method and URL are those of the last request.
    public let redirects: [RedirectHop]
    /// What lies below, as it was thrown; its own text may hold secrets.
    public let underlyingError: (any Error)?

    /// Of a response that no error keeps yet.
    static let unknown = CallContext()

    /// Makes a context, for tests of what handles errors.
    public init(
        requestType: String = "",
        method: HTTPMethod = .get,
        url: String? = nil,
        attempt: Int = 0,
        elapsed: Duration = .zero,
        redirects: [RedirectHop] = [],
        underlyingError: (any Error)? = nil,
    ) {
        self.requestType = requestType
        self.method = method
        self.url = url
        self.attempt = attempt
        self.elapsed = elapsed
        self.redirects = redirects
        self.underlyingError = underlyingError
    }
}

extension CallContext: CustomStringConvertible, CustomReflectable {
    /// `GET https://a.example/items?page=… (Items, attempt 1, 12.3 ms)`.
    public var description: String {
        let tries = (attempt == 0 ? "not sent" : "attempt \(attempt)") + redirects.afterText
        let place = url ?? "to a malformed base URL"
        let text = "\(method) \(place) (\(requestType), \(tries), \(elapsed.milliseconds) ms)"
        return Redaction.printable(text, scalarsMax: .max)
    }

    /// All but the underlying error's content, for `dump` and debuggers.
    public var customMirror: Mirror {
        let underlying = underlyingError.map { String(describing: type(of: $0)) }
        return Mirror(self, children: ["call": description, "underlyingError": underlying as Any])
    }
}
