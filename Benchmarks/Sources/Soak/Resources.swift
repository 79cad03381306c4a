import Foundation

/// What the process holds of the system at a moment.
struct Resources: Sendable, CustomStringConvertible {
    let residentBytes: Int
    let descriptors: Int
    /// The targets of the file descriptors.
    let targets: [String]
    let threads: Int

    static func now() -> Resources {
        let pages =
            (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        // The listing's own descriptor is among them, and closed by now.
        let targets = names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        return Resources(
            residentBytes: pages * Int(getpagesize()),
            descriptors: targets.count,
            targets: targets,
            threads: ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).count,
        )
    }

    var description: String {
        "\(residentBytes / 1024) KiB resident, \(descriptors) descriptors, \(threads) threads"
    }
}
