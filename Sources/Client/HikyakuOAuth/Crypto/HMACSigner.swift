public import Hikyaku
public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signs requests with a shared key: an example of a `RequestSigner`, for your own services.
///
/// ```swift
/// let client = APIClient().authorized(by: HMACSigner(keyID: "k1", key: signingKey), for: .shop)
/// ```
/// A signed request has three fields:
/// ```text
/// Date: Sun, 06 Nov 1994 08:49:37 GMT
/// X-Content-SHA256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
/// Authorization: HMAC-SHA256 keyId="k1", signature="…"
/// ```
/// The signature is base64 of the HMAC-SHA256 of five lines, separated by line feeds, with none at the end: the method,
/// the path as sent (`/` if there is none), the query as sent without the `?`, `Date`, and `X-Content-SHA256`. That is
/// the digest of the body in hexadecimal, or of zero bytes without a body. The service compares `Date` with its own
/// clock, so that a captured request can't be replayed later. The host isn't signed, since proxies change it: use a
/// separate key for each service.
///
/// Bodies can be bytes or files. A streamed body is rejected, since its content isn't known before it is sent.
public struct HMACSigner: RequestSigner {
    /// The field with the body's digest.
    static let digestField: HTTPHeaderName = "X-Content-SHA256"

    /// The identifier of the key for the service.
    public let keyID: String
    private let key: Secret<Data>
    private let date: @Sendable () -> Date

    /// `true`: it waits only for the disk of a file.
    public var endsOnCancellation: Bool { true }

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - keyID: The identifier of the key for the service; printable ASCII without `"` and `\`.
    ///   - key: The key, ideally 32 random bytes.
    ///   - date: The wall clock.
    public init(keyID: String, key: Data, date: @escaping @Sendable () -> Date = { Date() }) {
        self.keyID = keyID
        self.key = Secret(key)
        self.date = date
    }

    /// Adds date, digest and signature, and replaces existing ones.
    ///
    /// - Throws: `TransportError` with the reason `body` for a stream, and `header` for a key ID that is invalid in a
    ///   field.
    public func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
        guard !keyID.isEmpty, keyID.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) else {
            throw OAuthCause.keyID.error("the key ID has a character that is invalid in the signature header")
        }
        guard let date = WebDate.text(of: date()) else {
            throw OAuthCause.clock.error("the clock is outside the range of HTTP dates")
        }
        let digest = try await Self.digest(of: request.body)
        let path = request.url.path(percentEncoded: true)
        let lines = [
            request.method.rawValue, path.isEmpty ? "/" : path, request.url.query(percentEncoded: true) ?? "", date,
            digest,
        ]
        let signature = try Digest.hmac(Data(lines.joined(separator: "\n").utf8), key: key.reveal())
        request.headers[.date] = date
        request.headers[Self.digestField] = digest
        request.headers.setSecret(
            .authorization,
            "HMAC-SHA256 keyId=\"\(keyID)\", signature=\"\(signature.base64EncodedString())\"",
        )
    }

    /// The body's digest in hexadecimal.
    private static func digest(of body: HTTPBody?) async throws -> String {
        var digest = try RunningDigest()
        switch body?.storage {
        case nil: break
        case .bytes(let bytes): try digest.update(bytes)
        case .file: for try await piece in body ?? .empty { try digest.update(piece) }
        case .stream: throw OAuthCause.streamedBody.error("a streamed body can't be signed")
        }
        return try digest.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension HMACSigner: Redacted {
    /// The key's identifier.
    public var description: String { "HMACSigner(\(Redaction.printable(keyID, scalarsMax: 100)))" }
}
