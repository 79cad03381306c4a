import Foundation

/// What repeating took.
struct Cost {
    var documents = 0
    /// CPU time of the whole process, in user and system mode.
    var nanoseconds: UInt64 = 0

    /// Repeats until the CPU time is spent, or the given number of times.
    ///
    /// The clock costs a system call, so that it is looked at only about every hundredth of a second.
    static func measure(_ arguments: Arguments, _ once: () throws -> Void) rethrows -> Cost {
        if arguments.count > 0 {
            for _ in 0..<arguments.count { try once() }
            return Cost(documents: arguments.count)
        }
        let batch = try batchSize(once)
        let limit = UInt64(arguments.seconds * 1e9)
        var cost = Cost()
        let begin = cpuNanoseconds()
        repeat {
            for _ in 0..<batch { try once() }
            cost.documents += batch
            cost.nanoseconds = cpuNanoseconds() - begin
        } while cost.nanoseconds < limit
        return cost
    }

    /// How many take a hundredth of a second; finding out warms up.
    private static func batchSize(_ once: () throws -> Void) rethrows -> Int {
        var count = 1
        while true {
            let begin = cpuNanoseconds()
            for _ in 0..<count { try once() }
            if cpuNanoseconds() - begin > 10_000_000 { return count }
            count *= 2
        }
    }

    static func cpuNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Hides from the compiler that a value is not used.
@inline(never)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
