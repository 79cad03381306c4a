package import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One HTTP request as a value: what a transport sends.
///
/// ```swift
/// var request = HTTPRequest(method: .post, url: ordersURL, headers: ["Content-Type": "application/json"])
/// request.body = HTTPBody(#"{"dishIDs": [1, 2]}"#)
/// let response = try await transport.send(request, options: TransportOptions())
/// ```
/// Printing it shows method, scheme, host and path, and of the query only the names. A value that was put into the path
/// as a secret isn't shown.
///
/// [RFC 9110, section 3.9](https://www.rfc-editor.org/rfc/rfc9110#section-3.9)
public struct HTTPRequest: Sendable {
    /// The request's method.
    public var method: HTTPMethod { didSet { isChecked = false } }
    /// The absolute `http` or `https` URL of the resource.
    ///
    /// Reading it parses the text that a client has made of environment, path and query, which takes some microseconds.
    public var url: URL {
        // A text that a client has made is an environment's base URL, which was parsed before, with path and query.
        get { knownURL ?? URL(string: urlText, encodingInvalidCharacters: false) ?? Self.noURL }
        set {
            (urlText, knownURL) = (newValue.absoluteString, newValue)
            isChecked = false
        }
    }
    /// The fields to send; the transport adds `Host` and the framing of the body.
    public var headers: HTTPHeaders { didSet { isChecked = false } }
    /// The content to send; `nil` sends none.
    public var body: HTTPBody? { didSet { isChecked = false } }
    /// Over which networks it may go on an Apple device, and how urgent it is; other transports ignore it.
    public var networkPreferences = NetworkPreferences()
    /// The credentials that were added: those of the client and of the request itself.
    package var credentials: [PlacedCredential] = []
    /// The secrets that are hidden wherever the URL is shown.
    package var pathSecrets: PathSecrets

    /// The text of ``url``, which is sent.
    package private(set) var urlText: String
    private var knownURL: URL?
    /// Whether the URL is one that a client has made of parts that were checked.
    var hasCheckedURL: Bool { knownURL == nil }
    /// Whether the request was checked by ``checkForWire()`` and not changed since.
    package var isChecked: Bool

    private static let noURL = URL(filePath: "/")

    /// Makes a request; it is checked when it is sent.
    public init(method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:], body: HTTPBody? = nil) {
        self.method = method
        self.headers = headers
        self.body = body
        urlText = url.absoluteString
        knownURL = url
        pathSecrets = PathSecrets()
        isChecked = false
    }

    /// Makes a request to a URL of checked parts, without parsing it.
    package init(
        method: HTTPMethod,
        urlText: String,
        headers: HTTPHeaders,
        pathSecrets: PathSecrets = PathSecrets(),
        isChecked: Bool = false,
    ) {
        self.method = method
        self.headers = headers
        self.urlText = urlText
        self.pathSecrets = pathSecrets
        self.isChecked = isChecked
    }

    /// Adds a field that the package makes itself, so that it needs no check.
    package mutating func appendKnownGood(_ name: HTTPHeaderName, _ value: String) {
        let wasChecked = isChecked
        headers.append(name, value)
        isChecked = wasChecked
    }
}

/// A credential in a request, with its place and the origin that it is for.
package struct PlacedCredential: Sendable {
    /// Where in the request it is.
    package enum Place: Sendable, Hashable {
        case field(HTTPHeaderName, scheme: String?)
        case query(String)
        case cookie(String)
    }

    package let value: Secret<String>
    package let place: Place
    package let origin: HTTPOrigin
    /// Whether a redirect has led to another origin: the request then has lost the credential, and must not get it
    /// again.
    package var isLeftBehind = false

    package init(value: Secret<String>, place: Place, origin: HTTPOrigin) {
        self.value = value
        self.place = place
        self.origin = origin
    }
}

/// The method of a request, the first word of its request line.
///
/// ```swift
/// nonisolated extension HTTPMethod {
///     static let report: HTTPMethod = "REPORT"
/// }
/// struct Changes: Shop.Request {
///     typealias Response = [Dish]
///     var method: HTTPMethod { .report }
///     var path: RequestPath { "/dishes" }
/// }
/// ```
/// Any token can be a method: `HTTPMethod("PURGE")`. Case matters on the wire, so `get` and `GET` differ.
///
/// [RFC 9110, section 9](https://www.rfc-editor.org/rfc/rfc9110#section-9)
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The word as it is sent.
    public let rawValue: String

    /// Makes a method of any word.
    ///
    /// A word that is not a token is rejected as `.invalidRequest` when it is sent, and a request with `post` for
    /// `POST`, too.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method of any word, as ``init(rawValue:)`` does.
    public init(_ word: String) {
        rawValue = word
    }

    /// Makes a method of a literal, as ``init(rawValue:)`` does.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Reads a resource; safe and idempotent (RFC 9110, section 9.3.1).
    public static let get = HTTPMethod("GET")
    /// Reads the response to GET without its body (section 9.3.2).
    public static let head = HTTPMethod("HEAD")
    /// Has a resource process the content by its own rules (section 9.3.3).
    public static let post = HTTPMethod("POST")
    /// Replaces the resource's state by the content (section 9.3.4).
    public static let put = HTTPMethod("PUT")
    /// Changes a resource by a description of the change (RFC 5789).
    public static let patch = HTTPMethod("PATCH")
    /// Removes a resource (section 9.3.5).
    public static let delete = HTTPMethod("DELETE")
    /// Reads what the content describes, without changing anything (RFC 10008).
    public static let query = HTTPMethod("QUERY")
    /// Reads which methods and options a resource supports (section 9.3.7).
    public static let options = HTTPMethod("OPTIONS")
    /// Has the server return the request that it received (section 9.3.8).
    public static let trace = HTTPMethod("TRACE")

    /// The known word that differs in case only, such as `POST` from `post`; `nil` for any other one.
    package var knownWord: String? {
        guard rawValue.utf8.contains(where: { $0 >= 0x61 }) else { return nil }
        let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .query, .options, .trace]
        return known.first { $0.rawValue.asciiLowercased.hasSameBytes(as: rawValue.asciiLowercased) }?.rawValue
    }

    /// Whether the method only reads, so that a client may send it without the user's request (section 9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace || self == .query
    }

    /// Whether sending it twice means the same as sending it once, so that it may be sent again after a failure
    /// (section 9.2.2).
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }

    /// Whether a request's parameters become items of its query, and not its body.
    package var sendsParametersInQuery: Bool { self == .get || self == .head || self == .delete }

    /// Compares the bytes, so that case matters.
    public static func == (left: Self, right: Self) -> Bool {
        // Swift's comparison is faster; the bytes are compared only if it finds them equal.
        left.rawValue == right.rawValue && left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// The word as it is sent, with each control character replaced by U+FFFD.
    public var description: String { Redaction.printable(rawValue) }
}
