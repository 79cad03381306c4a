import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The version of a service's file, in a form that a range can be bound to.
enum RangeValidator: Sendable, Equatable {
    /// A strong entity tag, with its quotes.
    case etag(String)
    /// A date that counts as strong, as it was sent.
    case lastModified(String)

    /// A longer tag isn't plausible, and has to fit into the record and into each request.
    static let bytesMax = 1024
    /// How much older than the response the date must be.
    ///
    /// A file may change twice in one second, and the clocks of a server and of its disk may differ.
    private static let secondsMin: Int64 = 60

    /// The validator in the fields of a response; `nil` without a strong one
    /// ([RFC 9110, section 8.8](https://www.rfc-editor.org/rfc/rfc9110#section-8.8)).
    init?(_ headers: HTTPHeaders) {
        if let tag = headers[.etag] {
            // With a weak tag, a date is no better: the tag says that the file may differ.
            guard Self.isStrongTag(tag) else { return nil }
            self = .etag(tag)
            return
        }
        guard let modified = headers["Last-Modified"], let date = headers[.date],
            let dateSeconds = HTTPDate.seconds(in: date, now: Int64(Date().timeIntervalSince1970)),
            let modifiedSeconds = HTTPDate.seconds(in: modified, now: dateSeconds),
            dateSeconds - modifiedSeconds >= Self.secondsMin
        else { return nil }
        self = .lastModified(modified)
    }

    /// What `If-Range` says.
    var fieldValue: String {
        switch self {
        case .etag(let text), .lastModified(let text): text
        }
    }

    /// Whether a part of a response with these fields belongs to this version.
    ///
    /// A part has the tag of the whole (RFC 9110, section 15.3.7), but may leave out the date.
    func allows(partWith headers: HTTPHeaders) -> Bool {
        switch self {
        // Byte by byte: equal as texts can be two tags that differ in the form of a letter.
        case .etag(let tag): headers[.etag].map { $0.utf8.elementsEqual(tag.utf8) } ?? false
        case .lastModified(let text): headers["Last-Modified"].map { $0.utf8.elementsEqual(text.utf8) } ?? true
        }
    }

    /// Whether a text from a record is a validator that can be sent.
    var isValid: Bool {
        switch self {
        case .etag(let tag): Self.isStrongTag(tag)
        case .lastModified(let text): text.utf8.count <= 64 && HTTPDate.seconds(in: text, now: 0) != nil
        }
    }

    /// An empty tag names no version.
    private static func isStrongTag(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard bytes.count > 2, bytes.count <= bytesMax, bytes.first == 0x22, bytes.last == 0x22 else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }
}

/// What a draft is the beginning of, as far as it was received: a small file beside the draft.
///
/// It contains no URL and no credential, only digests of the URL and of an origin. It may be old, half written by
/// another program, or made by somebody else, so nothing in it is used before ``isUsable(for:bytesMax:)`` has checked
/// it.
struct DownloadRecord: Sendable, Equatable, Codable {
    /// The size of the file on disk is limited, since it is read into memory.
    static let bytesMax = 16 * 1024
    static let versionNow = 1

    var version = versionNow
    /// SHA-256 of the URL, in hexadecimal.
    let resource: String
    /// SHA-256 of the origin that the bytes came from, after all redirects, in hexadecimal: the same tag of another
    /// one names other bytes.
    private(set) var origin: String?
    private var etag: String?
    private var lastModified: String?
    /// The size of the whole file, if the service has sent it.
    var total: Int?
    /// How many bytes at the beginning of the draft are on the disk, whatever happens to the machine.
    var synced = 0
    /// The boot of the machine in which the draft was written; `nil` where that is unknown.
    var boot: String?
    var digest: ServiceDigest?
    /// The content coding of the draft's bytes; `nil` for none.
    var coding: String?
    /// Whether the download may replace a file at its destination; `nil` for no.
    var replaces: Bool?

    init(
        resource: String,
        origin: String? = nil,
        validator: RangeValidator,
        total: Int?,
        digest: ServiceDigest?,
    ) {
        (self.resource, self.origin, self.total, self.digest) = (resource, origin, total, digest)
        switch validator {
        case .etag(let tag): etag = tag
        case .lastModified(let text): lastModified = text
        }
        boot = Self.bootNow
    }

    /// The version of the service's file; `nil` in a record that is damaged.
    var validator: RangeValidator? {
        let validator: RangeValidator? =
            switch (etag, lastModified) {
            case (let tag?, nil): .etag(tag)
            case (nil, let text?): .lastModified(text)
            default: nil
            }
        return validator?.isValid == true ? validator : nil
    }

    /// Whether the record describes a part of a resource that may become a file of at most this size.
    func isUsable(for resource: String, bytesMax: Int) -> Bool {
        guard version == Self.versionNow, self.resource == resource, validator != nil, synced >= 0 else { return false }
        guard let total else { return synced <= bytesMax }
        return total > 0 && total <= bytesMax && synced <= total
    }

    /// How many bytes of a draft of this size are right; `nil` if the draft isn't that of the record.
    ///
    /// Bytes that a process has written survive it, however it ends. Only a machine that loses its power, or crashes,
    /// may lose them, or leave zeros in their place. So beyond what is on the disk, the draft is trusted only in the
    /// boot in which it was written.
    func trustedCount(of size: Int, bootNow: String?) -> Int? {
        guard size >= synced, size <= total ?? .max else { return nil }
        return boot != nil && boot == bootNow ? size : synced
    }

    /// A name for the time since the machine was started; `nil` where the system has none that any process may read.
    static let bootNow: String? = {
        #if os(Linux)
        let text = try? PrivateFile(path: "/proc/sys/kernel/random/boot_id").read(upTo: 128)
        return text.map { String(decoding: $0, as: UTF8.self) }
        #else
        return nil
        #endif
    }()

    /// The digest of a URL without its fragment, which isn't sent.
    ///
    /// - Returns: `nil` if the system's library rejects SHA-256.
    static func resource(of url: URL) -> String? {
        hexadecimalDigest(of: url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
    }

    /// The digest of the origin of a URL.
    ///
    /// - Returns: `nil` if the system's library rejects SHA-256, or the URL has no origin.
    static func origin(of url: URL) -> String? {
        HTTPOrigin(url).flatMap { hexadecimalDigest(of: $0.description.utf8) }
    }

    private static func hexadecimalDigest(of text: some Sequence<UInt8>) -> String? {
        guard var digest = try? RunningDigest(.sha256), (try? digest.update(Data(text))) != nil else { return nil }
        return try? digest.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
