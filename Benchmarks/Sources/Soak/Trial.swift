import Foundation
import HikyakuHTTP
import Randomness
import SoakSupport

/// One request of the soak test, with the behaviour of its caller; the seed and the number determine both.
struct Trial: Sendable {
    enum Reading: Sendable {
        /// The transport collects the body.
        case collected
        /// The body is read as a stream to its end.
        case streamed
        /// The body's stream is dropped in the middle.
        case dropped
    }

    enum Sending: Sendable {
        case nothing
        case bytes
        /// Pulled from a sequence.
        case stream
    }

    let number: UInt64
    let behavior: SoakBehavior
    let count: Int
    let method: HTTPMethod
    let sending: Sending
    let reading: Reading
    /// When the caller gives up; `nil` for never.
    let cancelsAfter: Duration?

    private static let faultShare = 0.1
    private static let cancelShare = 0.05

    init(seed: UInt64, index: Int, isBehindGateway: Bool) {
        var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 0x2545_F491_4F6C_DD1D)
        number = generator.next()
        let isFault = Double.random(in: 0..<1, using: &generator) < Self.faultShare
        let faults = isBehindGateway ? SoakBehavior.faultsBehindGateway : SoakBehavior.faults
        let good = isBehindGateway ? SoakBehavior.goodBehindGateway : SoakBehavior.good
        behavior = (isFault ? faults : good).randomElement(using: &generator) ?? .plain
        // Of a body that breaks off, a stream gives the beginning.
        count = max(Self.count(&generator), isFault ? 8 : 0)
        let isUpload = Int.random(in: 0..<5, using: &generator) == 0
        method = isUpload ? (Bool.random(using: &generator) ? .post : .put) : .get
        sending = isUpload ? (Int.random(in: 0..<3, using: &generator) == 0 ? .stream : .bytes) : .nothing
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: reading = .dropped
        case 1, 2: reading = .streamed
        default: reading = .collected
        }
        let isCancelled = Double.random(in: 0..<1, using: &generator) < Self.cancelShare
        cancelsAfter = isCancelled ? .microseconds(Int.random(in: 0...20_000, using: &generator)) : nil
    }

    /// Most bodies are small, a few large enough to fill the sockets' buffers.
    private static func count(_ generator: inout SeededGenerator) -> Int {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0: Int.random(in: 0...2_000_000, using: &generator)
        case 1..<20: Int.random(in: 0...100_000, using: &generator)
        default: Int.random(in: 1...2000, using: &generator)
        }
    }

    var body: HTTPBody? {
        switch sending {
        case .nothing: nil
        case .bytes: HTTPBody(Data(SoakContent.bytes(for: number, count: count)))
        case .stream: HTTPBody(Pieces(bytes: SoakContent.bytes(for: number, count: count)), count: count)
        }
    }

    /// What the body of a success must be.
    var expectedContent: [UInt8] { behavior == .noContent ? [] : SoakContent.bytes(for: number, count: count) }

    var words: String {
        "\(method) \(behavior) number \(number), \(count) bytes, sends \(sending), \(reading)"
            + (cancelsAfter.map { ", cancelled after \($0)" } ?? "")
    }
}

/// Bytes in pieces, as an upload that comes from elsewhere.
private struct Pieces: AsyncSequence, Sendable {
    let bytes: [UInt8]

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() async -> Data? {
            guard !rest.isEmpty else { return nil }
            let piece = Data(rest.prefix(16 * 1024))
            rest = rest.dropFirst(16 * 1024)
            await Task.yield()
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...]) }
}
