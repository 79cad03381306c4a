import Foundation

/// What the contestants in Swift share: the arguments, the load, and the measuring.
public struct Peer: Sendable {
    private let arguments: PeerArguments

    /// Makes one request, and gives the status and the length of the body, sent or received.
    public typealias Request = @Sendable (_ url: URL) async throws -> (status: Int, length: Int)

    /// What is sent piece by piece.
    public static let piece = Data(repeating: 0x78, count: 64 * 1024)

    /// Why a contestant gives up.
    public enum Failure: Error {
        /// A word that is not one of those that ``PeerArguments`` reads.
        case arguments(String)
        /// The contestant doesn't support the mode.
        case mode(String)
        /// Status or length of an answer is not what it must be.
        case badAnswer(status: Int, length: Int)
    }

    /// Reads the arguments, measures what `prepare` makes, prints the outcome and ends the process.
    public static func run(_ prepare: @escaping @Sendable (PeerArguments) async throws -> Request) -> Never {
        report { arguments in try await measure(arguments, prepare(arguments)) }
    }

    /// Reads the arguments, prints what `makeText` returns and ends the process.
    ///
    /// The thread that calls waits: an asynchronous `main` would end it, which valgrind doesn't survive.
    public static func report(_ makeText: @escaping @Sendable (PeerArguments) async throws -> String) -> Never {
        Task.detached {
            do {
                print(try await makeText(PeerArguments(CommandLine.arguments.dropFirst())))
                exit(0)
            } catch {
                let text = "\(CommandLine.arguments[0]): \(error)\n"
                _ = write(STDERR_FILENO, text, text.utf8.count)
                exit(1)
            }
        }
        while true { pause() }
    }

    /// Gives the figures of a request as `name=value` words.
    ///
    /// - Throws: What the request throws, or ``Failure/badAnswer(status:length:)``.
    public static func measure(_ arguments: PeerArguments, _ request: @escaping Request) async throws -> String {
        try await Peer(arguments: arguments).measure(request)
    }

    private func measure(_ request: @escaping Request) async throws -> String {
        if let url = URL(string: arguments.first) { _ = try await request(url) }
        if arguments.requests == 0, arguments.first.isEmpty {
            _ = try await load(until: Self.nanoseconds() + arguments.warmUp, request)
        }
        let memory = ProcessMemory.beginPeak()
        let switches = Self.contextSwitches()
        let cpu = Self.cpuMicroseconds()
        let begin = Self.nanoseconds()
        let latencies = try await load(until: begin + arguments.seconds, request)
        let elapsed = Double(Self.nanoseconds() - begin) / 1e9
        let used = Self.cpuMicroseconds() - cpu
        let switched = Self.contextSwitches() - switches
        let growth = max(ProcessMemory.peakBytes() - memory, 0)
        let (p50, p99) = (latencies.microseconds(below: 0.5), latencies.microseconds(below: 0.99))
        return "requests=\(latencies.count) seconds=\(elapsed) cpu=\(used) switches=\(switched) "
            + "p50=\(p50) p99=\(p99) memory=\(growth)"
    }

    /// Keeps `width` requests in flight until the time is over, or their number is reached.
    private func load(until end: UInt64, _ request: @escaping Request) async throws -> LatencyHistogram {
        try await withThrowingTaskGroup(of: LatencyHistogram.self) { group in
            for index in 0..<arguments.width {
                let share = arguments.requests / arguments.width
                let own = share + (index < arguments.requests % arguments.width ? 1 : 0)
                if arguments.requests > 0, own == 0 { continue }
                group.addTask { try await repeated(arguments.requests > 0 ? own : .max, until: end, request) }
            }
            return try await group.reduce(into: LatencyHistogram()) { $0.add($1) }
        }
    }

    private func repeated(_ count: Int, until end: UInt64, _ request: Request) async throws -> LatencyHistogram {
        guard let url = URL(string: arguments.url) else { throw Failure.arguments(arguments.url) }
        var latencies = LatencyHistogram()
        var begin = Self.nanoseconds()
        for _ in 0..<count {
            let (status, length) = try await request(url)
            guard status == 200, length == arguments.bytes else {
                throw Failure.badAnswer(status: status, length: length)
            }
            let now = Self.nanoseconds()
            latencies.add(now - begin)
            begin = now
            if now >= end, arguments.requests == 0 { break }
        }
        return latencies
    }

    private static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// What user and system mode took together.
    private static func cpuMicroseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// How often a thread of the process gave up its core, by itself or not.
    private static func contextSwitches() -> Int {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return Int(usage.ru_nvcsw + usage.ru_nivcsw)
    }
}

extension UInt64 {
    fileprivate static func + (nanoseconds: UInt64, seconds: Double) -> UInt64 {
        nanoseconds + UInt64(seconds * 1e9)
    }
}
