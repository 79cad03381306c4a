#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One step of a raw answer.
///
/// ```swift
/// let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
/// server.enqueue(.raw([.write(half), .pause(.milliseconds(50)), .reset]))
/// ```
public struct MockStep: Sendable, Hashable {
    enum Kind: Hashable {
        case write(Data, pieceBytes: Int)
        case pause(Duration)
        case stall
        case close
        case reset
    }

    let kind: Kind

    /// Sends a text's UTF-8 bytes unchanged, so the script must contain the line ends.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - pieceBytes: The maximum number of bytes for one write, so that the peer gets the answer in small pieces;
    ///     `nil` writes everything at once.
    /// - Returns: The step.
    public static func write(_ text: String, pieceBytes: Int? = nil) -> MockStep {
        write(Data(text.utf8), pieceBytes: pieceBytes)
    }

    /// Sends bytes unchanged.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - pieceBytes: The maximum number of bytes for one write; `nil` writes everything at once.
    /// - Returns: The step.
    public static func write(_ bytes: some Sequence<UInt8>, pieceBytes: Int? = nil) -> MockStep {
        MockStep(kind: .write(Data(bytes), pieceBytes: max(1, pieceBytes ?? .max)))
    }

    /// Pauses; ends the script if the peer closes the connection meanwhile.
    public static func pause(_ duration: Duration) -> MockStep {
        MockStep(kind: .pause(duration))
    }

    /// Keeps the connection open without sending until the peer closes it or the server stops.
    ///
    /// Later steps are ignored.
    public static let stall = MockStep(kind: .stall)

    /// Closes the connection (FIN); later steps are ignored.
    public static let close = MockStep(kind: .close)

    /// Resets the connection (RST); later steps are ignored.
    ///
    /// The system may drop what was written just before: a ``pause(_:)`` in between prevents that.
    public static let reset = MockStep(kind: .reset)
}
