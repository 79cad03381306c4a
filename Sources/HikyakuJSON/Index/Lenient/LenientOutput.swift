/// What a lenient document becomes: its own bytes, with something else in a few places.
///
/// Bytes are copied in runs, when something else comes. Instead of being kept, they can also be counted only, so as to
/// find out where some of them come from.
struct LenientOutput {
    private let base: UnsafePointer<UInt8>
    private(set) var bytes: [UInt8] = []
    /// How many bytes there are so far, and up to where the document's are among them.
    private var count = 0
    private var taken = 0
    /// The places whose origins are asked for, in order; `nil` where the bytes are kept.
    private let targets: [Int]?
    /// The origins of the first of them.
    private(set) var origins: [Int] = []

    init(of base: UnsafePointer<UInt8>, targets: [Int]? = nil) {
        self.base = base
        self.targets = targets
    }

    /// Whether all is as it was up to now.
    var isUnchanged: Bool { taken == 0 && count == 0 }

    /// The number of bytes once the document's are taken up to a place.
    @inline(__always)
    func count(upTo place: Int) -> Int { count + place - taken }

    /// Takes the document's bytes up to a place.
    mutating func take(upTo place: Int) {
        guard place > taken else { return }
        if targets == nil {
            bytes.append(contentsOf: UnsafeBufferPointer(start: base + taken, count: place - taken))
        }
        add(place - taken, from: taken, to: place)
        taken = place
    }

    /// Takes something else for a part of the document.
    mutating func replace(_ start: Int, _ end: Int, by others: some Collection<UInt8>) {
        take(upTo: start)
        if targets == nil { bytes.append(contentsOf: others) }
        add(others.count, from: start, to: end)
        taken = end
    }

    /// Makes one byte a space that was taken, or will be.
    mutating func blank(at index: Int, upTo place: Int) {
        take(upTo: place)
        if targets == nil { bytes[index] = Byte.space }
    }

    private mutating func add(_ added: Int, from start: Int, to end: Int) {
        if let targets {
            while origins.count < targets.count, targets[origins.count] < count + added {
                origins.append(min(start + targets[origins.count] - count, max(start, end - 1)))
            }
        }
        count += added
    }
}
