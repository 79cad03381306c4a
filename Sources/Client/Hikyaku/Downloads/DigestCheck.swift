import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The digest of a whole representation that its service has sent.
struct ServiceDigest: Sendable, Equatable, Codable {
    /// A ``DigestAlgorithm``.
    private let algorithmName: String
    let bytes: Data

    private enum CodingKeys: String, CodingKey {
        case algorithmName = "algorithm"
        case bytes
    }

    private init?(_ algorithm: DigestAlgorithm, _ base64: String) {
        // The parser of structured fields leaves out the padding.
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: base64 + padding), bytes.count == algorithm.count else { return nil }
        (algorithmName, self.bytes) = (algorithm.rawValue, bytes)
    }

    /// `nil` if a record was changed by somebody.
    var algorithm: DigestAlgorithm? {
        DigestAlgorithm(rawValue: algorithmName).flatMap { $0.count == bytes.count ? $0 : nil }
    }

    /// The digest in the fields of a response: SHA-256 or SHA-512 in `Repr-Digest`, or `Content-MD5`.
    ///
    /// The first one in a part is that of the whole representation
    /// ([RFC 9530, section 3](https://www.rfc-editor.org/rfc/rfc9530#section-3)), but `Content-MD5` is that of the part
    /// alone. `nil` for a body that had a content coding, since the digest covers the coded bytes.
    static func read(from response: HTTPResponse) -> ServiceDigest? {
        guard !response.isCoded else { return nil }
        let members = response.headers["Repr-Digest"].flatMap { StructuredList(dictionary: $0) }
        for algorithm in [DigestAlgorithm.sha256, .sha512] {
            guard case .bytes(let text) = members?[algorithm.rawValue] else { continue }
            if let digest = ServiceDigest(algorithm, text) { return digest }
        }
        guard response.status.code != 206, let text = response.headers["Content-MD5"] else { return nil }
        return ServiceDigest(.md5, String(text.trimmingSpaces))
    }
}

/// Compares a file with its digests, which are computed while it is written.
///
/// Only the task that writes the file uses it.
final class DigestCheck {
    private final class Running {
        let expected: Data
        let source: String
        var digest: RunningDigest

        init(_ algorithm: DigestAlgorithm, _ expected: Data, source: String) throws(CryptoError) {
            digest = try RunningDigest(algorithm)
            (self.expected, self.source) = (expected, source)
        }
    }

    private var running: [Running] = []
    /// What may explain another digest.
    private let note: String
    /// How many bytes of the file were taken.
    private(set) var count = 0

    /// `nil` if there is nothing to check.
    ///
    /// - Parameters:
    ///   - given: The digest in the destination.
    ///   - sent: The digest that the service has sent; one that can't be computed here isn't checked.
    ///   - note: What may explain another digest, for the message.
    /// - Throws: ``FailureReason/digestMismatch`` if the given one is none, or can't be computed.
    init?(_ given: ContentDigest?, _ sent: ServiceDigest?, note: String = "") throws(TransportError) {
        self.note = note
        if let given {
            guard let bytes = given.bytes else {
                throw FileCause.digestMalformed.error(
                    "the expected digest isn't a \(given.algorithm.rawValue) digest in hexadecimal"
                )
            }
            do throws(CryptoError) {
                running.append(try Running(given.algorithm, bytes, source: "that was expected"))
            } catch {
                throw FileCause.digestUnavailable.error(
                    "the digest can't be computed: \(error)",
                    underlyingError: error,
                )
            }
        }
        if let sent, let algorithm = sent.algorithm,
            let check = try? Running(algorithm, sent.bytes, source: "that the service has sent")
        {
            running.append(check)
        }
        if running.isEmpty { return nil }
    }

    /// Takes the next bytes of the file.
    func update(_ bytes: Data) throws(TransportError) {
        do throws(CryptoError) {
            for check in running { try check.digest.update(bytes) }
        } catch {
            throw FileCause.digestUnavailable.error("the digest can't be computed: \(error)", underlyingError: error)
        }
        count += bytes.count
    }

    /// Ends the check; it takes nothing more.
    ///
    /// - Throws: ``FailureReason/digestMismatch``.
    func verify() throws(TransportError) {
        for check in running {
            let found = try? check.digest.finish()
            guard found != check.expected else { continue }
            throw FileCause.digestMismatch.error(
                "the \(count) bytes of the file don't have the digest \(check.source)\(note)"
            )
        }
    }
}

extension HTTPResponse {
    /// Whether its body has a content coding, or had one that was decoded.
    var isCoded: Bool { isDecoded || !codingNames.isEmpty }

    /// The content coding that its body still has; `nil` for none.
    var contentCoding: String? {
        let names = codingNames
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// What may explain that the body has another digest than the one that was published.
    var codingNote: String {
        if let contentCoding { return ", and are in the content coding \(contentCoding), as the service sent them" }
        return isDecoded
            ? ": the service sent them in a content coding, which was decoded; for its bytes as they are, send "
                + "Accept-Encoding: identity" : ""
    }
}
