import CMalloc

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How much memory the process has in use, as the system counts it.
public enum ProcessMemory {
    /// Forgets the peak so far, and gives what is in use now, in bytes.
    public static func beginPeak() -> Int {
        #if !canImport(Darwin)
        // "5" sets the peak to what is in use at this moment.
        if let file = fopen("/proc/self/clear_refs", "w") {
            fputs("5", file)
            fclose(file)
        }
        #endif
        return peakBytes()
    }

    /// What is allocated by `malloc` now and not freed, in bytes, in all arenas.
    public static func allocatedBytes() -> Int {
        #if canImport(Darwin)
        var statistics = malloc_statistics_t()
        malloc_zone_statistics(nil, &statistics)
        return statistics.size_in_use
        #else
        let counts = mallinfo2()
        return Int(counts.uordblks + counts.hblkhd)
        #endif
    }

    /// The most that was in use since, in bytes.
    public static func peakBytes() -> Int {
        #if canImport(Darwin)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
        #else
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if words.first == "VmHWM:", words.count > 1, let kilobytes = Int(words[1]) { return kilobytes * 1024 }
        }
        return 0
        #endif
    }
}
