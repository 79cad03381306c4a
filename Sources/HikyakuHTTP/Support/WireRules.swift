#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPRequest {
    /// Refuses what would be misread on the wire, whoever put it there.
    ///
    /// - Throws: ``TransportError`` with a reason of the phase `.invalidRequest`; its message names the field and never
    ///   a value.
    package func checkForWire() throws(TransportError) {
        guard method.rawValue.isHTTPToken, method.rawValue != "CONNECT" else {
            throw TransportError(.method, "the method \(method.rawValue.debugDescription) can't be sent")
        }
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw TransportError(.url, "the URL's scheme is not http or https")
        }
        guard let host = url.host(percentEncoded: true), !host.isEmpty else {
            throw TransportError(.url, "the URL has no host")
        }
        guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
            throw TransportError(.url, "the URL carries credentials; send them in a header")
        }
        guard body == nil || method != .head else {
            throw TransportError(.body, "a HEAD request can't carry a body")
        }
        for field in headers {
            try field.checkForWire()
        }
    }
}

extension HTTPHeaders.Field {
    fileprivate func checkForWire() throws(TransportError) {
        guard name.rawName.isHTTPToken else {
            throw TransportError(.header, "the header name \(name.rawName.debugDescription) is not a token")
        }
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            throw TransportError(.header, "the value of the header \(name.rawName) has a control character")
        }
    }
}

extension String {
    /// Whether the text is a token of RFC 9110, section 5.6.2.
    package var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy(\.isHTTPTokenByte)
    }
}

extension UInt8 {
    fileprivate var isHTTPTokenByte: Bool {
        switch self {
        case 48...57, 65...90, 97...122: true
        case 33, 35...39, 42, 43, 45, 46, 94...96, 124, 126: true  // ! # $ % & ' * + - . ^ _ ` | ~
        default: false
        }
    }
}
