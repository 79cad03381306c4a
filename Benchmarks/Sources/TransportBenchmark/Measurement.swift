import Foundation

enum Contestant: String, CaseIterable {
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
struct Measurement {
    let requestsPerSecond: Double
    let cpuMicrosecondsPerRequest: Double

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

    /// Runs a contestant as a child process.
    static func run(_ contestant: Contestant, url: String, width: Int, options: Options) throws -> Measurement {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(contestant.rawValue)
        process.arguments = [
            url, String(width), String(options.warmUp), String(options.seconds), String(Nginx.body.utf8.count),
        ]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure.contestant(contestant.title, status: process.terminationStatus)
        }
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3, numbers[0] > 0, numbers[1] > 0 else { throw Failure.output(text) }
        return Measurement(
            requestsPerSecond: numbers[0] / numbers[1],
            cpuMicrosecondsPerRequest: numbers[2] / numbers[0],
        )
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
