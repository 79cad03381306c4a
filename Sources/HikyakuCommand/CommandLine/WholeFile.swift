import Foundation

/// Writes a file that is there as a whole or not at all.
enum WholeFile {
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
