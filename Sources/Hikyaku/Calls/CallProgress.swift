/// How far the bytes of a call have come, in the direction in which they move just now.
///
/// What follows a redirect, or is a further attempt, begins at nothing again.
public struct CallProgress: Sendable, Hashable {
    /// Which way bytes move.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// The request's body is being sent.
        case up
        /// The response's body is coming.
        case down
    }

    /// Which way the bytes move.
    public let direction: Direction
    /// How many have moved, as they are on the wire: in their content coding.
    public let bytesDone: Int
    /// How many there are in all; `nil` where nobody has said.
    public let bytesTotal: Int?
    /// The throughput: bytes in a second, of the last few seconds more than of those before; `nil` until there are two
    /// moments to compare.
    public let bytesPerSecond: Double?

    /// Makes a progress, for tests of what shows one.
    public init(direction: Direction, bytesDone: Int, bytesTotal: Int? = nil, bytesPerSecond: Double? = nil) {
        self.direction = direction
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.bytesPerSecond = bytesPerSecond
    }

    /// From 0 to 1; `nil` where the total isn't known.
    public var fraction: Double? {
        guard let bytesTotal else { return nil }
        guard bytesTotal > 0 else { return 1 }
        return min(1, Double(bytesDone) / Double(bytesTotal))
    }

    /// How long the rest takes at this throughput, a hundred years at most; `nil` where that can't be told.
    public var timeLeft: Duration? {
        guard let bytesTotal else { return nil }
        guard bytesDone < bytesTotal else { return .zero }
        guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        let seconds = (Double(bytesTotal) - Double(bytesDone)) / bytesPerSecond
        return seconds < Duration.farFuture / .seconds(1) ? .seconds(seconds) : .farFuture
    }
}

extension CallProgress: CustomStringConvertible {
    /// `down 1048576 of 4194304 bytes`.
    public var description: String {
        "\(direction.rawValue) \(bytesDone)\(bytesTotal.map { " of \($0)" } ?? "") bytes"
    }
}
