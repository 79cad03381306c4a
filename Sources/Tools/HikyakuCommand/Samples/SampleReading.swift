import Foundation
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// Reads the files and the standard input that samples and cURL lines come from.
enum SampleReading {
    /// What is read of one file at most; one byte more lets the reader say that it is too large.
    private static let bytesMax = ReadingLimits().fileBytesMax

    /// The bytes of a file, or those of standard input for `-`.
    ///
    /// - Throws: ``CommandFailure`` that names the file and says why it can't be read.
    static func file(_ path: String) throws(CommandFailure) -> SampleFile {
        if path == "-" {
            let bytes = try bytes(of: .standardInput, "standard input")
            return SampleFile(path: "standard input", bytes: bytes)
        }
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure("\(path) can't be read: there is no such file")
        }
        guard !isFolder.boolValue else { throw CommandFailure("\(path) can't be read: it is a folder") }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("\(path) can't be read: permission denied")
        }
        defer { try? handle.close() }
        return SampleFile(path: path, bytes: try bytes(of: handle, path))
    }

    /// The bytes of a file that a cURL line names: the line may be a stranger's, so only a regular file is read.
    ///
    /// - Throws: ``CommandFailure`` if there is none that can be read.
    static func bodyFile(_ path: String) throws(CommandFailure) -> [UInt8] {
        let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        guard !path.utf8.contains(0), case .file = FileKind(at: target) else {
            throw CommandFailure("\(path) can't be read: it is not a regular file")
        }
        return try file(path).bytes
    }

    private static func bytes(of handle: FileHandle, _ name: String) throws(CommandFailure) -> [UInt8] {
        try CommandFailure.explaining("\(name) can't be read") {
            var bytes: [UInt8] = []
            while bytes.count <= bytesMax, let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
                bytes += part
            }
            return bytes
        }
    }
}

/// Where generated code goes: to standard output, or to a file that isn't replaced by mistake.
struct SwiftOutput: Equatable, Sendable {
    /// The path; `nil` for standard output.
    var path: String?
    /// Whether a file that is there is replaced.
    var replaces = false

    init(_ read: OptionReader) throws(CommandFailure) {
        path = try read.value(of: "output")
        if path == "-" { path = nil }
        replaces = read.flags.contains("force")
    }

    init() {}

    /// - Throws: ``CommandFailure`` if the file can't be written, or is there already.
    func check() throws(CommandFailure) {
        guard let path else { return }
        try WholeFile.checkFolder(of: path)
        let isFile = WholeFile.isReplaceable(path)
        if isFile, !replaces, FileManager.default.fileExists(atPath: path) {
            throw CommandFailure("\(path) exists, and may have been changed by hand: move it, or use --force")
        }
    }

    func write(_ text: String) throws(CommandFailure) {
        if let path { try WholeFile.write(text, to: path) } else { try StandardOutput.write(text) }
    }
}

extension Diagnostic {
    /// The line that a command prints: with its own name first, unless editors can open the file that the line names.
    func text(of command: String, reading files: [String]) -> String {
        files.contains(file) ? description : "\(command): \(description)"
    }
}

extension CommandFailure {
    /// Runs an inference, whose failure is that of the command.
    static func inferring<Value>(
        _ work: () throws(InferenceFailure) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(InferenceFailure) { return try work() } catch { throw CommandFailure("\(error.message)") }
    }
}
