import Foundation
import HikyakuGenerate
import HikyakuOpenAPI

/// The program's version, which `hikyaku --version` and each call name.
enum ProgramVersion {
    static let text = "0.1.0"
    static let userAgent = "hikyaku/\(text)"
}

/// The program's standard output.
enum StandardOutput {
    /// Writes a text.
    ///
    /// - Throws: ``CommandFailure`` if it can't be written, for example to a full disk.
    static func write(_ text: String) throws(CommandFailure) {
        try CommandFailure.explaining("standard output can't be written") {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        }
    }
}

extension CommandFailure {
    /// Runs work, and adds a text that says what failed to its error.
    static func explaining<Value>(_ text: String, _ work: () throws -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure("\(text): \(error.localizedDescription)") }
    }
}
