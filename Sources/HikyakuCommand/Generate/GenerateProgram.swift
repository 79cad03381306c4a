import Foundation
import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku generate`.
enum GenerateProgram {
    /// Deep documents are read by recursion.
    private static let stackBytes = 16 << 20

    /// Generates Swift of the documents that the arguments name.
    static func run(_ words: [String]) async throws(CommandFailure) {
        // A thread of its own has a stack of any size, and may wait for documents of the network.
        let result: Result<Void, CommandFailure> = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(returning: outcome(words))
            }
            thread.stackSize = stackBytes
            thread.start()
        }
        try result.get()
    }

    private static func outcome(_ words: [String]) -> Result<Void, CommandFailure> {
        let documents = URLDocuments()
        let command = GenerateCommand(name: "hikyaku generate") { try documents.bytes(of: $0) }
        do throws(CommandFailure) { return .success(try command.run(words)) } catch { return .failure(error) }
    }
}
