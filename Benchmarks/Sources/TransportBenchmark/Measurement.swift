import Foundation

enum Contestant: String, CaseIterable, Sendable {
    case hikyaku = "HikyakuPeer"
    case libcurl = "LibcurlPeer"
    case urlSession = "URLSessionPeer"

    var title: String {
        switch self {
        case .hikyaku: "CurlTransport"
        case .libcurl: "C libcurl"
        case .urlSession: "URLSession"
        }
    }
}

/// What one contestant did in one round.
struct Measurement: Sendable {
    let requestsPerSecond: Double
    let cpuMicrosecondsPerRequest: Double
    let p50Microseconds: Double
    let p99Microseconds: Double
    let memoryMebibytes: Double

    enum Failure: Error, CustomStringConvertible {
        case contestant(String, status: Int32)
        case output(String)

        var description: String {
            switch self {
            case .contestant(let name, let status): "\(name) ended with status \(status)"
            case .output(let text): "a contestant printed \(text.debugDescription)"
            }
        }
    }

    /// Runs a contestant as a child process and reads its line.
    static func run(_ contestant: Contestant, _ row: Row, _ servers: Servers, _ options: Options) throws -> Measurement
    {
        let text = try ChildProcess.output(
            of: contestant.path,
            ["seconds=\(options.seconds)"] + servers.words(for: row, warmUp: options.warmUp),
        )
        guard let measurement = Measurement(text) else { throw Failure.output(text) }
        return measurement
    }

    private init?(_ line: String) {
        var figures: [Substring: Double] = [:]
        for word in line.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=")
            if parts.count == 2, let value = Double(parts[1]) { figures[parts[0]] = value }
        }
        guard let requests = figures["requests"], let seconds = figures["seconds"], let cpu = figures["cpu"],
            let p50 = figures["p50"], let p99 = figures["p99"], let memory = figures["memory"],
            requests > 0, seconds > 0
        else { return nil }
        requestsPerSecond = requests / seconds
        cpuMicrosecondsPerRequest = cpu / requests
        (p50Microseconds, p99Microseconds) = (p50, p99)
        memoryMebibytes = memory / 1_048_576
    }
}

extension Contestant {
    /// Beside the program that measures.
    var path: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(rawValue).path
    }
}

enum ChildProcess {
    /// How long a program may run, in seconds.
    private static let secondsMax = 600

    /// What a program prints; its own words for a failure go to where ours go.
    static func output(of path: String, _ arguments: [String], standardError: FileHandle? = nil) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // URLSession was seen to hang.
        process.arguments = ["timeout", "\(secondsMax)", path] + arguments
        process.standardOutput = output
        if let standardError { process.standardError = standardError }
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Measurement.Failure.contestant(path, status: process.terminationStatus)
        }
        return text
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
