import Foundation

/// Writes a file that is there as a whole or not at all.
enum WholeFile {
    /// Looks whether a file can stand at a path, before much work is done for it.
    ///
    /// - Throws: ``CommandFailure`` where its folder is missing, or it is a folder itself.
    static func checkFolder(of path: String) throws(CommandFailure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure("\(path) can't be written: it is a folder")
        }
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(path) can't be written: there is no folder \(folder)")
        }
    }

    /// Writes a text beside the file first, and then puts it in the file's place.
    ///
    /// A link is followed, and stays. What is no file but stands among files, as `/dev/stdout` does, is written into:
    /// it must not be replaced by one.
    ///
    /// - Throws: ``CommandFailure`` that names the file.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let file = URL(filePath: path).resolvingSymlinksInPath()
        let data = Data(text.utf8)
        do {
            if isReplaceable(file) {
                try data.write(to: file, options: .atomic)
            } else {
                let handle = try FileHandle(forWritingTo: URL(filePath: path))
                try handle.write(contentsOf: data)
                try handle.close()
            }
        } catch {
            throw CommandFailure("\(path) can't be written: \(error.localizedDescription)")
        }
    }

    /// Whether a file is there that a new one may stand for, or nothing.
    ///
    /// The system's own folders are left alone whatever their entries say they are: a link to a pipe leads nowhere that
    /// could be looked at.
    static func isReplaceable(_ file: URL) -> Bool {
        let path = file.path(percentEncoded: false)
        guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else { return false }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return true }
        return attributes[.type] as? FileAttributeType == .typeRegular
    }
}
