#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the contestants in Swift share: the arguments, the load, and the measuring.
public struct Peer: Sendable {
    /// What is asked for, again and again.
    public let url: String
    /// How many requests are in flight at once.
    public let width: Int
    /// How long to run before measuring, in seconds.
    public let warmUp: Double
    /// How long to measure, in seconds.
    public let seconds: Double
    /// The length that every answer must have, in bytes.
    public let bodyLength: Int

    /// Why a contestant gives up.
    public enum Failure: Error {
        /// They are not those that ``init(arguments:)`` reads.
        case arguments
        /// Status or length of an answer is not what it must be.
        case badAnswer
    }

    /// Reads URL, requests at once, seconds of warm-up, seconds to measure, and the length of the body.
    public init(arguments: [String]) throws {
        guard arguments.count == 6, let width = Int(arguments[2]), let warmUp = Double(arguments[3]),
            let seconds = Double(arguments[4]), let bodyLength = Int(arguments[5])
        else { throw Failure.arguments }
        (url, self.width, self.warmUp) = (arguments[1], width, warmUp)
        (self.seconds, self.bodyLength) = (seconds, bodyLength)
    }

    /// Prints requests, seconds and CPU microseconds of the measured time; `request` gives status and length.
    public func measure(_ request: @escaping @Sendable () async throws -> (status: Int, length: Int)) async throws {
        _ = try await run(for: warmUp, request)
        let cpu = Self.cpuMicroseconds()
        let begin = ContinuousClock.now
        let requests = try await run(for: seconds, request)
        let elapsed = (ContinuousClock.now - begin) / .seconds(1)
        print(requests, elapsed, Self.cpuMicroseconds() - cpu)
    }

    private func run(
        for seconds: Double,
        _ request: @escaping @Sendable () async throws -> (status: Int, length: Int),
    ) async throws -> Int {
        let end = ContinuousClock.now + .seconds(seconds)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<width {
                group.addTask {
                    var done = 0
                    repeat {
                        guard try await request() == (200, bodyLength) else { throw Failure.badAnswer }
                        done += 1
                    } while ContinuousClock.now < end
                    return done
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// What user and system mode took together.
    private static func cpuMicroseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
