import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Makes Foundation's form of a request, which joins fields of the same name by `,`.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/body`` for a GET with a body, which URLSession rejects.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard request.method != .get || request.body == nil else {
            throw SessionCause.bodyWithGet.error("URLSession can't send a body with GET")
        }
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        timeoutInterval = URLSessionTransport.timeoutSeconds
        httpMethod = request.method.rawValue
        httpBody = request.body?.bytes
        httpShouldHandleCookies = false
        // URLSession doesn't wait for the server's consent, so it must not request any.
        for field in request.headers where field.name != .expect {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        #if canImport(Darwin)
        let preferences = request.networkPreferences
        if !preferences.allowsCellular { allowsCellularAccess = false }
        if !preferences.allowsExpensive { allowsExpensiveNetworkAccess = false }
        if !preferences.allowsConstrained { allowsConstrainedNetworkAccess = false }
        networkServiceType = preferences.service.networkServiceType
        #else
        // On Linux, a compressed body that was cut off is delivered as complete, so none is requested by default.
        if value(forHTTPHeaderField: "Accept-Encoding") == nil {
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        #endif
    }
}

#if canImport(Darwin)
extension NetworkPreferences.Service {
    fileprivate var networkServiceType: URLRequest.NetworkServiceType {
        switch self {
        case .standard: .default
        case .background: .background
        }
    }
}
#endif

extension HTTPResponse {
    /// Makes a response with its fields sorted by name, since Foundation doesn't keep their order.
    init(_ response: HTTPURLResponse, body: HTTPBody) {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { (name: $0, value: value as? String ?? "\(value)") }
        }
        var headers = HTTPHeaders()
        for field in fields.sorted(by: { $0.name < $1.name }) {
            let name = HTTPHeaderName(field.name)
            for value in name == .setCookie ? field.value.splitCookies : [field.value] {
                headers.append(name, value)
            }
        }
        self.init(status: HTTPStatus(response.statusCode), headers: headers, body: body)
    }
}

extension String {
    /// The values of `Set-Cookie` that Foundation joined by commas.
    ///
    /// A comma begins a new cookie if a name and `=` follow it. A comma in a date is followed by a day or a time.
    var splitCookies: [String] {
        var cookies: [String] = []
        for part in byteSplit(separator: ",", omittingEmptySubsequences: false) {
            let name = part.utf8.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            let isPair = name.endIndex != part.endIndex && part.utf8[name.endIndex] == UInt8(ascii: "=")
            if cookies.isEmpty || (isPair && String(Substring(name).trimmingSpaces).isHTTPToken) {
                cookies.append(String(part.trimmingSpaces))
            } else {
                cookies[cookies.count - 1] += "," + part
            }
        }
        return cookies
    }
}

/// The checks of a response's head that are still possible after URLSession has parsed it leniently.
enum HeadCheck {
    /// The limit in bytes for all fields together, including separators.
    static let bytesMax = 256 * 1024
    /// The limit for the number of names, since Foundation joins fields of the same name.
    static let fieldCountMax = 500

    static let tooLarge = SessionCause.headersTooLarge.error(
        "the header block has more than \(fieldCountMax) fields or \(bytesMax) bytes"
    )

    /// The size of one head or of several; a status line counts as a field.
    struct Size: Sendable {
        private var fieldCount = -1
        private var bytes = 0

        var isTooLarge: Bool { fieldCount > fieldCountMax || bytes > bytesMax }

        mutating func add(_ response: HTTPURLResponse) {
            let fields = response.allHeaderFields
            fieldCount += fields.count + 1
            for (name, value) in fields {
                bytes += ((name as? String)?.utf8.count ?? 0) + ((value as? String)?.utf8.count ?? 0) + 4
            }
        }
    }

    /// Why a response must not be used; `nil` if it can be.
    ///
    /// [RFC 9112, section 6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)
    ///
    /// - Parameters:
    ///   - response: The head as URLSession parsed it.
    ///   - method: The method of the request.
    /// - Returns: An error for the first rule that is broken; each rule has its own reason.
    static func problem(in response: HTTPURLResponse, to method: HTTPMethod) -> TransportError? {
        var size = Size()
        size.add(response)
        if size.isTooLarge { return tooLarge }
        if response.statusCode == 101 {
            return SessionCause.unexpectedUpgrade.error(
                "the server switched to a protocol that was not requested"
            )
        }
        guard method != .head, ![204, 304].contains(response.statusCode) else { return nil }
        return problemOfLength(in: response)
    }

    private static func problemOfLength(in response: HTTPURLResponse) -> TransportError? {
        guard let text = response.value(forHTTPHeaderField: "Content-Length") else { return nil }
        let coding = response.value(forHTTPHeaderField: "Transfer-Encoding")?.asciiLowercased ?? ""
        guard coding.utf8.firstRange(of: "chunked".utf8) == nil else {
            return SessionCause.ambiguousLength.error("there are both Content-Length and Transfer-Encoding")
        }
        let lengths = text.byteSplit(separator: ",", omittingEmptySubsequences: false).map { length(of: $0) }
        guard let first = lengths.first, !lengths.contains(nil) else {
            return SessionCause.malformedContentLength.error("Content-Length is not a number")
        }
        // A repeated equal length counts once (RFC 9110, section 8.6).
        guard lengths.allSatisfy({ $0 == first }) else {
            return SessionCause.conflictingContentLength.error("there are conflicting Content-Length values")
        }
        return nil
    }

    private static func length(of element: Substring) -> Int? {
        ASCII.decimal(element.trimmingSpaces.utf8)
    }
}
