import Foundation
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// Writes a file completely or not at all.
enum WholeFile {
    /// Checks whether a file can be written at a path, before the build.
    ///
    /// - Throws: ``CommandFailure`` if its folder is missing, or it is a folder itself.
    static func checkFolder(of path: String) throws(CommandFailure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure("\(path) can't be written: it is a folder")
        }
        guard unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(path) can't be written: there is no folder \(folder)")
        }
    }

    /// Writes a text to a temporary file, and then replaces the file with it.
    ///
    /// A symbolic link is followed, and kept. A device such as `/dev/stdout` is written to directly, since it must not
    /// be replaced.
    ///
    /// - Throws: ``CommandFailure`` that names the file.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let file = URL(filePath: path).resolvingSymlinksInPath()
        let data = Data(text.utf8)
        try CommandFailure.explaining("\(path) can't be written") {
            if isReplaceable(path) {
                try data.write(to: file, options: .atomic)
            } else {
                let handle = try FileHandle(forWritingTo: URL(filePath: path))
                try handle.write(contentsOf: data)
                try handle.close()
            }
        }
    }

    /// Whether there is a regular file, which may be replaced, or nothing.
    static func isReplaceable(_ path: String) -> Bool { FileKind(at: path).words == nil }
}
