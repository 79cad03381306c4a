#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One HTTP request as a value: what a transport sends.
///
/// Printing it shows method, scheme, host and path, and of the query only the names.
///
/// [RFC 9110, section 3.9](https://www.rfc-editor.org/rfc/rfc9110#section-3.9)
public struct HTTPRequest: Sendable {
    /// What is asked of the resource.
    public var method: HTTPMethod
    /// The absolute `http` or `https` URL of the resource.
    public var url: URL
    /// The fields to send; the transport adds `Host` and the framing of the body.
    public var headers: HTTPHeaders
    /// The content to send; `nil` sends none.
    public var body: HTTPBody?
    /// Where the request's credential may go, if the client has put one in; the request goes nowhere else then.
    package var credentialOrigin: HTTPOrigin?

    /// Makes a request; whether it can be sent is looked at when it is sent.
    public init(method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:], body: HTTPBody? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
