#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of a message.
///
/// A body prints as its length: content is shown only by who asks for it.
public struct HTTPBody: Sendable {
    /// The bytes of a body that is in memory as a whole.
    package let bytes: Data

    /// Makes a body of bytes.
    public init(_ bytes: Data) {
        self.bytes = bytes
    }

    /// Makes a body of a text's UTF-8 bytes.
    public init(_ text: String) {
        bytes = Data(text.utf8)
    }

    /// A body without a byte.
    public static let empty = HTTPBody(Data())

    /// The size in bytes where it is known beforehand.
    public var count: Int? { bytes.count }

    /// The whole body in memory.
    ///
    /// - Parameter bytesMax: The most that is taken, in bytes.
    /// - Returns: All bytes of the body.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` when there is more.
    public func collect(upTo bytesMax: Int = TransportOptions.bodyBytesMaxDefault) async throws -> Data {
        guard bytes.count <= bytesMax else {
            throw TransportError(.bodyTooLarge, "the body has \(bytes.count) bytes, the limit is \(bytesMax)")
        }
        return bytes
    }
}

extension HTTPBody: ExpressibleByStringLiteral {
    /// Makes a body of a literal's UTF-8 bytes.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
    /// The length: `315 bytes`.
    public var description: String { bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes" }

    /// The length, and never the bytes, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["count": bytes.count])
    }
}
