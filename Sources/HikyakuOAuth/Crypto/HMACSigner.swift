public import Hikyaku

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signs requests with a key that the service has too: an example of a `RequestSigner`, for services of one's own.
///
/// ```swift
/// let client = APIClient().authorized(by: HMACSigner(keyID: "k1", key: key), for: .warehouse)
/// ```
/// A signed request has three fields:
/// ```
/// Date: Sun, 06 Nov 1994 08:49:37 GMT
/// X-Content-SHA256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
/// Authorization: HMAC-SHA256 keyId="k1", signature="…"
/// ```
/// The signature is base64 of the HMAC-SHA256 of five lines, with a line feed between them and none at the end: method,
/// path as it is sent (`/` where there is none), query as it is sent without the `?`, `Date`, and `X-Content-SHA256`,
/// which is the digest of the body in hexadecimal, of no bytes where there is no body. The service compares `Date` with
/// its own clock, so that a request that was overheard is of no use later. The host isn't signed, since proxies change
/// it: give each service a key of its own.
///
/// Bodies are bytes or files; what is in a stream isn't known before it is sent, so a stream is refused.
public struct HMACSigner: RequestSigner {
    /// The field that holds the body's digest.
    public static let digestField: HTTPHeaderName = "X-Content-SHA256"

    /// The name by which the service finds the key.
    public let keyID: String
    private let key: Secret<Data>
    private let date: @Sendable () -> Date

    /// It waits for nothing but the disk that a file is on.
    public var endsOnCancellation: Bool { true }

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - keyID: The name by which the service finds the key; printable ASCII without `"` and `\`.
    ///   - key: The key, 32 random bytes at best.
    ///   - date: The time of day.
    public init(keyID: String, key: Data, date: @escaping @Sendable () -> Date = { Date() }) {
        self.keyID = keyID
        self.key = Secret(key)
        self.date = date
    }

    /// Adds date, digest and signature, in the place of any that are there.
    ///
    /// - Throws: `TransportError` of the reason `body` for a stream, and of `header` for an id that no field can hold.
    public func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
        guard !keyID.isEmpty, keyID.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) else {
            throw TransportError(.header, "the key ID has a character that is invalid in the signature header")
        }
        guard let date = WebDate.text(of: date()) else {
            throw TransportError(.header, "the clock is outside the range of HTTP dates")
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
        case .stream:
            throw TransportError(
                .body,
                "a streamed body can't be signed: use bytes or a file as the body",
            )
        }
        return try digest.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension HMACSigner: CustomStringConvertible, CustomReflectable {
    /// The key's name.
    public var description: String { "HMACSigner(\(Redaction.printable(keyID, scalarsMax: 100)))" }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["keyID": Redaction.printable(keyID, scalarsMax: 100)]) }
}
