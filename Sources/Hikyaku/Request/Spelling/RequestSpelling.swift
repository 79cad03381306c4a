/// What a request wrote under the names of ``APIRequest``'s requirements, whatever its types.
///
/// A property of another type doesn't fulfil a requirement that has a default, and Swift doesn't mention it: the
/// request would go out without it. This protocol has the same names and no types, so that each such property is seen.
/// Types that clearly mean the same are converted and sent: `timeout` as a `Duration`, `headers` as a `[String:
/// String]`, a `body` that isn't Optional. The compiler refuses all others, but for coders, which are refused before
/// anything is sent: `let timeout = 0.2` says "type 'Double' does not conform to protocol 'RequestTimeout'".
///
/// You don't conform to it: every ``APIRequest`` does. The article <doc:CompilerMessages> has the messages and their
/// cures.
public protocol RequestSpelling {
    /// The type of the ``method`` that was written.
    associatedtype WrittenMethod = HTTPMethod
    /// The type of the ``query`` that was written.
    associatedtype WrittenQuery = RequestQuery
    /// The type of the ``parameters`` that was written.
    associatedtype WrittenParameters = RequestQuery
    /// The type of the ``headers`` that was written.
    associatedtype WrittenHeaders = HTTPHeaders
    /// The type of the ``body`` that was written.
    associatedtype WrittenBody = RequestBody?
    /// The type of the ``decoder`` that was written.
    associatedtype WrittenDecoder = any ResponseDecoder
    /// The type of the ``encoder`` that was written.
    associatedtype WrittenEncoder = any RequestEncoder
    /// The type of the ``timeout`` that was written.
    associatedtype WrittenTimeout = Duration?
    /// The type of the ``redirectPolicy`` that was written.
    associatedtype WrittenRedirectPolicy = RedirectPolicy?
    /// What a function returns that was written as `accepts(status:)`.
    associatedtype WrittenAccepts = NothingWritten

    /// The method as it was written.
    var method: WrittenMethod { get }
    /// The query as it was written.
    var query: WrittenQuery { get }
    /// The parameters as they were written.
    var parameters: WrittenParameters { get }
    /// The fields as they were written.
    var headers: WrittenHeaders { get }
    /// The content as it was written.
    var body: WrittenBody { get }
    /// The decoder as it was written.
    var decoder: WrittenDecoder { get }
    /// The encoder as it was written.
    var encoder: WrittenEncoder { get }
    /// The timeout as it was written.
    var timeout: WrittenTimeout { get }
    /// The policy as it was written.
    var redirectPolicy: WrittenRedirectPolicy { get }
    /// The requirement ``APIRequest/accepts(_:)`` with a label that it doesn't have.
    func accepts(status: HTTPStatus) -> WrittenAccepts
}

extension RequestSpelling {
    /// Holds the place of a function that nobody wrote.
    public func accepts(status: HTTPStatus) -> NothingWritten { NothingWritten() }
}

/// What a requirement with a wrong label would have to return, which is nothing that a function returns.
///
/// "Type 'Bool' does not conform to protocol 'AcceptsWithoutLabel'" means: write `func accepts(_ status: HTTPStatus) ->
/// Bool`.
public protocol AcceptsWithoutLabel {}

/// What stands where nothing was written.
public struct NothingWritten: AcceptsWithoutLabel, Sendable {}
