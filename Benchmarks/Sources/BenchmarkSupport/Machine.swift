import Foundation

/// Where and when the figures were taken.
public enum Machine {
    /// The day and the machine, then the compiler, libcurl and the server.
    public static var words: [String] {
        var name = utsname()
        uname(&name)
        let system = "\(text(name.sysname)) \(text(name.release)) \(text(name.machine))"
        let day = ISO8601DateFormatter().string(from: Date()).prefix(10)
        return [
            "\(day), \(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores, \(system)",
            [version(["swift", "--version"]), version(["curl-config", "--version"]), version(["nginx", "-v"])]
                .joined(separator: "; "),
        ]
    }

    private static var processor: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }

    private static func version(_ words: [String]) -> String {
        let output = Pipe()
        guard let name = words.first,
            let text = try? ChildProcess.output(
                of: name,
                Array(words.dropFirst()),
                standardError: output.fileHandleForWriting,
            )
        else { return "no \(words.first ?? "")" }
        try? output.fileHandleForWriting.close()
        let all = text + String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return all.split(separator: "\n").first { $0.contains("ersion") || $0.contains("libcurl") }.map(String.init)
            ?? all
    }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
