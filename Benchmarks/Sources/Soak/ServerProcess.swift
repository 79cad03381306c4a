import Foundation

/// The soak's server as a child process, which ends with its standard input.
struct ServerProcess {
    let baseURL: String
    private let process: Process
    private let input: Pipe

    static func start() throws -> ServerProcess {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("SoakServer")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        return ServerProcess(
            baseURL: line.trimmingCharacters(in: .whitespacesAndNewlines),
            process: process,
            input: input,
        )
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
