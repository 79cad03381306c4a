#if os(Linux)
import Foundation
import Testing

/// A second run of one test in a process where the look-up of a name below `slow.invalid` lasts until ``letGo()``.
///
/// No resolver of this machine does that on demand: so the system's function is replaced when the process is loaded.
struct SlowNames {
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <netdb.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
            size_t count = name ? strlen(name) : 0;
            if (count >= 12 && strcmp(name + count - 12, "slow.invalid") == 0) {
                const char *path = getenv("HIKYAKU_SLOW_NAMES");
                while (path && access(path, F_OK) != 0) usleep(10000);
                return EAI_NONAME;
            }
            int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **)
                = (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))
                    dlsym(RTLD_NEXT, "getaddrinfo");
            return next(name, service, hints, found);
        }
        """

    /// Whether this is the process with slow names; where it isn't, the test runs there once, and is expected to pass.
    static func areInEffect(for test: String) async throws -> Bool {
        guard ProcessInfo.processInfo.environment["HIKYAKU_SLOW_NAMES"] == nil else { return true }
        let (status, output) = try await onOwnThread { try run(test) }
        #expect(status == 0 && output.contains("with 1 test in 1 suite passed"), "\(output)")
        return false
    }

    /// Has all look-ups end, those that begin later too: the names are not found.
    static func letGo() throws {
        let path = try #require(ProcessInfo.processInfo.environment["HIKYAKU_SLOW_NAMES"])
        try Data().write(to: URL(fileURLWithPath: path))
    }

    /// A process that ends during name lookups does not wait for their threads.
    private static var sanitizerOptions: String {
        let given = ProcessInfo.processInfo.environment["TSAN_OPTIONS"].map { $0 + ":" } ?? ""
        return given + "report_thread_leaks=0"
    }

    /// Runs a test of this process's program once more, there; gives what it printed.
    private static func run(_ test: String) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slow-names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = folder.appendingPathComponent("slow.so").path
        let sourcePath = folder.appendingPathComponent("slow.c").path
        try source.write(toFile: sourcePath, atomically: true, encoding: .utf8)
        let compiled = try run("/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", library, sourcePath, "-ldl"], [:])
        try #require(compiled.status == 0, "\(compiled.output)")
        return try run(
            CommandLine.arguments[0],
            ["--testing-library", "swift-testing", "--filter", "HikyakuWireTests.*/" + test],
            [
                "LD_PRELOAD": library, "HIKYAKU_SLOW_NAMES": folder.appendingPathComponent("found").path,
                "TSAN_OPTIONS": sanitizerOptions,
            ],
        )
    }

    private static func run(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = contents(of: pipe.fileHandleForReading.fileDescriptor)
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// All that comes; Foundation's own function gives up when a signal interrupts it.
    private static func contents(of descriptor: Int32) -> Data {
        var contents = Data()
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = uninterrupted({ read(descriptor, &piece, piece.count) }), count > 0 {
            contents.append(contentsOf: piece[..<count])
        }
        return contents
    }
}
#endif
