/// How long requests took, in buckets whose width is below one percent of their value.
///
/// Taking a time is one shift and one addition in memory that was there before. The program in C has the same buckets.
public struct LatencyHistogram: Sendable {
    private static let bits = 7
    private static let bucketCount = (65 - bits) << bits

    private var counts = [UInt32](repeating: 0, count: bucketCount)

    /// Makes an empty histogram.
    public init() {}

    /// How many times were taken.
    public var count: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Takes one time, in nanoseconds.
    public mutating func add(_ nanoseconds: UInt64) {
        counts[Self.bucket(of: nanoseconds)] &+= 1
    }

    /// Takes all times of another.
    public mutating func add(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
    }

    /// The time below which a share of all times lies, in microseconds; 0 where there are none.
    public func microseconds(below share: Double) -> Double {
        let total = counts.reduce(0) { $0 + UInt64($1) }
        guard total > 0 else { return 0 }
        let rank = UInt64((Double(total) * share).rounded(.up))
        var seen: UInt64 = 0
        for (index, count) in counts.enumerated() {
            seen += UInt64(count)
            if seen >= rank { return Double(Self.start(of: index)) / 1000 }
        }
        return 0
    }

    private static func bucket(of value: UInt64) -> Int {
        let octave = max(0, 63 - value.leadingZeroBitCount - bits)
        return (octave << bits) + Int(value >> UInt64(octave))
    }

    private static func start(of bucket: Int) -> UInt64 {
        let octave = max(0, (bucket >> bits) - 1)
        return UInt64(bucket - (octave << bits)) << UInt64(octave)
    }
}
