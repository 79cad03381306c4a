#if os(Linux)
import Foundation
import TestSupport
import Testing

/// A program that runs for as long as this value lives: a server that a test needs.
///
/// However this process ends, the kernel closes the pipe that is the program's standard input. A program that doesn't
/// end with that is given a shell that ends it.
final class Program {
    /// What the program's own files go to.
    let folder: URL
    private let process = Process()
    private let leash: Pipe
    private let output: Pipe
    /// A pipe that is made while another program starts would be inherited by that one, and then not end with this
    /// value.
    private static let starting = NSLock()

    /// Starts a program, by its path and what it gets, with a folder that is removed with this value.
    init(_ words: [String], in folder: URL? = nil, endsWithInput: Bool = false) throws {
        self.folder = try folder ?? Self.makeFolder()
        let shell = ["/bin/sh", "-c", #""$@" & child=$!; cat >/dev/null; kill "$child"; wait"#, "server"]
        let all = endsWithInput ? words : shell + words
        process.executableURL = URL(filePath: all[0])
        process.arguments = Array(all.dropFirst())
        process.standardError = FileHandle.nullDevice
        (leash, output) = try Self.starting.withLock { [process] in
            let pipes = (leash: Pipe(), output: Pipe())
            for pipe in [pipes.leash, pipes.output] {
                _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFD, FD_CLOEXEC)
                _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            process.standardInput = pipes.leash
            process.standardOutput = pipes.output
            try Self.withoutBlockedSignals { try process.run() }
            return pipes
        }
    }

    deinit {
        try? leash.fileHandleForWriting.close()
        Thread.detachNewThread { [process, folder] in
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// The first line that the program writes.
    func firstLine() async throws -> String {
        try await onOwnThread { [file = output.fileHandleForReading] in
            var line = Data()
            while let byte = try file.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Where a program is, where the system keeps it or on the path.
    static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders: [String] = ["/usr/bin", "/usr/sbin"] + path.split(separator: ":").map { String($0) }
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether all of some programs are there; says which aren't.
    static func areInstalled(_ names: String...) -> Bool {
        let missing = names.filter { find($0) == nil }
        if !missing.isEmpty { print("not found: \(missing.joined(separator: ", ")); scripts/setup test installs them") }
        return missing.isEmpty
    }

    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A server may run as somebody else.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path())
        return folder
    }

    /// Runs a program to its end; call it on a thread of its own.
    static func run(_ words: [String], in folder: URL) throws {
        let process = Process()
        // Foundation would change the folder of this whole process for a moment.
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", #"cd "$0" && exec "$@""#, folder.path()] + words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try starting.withLock { try withoutBlockedSignals { try process.run() } }
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words.joined(separator: " "))")
    }

    /// Threads that run tasks block most signals, and a process inherits that: one could not be ended by `kill`.
    private static func withoutBlockedSignals(_ action: () throws -> Void) rethrows {
        var none = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try action()
    }
}

/// The files beside the tests that servers are made of.
enum ServerScript {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Servers")

    static func start(_ name: String, _ options: some Encodable, in folder: URL? = nil) throws -> Program {
        let json = String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
        let python = try #require(Program.find("python3"))
        return try Program([python, Self.folder.appending(path: name).path(), json], in: folder, endsWithInput: true)
    }
}

/// A port of loopback that is free at this moment, for servers that can't choose one.
func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
}

/// Returns when somebody listens on a port.
func waitForListener(on port: Int) async throws {
    let isListening = try await holds(within: .seconds(20)) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
    try #require(isListening, "nothing listens on \(port)")
}
#endif
