import Foundation

/// Why a benchmark gives up.
public enum BenchmarkFailure: Error, CustomStringConvertible {
    /// A program that was started ended with an error.
    case program(String, status: Int32)
    /// A program printed something else than figures.
    case output(String)

    /// One sentence.
    public var description: String {
        switch self {
        case .program(let name, let status): "\(name) ended with status \(status)"
        case .output(let text): "a contestant printed \(text.debugDescription)"
        }
    }
}

/// The measured programs, which are in the same folder as the one that measures.
public enum Contestants {
    /// Runs one and reads the line of `name=value` that it prints.
    ///
    /// - Parameters:
    ///   - name: The program's.
    ///   - words: Its arguments.
    ///   - secondsMax: How long it may run; URLSession was seen to hang.
    /// - Returns: The values by their names.
    /// - Throws: ``BenchmarkFailure`` when it fails or prints something else.
    public static func run(_ name: String, _ words: [String], secondsMax: Int = 600) throws -> [String: Double] {
        try figures(try text(of: name, words, secondsMax: secondsMax))
    }

    /// The same on the first processor, so that no time is spent on passing tasks between several; on Linux alone.
    public static func runOnOneProcessor(_ name: String, _ words: [String]) throws -> [String: Double] {
        #if os(Linux)
        try figures(try text(ofInstalled: "taskset", ["-c", "0", path(of: name)] + words))
        #else
        try run(name, words)
        #endif
    }

    private static func figures(_ line: String) throws -> [String: Double] {
        var figures: [String: Double] = [:]
        for word in line.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=").map(String.init)
            guard parts.count == 2, let value = Double(parts[1]) else { throw BenchmarkFailure.output(line) }
            figures[parts[0]] = value
        }
        return figures
    }

    /// Runs one and reads what it prints.
    ///
    /// - Throws: ``BenchmarkFailure`` when it fails.
    public static func text(of name: String, _ words: [String], secondsMax: Int = 600) throws -> String {
        try ChildProcess.output(of: path(of: name), words, secondsMax: secondsMax)
    }

    /// Runs a program that is installed on the machine and reads what it prints.
    ///
    /// - Throws: ``BenchmarkFailure`` when it fails or isn't there.
    public static func text(ofInstalled name: String, _ words: [String]) throws -> String {
        try ChildProcess.output(of: name, words)
    }

    /// What all children that have ended took in user and system mode together, in microseconds.
    public static func childrenCPUMicroseconds() -> Double {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_CHILDREN, &usage)
        #else
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #endif
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return Double(user.tv_sec + system.tv_sec) * 1e6 + Double(user.tv_usec + system.tv_usec)
    }

    /// Counts the instructions of one in user mode with valgrind's callgrind: they repeat where times don't.
    ///
    /// - Throws: ``BenchmarkFailure`` when it fails.
    public static func instructions(_ name: String, _ words: [String]) throws -> Int {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "hikyaku-\(UUID().uuidString).callgrind"
        )
        defer { try? FileManager.default.removeItem(at: file) }
        let valgrind = ["--tool=callgrind", "--quiet", "--callgrind-out-file=\(file.path)", path(of: name)]
        // It complains about debugging information that it is too old for.
        _ = try ChildProcess.output(of: "valgrind", valgrind + words, standardError: .nullDevice)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        guard let line = lines.last(where: { $0.hasPrefix("totals:") }), let total = Int(line.dropFirst(8)) else {
            throw BenchmarkFailure.output("no total in callgrind's file")
        }
        return total
    }

    private static func path(of name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

enum ChildProcess {
    /// What a program prints; its own words for a failure go to where ours go.
    static func output(
        of path: String,
        _ arguments: [String],
        secondsMax: Int = 600,
        standardError: FileHandle? = nil,
    ) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "\(secondsMax)", path] + arguments
        process.standardOutput = output
        if let standardError { process.standardError = standardError }
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure.program(path, status: process.terminationStatus)
        }
        return text
    }
}
