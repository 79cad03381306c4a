#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What writes the value of a `.json` body: the seam for encoders.
///
/// `encode` is called concurrently. Foundation's encoders conform; one that is configured must not be changed after it
/// was handed over.
public protocol RequestEncoder: Sendable {
    /// The `Content-Type` of what it writes. Default: `application/json`.
    var mediaType: String { get }

    /// Writes a value as a whole document.
    ///
    /// - Throws: Anything; it is reported as `.invalidRequest` with ``FailureReason/body``.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension RequestEncoder {
    /// JSON.
    public var mediaType: String { "application/json" }
}

extension HikyakuJSONEncoder: RequestEncoder {}

extension JSONEncoder: RequestEncoder {}

extension PropertyListEncoder: RequestEncoder {
    /// Property lists, in whichever form.
    public var mediaType: String { "application/x-plist" }
}
