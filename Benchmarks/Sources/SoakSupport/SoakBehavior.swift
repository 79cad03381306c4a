import Randomness

/// What the soak's server does with a request; the client says it in the path.
public enum SoakBehavior: String, CaseIterable, Sendable {
    // The answers of a good server.
    case plain, chunked, drip, connectionClose, quietClose, noContent, interim
    // Faults: whatever comes of them must be an error.
    case resetAtOnce, resetInHead, resetInBody
    case closeAtOnce, closeInHead, closeInBody, closeInChunks
    case malformedChunk, overflowingChunk, twoLengths, overflowingLength, lengthAndChunked
    case switchedProtocols, malformedStatus, endlessHead
    case stallAtOnce, stallInHead, stallInBody

    /// Whether the answer is one that no client may return as a success.
    public var isFault: Bool { Self.faults.contains(self) }

    /// Those of a good server.
    public static let good: [SoakBehavior] = [
        .plain, .chunked, .drip, .connectionClose, .quietClose, .noContent, .interim,
    ]

    /// Those that are none; a stall costs the client its timeout, and so is rarer.
    public static let faults: [SoakBehavior] = allCases.filter { !good.contains($0) }

    /// Those whose answers mean the same after a gateway, which mends or translates the others.
    public static let goodBehindGateway: [SoakBehavior] = good.filter { $0 != .interim }

    /// Faults that a gateway hands on, or answers with an error of its own.
    public static let faultsBehindGateway: [SoakBehavior] = [
        .resetAtOnce, .resetInHead, .resetInBody, .closeAtOnce, .closeInHead, .closeInBody, .closeInChunks,
        .malformedChunk, .overflowingChunk, .endlessHead, .stallAtOnce, .stallInHead, .stallInBody,
    ]
}

/// The bytes that belong to a request's number, so that both sides know what a body must be.
public enum SoakContent {
    /// Makes the bytes; other numbers have other bytes from the first eight on.
    public static func bytes(for number: UInt64, count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: number)
        return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, initializedCount in
            var index = 0
            while index < count {
                var word = generator.next()
                for _ in 0..<min(8, count - index) {
                    buffer.initializeElement(at: index, to: UInt8(truncatingIfNeeded: word))
                    word >>= 8
                    index += 1
                }
            }
            initializedCount = max(count, 0)
        }
    }
}
