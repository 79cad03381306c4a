import Foundation

/// Writes a file that is there as a whole or not at all.
enum WholeFile {
    /// Looks whether the folder of a file is there, before much work is done for it.
    ///
    /// - Throws: ``CommandFailure`` that names the folder.
    static func checkFolder(of path: String) throws(CommandFailure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(path) can't be written: there is no folder \(folder)")
        }
    }

    /// Writes a text beside the file first, and then puts it in the file's place.
    ///
    /// - Throws: ``CommandFailure`` that names the file.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        // What stands in for a file, `/dev/stdout` and the like, has nothing that could be half written.
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        let isSpecial = type == .typeCharacterSpecial || type == .typeSocket || type == .typeUnknown
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: isSpecial ? [] : .atomic)
        } catch {
            throw CommandFailure("\(path) can't be written: \(error.localizedDescription)")
        }
    }
}
