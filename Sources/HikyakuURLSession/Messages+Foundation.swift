import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The request in Foundation's form, in which fields of one name are joined by `,`.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/body`` for a GET with a body, which URLSession refuses.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard request.method != .get || request.body == nil else {
            throw TransportError(.body, "URLSession sends no body with GET")
        }
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        timeoutInterval = URLSessionTransport.timeoutSeconds
        httpMethod = request.method.rawValue
        httpBody = request.body?.bytes
        httpShouldHandleCookies = false
        for field in request.headers {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        #if !canImport(Darwin)
        // There, half a compressed body passes for a whole one: so none is asked for by itself.
        if value(forHTTPHeaderField: "Accept-Encoding") == nil {
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        #endif
    }
}

extension HTTPResponse {
    /// The response with its fields sorted by name, since Foundation forgets their order.
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
    /// A comma begins a new cookie where a name and `=` follow it; that in a date has a day or a time behind it.
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
