#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One thing that a raw answer does with the connection.
///
/// ```swift
/// .raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .pause(.milliseconds(50)), .reset])
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

    /// Sends a text's UTF-8 bytes exactly as they are; line ends are the script's business.
    ///
    /// - Parameters:
    ///   - text: What goes out.
    ///   - pieceBytes: The most that is handed to the system at once, so that the peer has to put the answer together
    ///     from small reads; `nil` hands over everything.
    /// - Returns: The step.
    public static func write(_ text: String, pieceBytes: Int? = nil) -> MockStep {
        write(Data(text.utf8), pieceBytes: pieceBytes)
    }

    /// Sends bytes exactly as they are.
    ///
    /// - Parameters:
    ///   - bytes: What goes out.
    ///   - pieceBytes: The most that is handed to the system at once; `nil` hands over everything.
    /// - Returns: The step.
    public static func write(_ bytes: some Sequence<UInt8>, pieceBytes: Int? = nil) -> MockStep {
        MockStep(kind: .write(Data(bytes), pieceBytes: max(1, pieceBytes ?? .max)))
    }

    /// Does nothing for a while; ends the script when the peer closes the connection meanwhile.
    public static func pause(_ duration: Duration) -> MockStep {
        MockStep(kind: .pause(duration))
    }

    /// Holds the connection open and says nothing until the peer closes it or the server stops.
    ///
    /// Nothing behind it is done.
    public static let stall = MockStep(kind: .stall)

    /// Closes the connection in order (FIN); nothing behind it is done.
    public static let close = MockStep(kind: .close)

    /// Breaks the connection off (RST), which a peer sees as "connection reset"; nothing behind it is done.
    ///
    /// What was written just before may get lost, as the system drops it: a ``pause(_:)`` between lets it arrive.
    public static let reset = MockStep(kind: .reset)
}
