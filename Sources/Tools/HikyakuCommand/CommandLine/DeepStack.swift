import Foundation
import HikyakuGenerate

/// Runs work that goes deep into values.
enum DeepStack {
    private static let bytes = 16 << 20

    /// Runs work on a thread of its own, whose stack is larger than that of the tasks' threads.
    static func run(
        _ work: @escaping @Sendable () throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        let result: Result<Void, CommandFailure> = await withCheckedContinuation { continuation in
            let thread = Thread {
                do throws(CommandFailure) {
                    try work()
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            thread.stackSize = bytes
            thread.start()
        }
        try result.get()
    }
}
