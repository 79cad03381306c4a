import Foundation

/// What the process holds of the system at a moment.
struct Resources: Sendable, CustomStringConvertible {
    let residentBytes: Int
    let descriptors: Int
    let threads: Int

    static func now() -> Resources {
        let pages =
            (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Resources(
            residentBytes: pages * Int(getpagesize()),
            descriptors: entryCount(of: "/proc/self/fd"),
            threads: entryCount(of: "/proc/self/task"),
        )
    }

    private static func entryCount(of folder: String) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count
    }

    var description: String {
        "\(residentBytes / 1024) KiB resident, \(descriptors) descriptors, \(threads) threads"
    }
}
