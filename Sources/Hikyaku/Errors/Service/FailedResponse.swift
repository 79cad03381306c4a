#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response that a failure is read from, and that an error keeps.
///
/// An error keeps at most ``bodyBytesMax`` bytes of the body. Printing shows type and length of the body and the values
/// of harmless headers alone.
public struct FailedResponse: Sendable {
    /// The most of a body that an error keeps, in bytes: 64 KiB.
    public static let bodyBytesMax = 64 * 1024

    /// The response's status.
    public let status: HTTPStatus
    /// The response's fields.
    public let headers: HTTPHeaders
    /// The body, or its beginning.
    public let body: Data
    /// Whether the body was longer than what is kept.
    public let isBodyCut: Bool
    /// Which call it was.
    public let context: CallContext

    let decoder: any ResponseDecoder

    /// Makes a response, for tests of a failure's initializer and of what handles errors.
    public init(
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        body: Data = Data(),
        context: CallContext = CallContext(),
    ) {
        self.init(status: status, headers: headers, body: body, context: context, decoder: InheritedDecoder())
    }

    init(
        status: HTTPStatus,
        headers: HTTPHeaders,
        body: Data,
        isBodyCut: Bool = false,
        context: CallContext,
        decoder: any ResponseDecoder,
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isBodyCut = isBodyCut
        self.context = context
        self.decoder = decoder
    }

    /// Decodes the body by the request's decoder.
    ///
    /// - Throws: What the decoder throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try decoder.decode(type, from: body)
    }

    /// The body as text, if it is UTF-8; it may hold secrets.
    public var text: String? { String(bytes: body, encoding: .utf8) }

    /// The same with no more of the body than an error keeps.
    func kept(context: CallContext) -> FailedResponse {
        FailedResponse(
            status: status,
            headers: headers,
            // Copied when cut, since a slice would keep the whole.
            body: body.count > Self.bodyBytesMax ? Data(Array(body.prefix(Self.bodyBytesMax))) : body,
            isBodyCut: isBodyCut || body.count > Self.bodyBytesMax,
            context: context,
            decoder: decoder,
        )
    }
}

extension FailedResponse: CustomStringConvertible, CustomReflectable {
    /// `404 Not Found, application/json, 54 bytes`.
    public var description: String {
        "\(status), \(Redaction.text(of: HTTPBody(body), headers: headers))\(isBodyCut ? " of a longer body" : "")"
    }

    /// What ``description`` shows, with the headers as they are shown, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["response": description, "headers": headers, "context": context])
    }
}
