import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku generate`.
enum GenerateProgram {
    /// Generates Swift of the documents that the arguments name.
    static func run(_ words: [String]) async throws(CommandFailure) {
        // Deep documents are read by recursion, and the thread may wait for documents of the network.
        try await DeepStack.run { () throws(CommandFailure) in
            let documents = URLDocuments()
            try GenerateCommand(name: "hikyaku generate") { try documents.bytes(of: $0) }.run(words)
        }
    }
}
