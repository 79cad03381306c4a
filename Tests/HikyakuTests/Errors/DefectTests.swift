import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// States that can't be have an error of their own, which doesn't look like a cancellation.
@Suite struct DefectTests {
    @Test func aCallThatThrowsWhatNoCallThrowsIsADefect() {
        let ofAnotherService = Settled(error: APIError<ShopError>.cancelled(CallFailure(.cancelled)))
        for error in [CancellationError(), ofAnotherService] as [any Error] {
            let error = APIError<ProblemDetails>(settled: error)
            #expect(error.reason == .defect)
            #expect(error.phase == .other)
            #expect(!error.isCancelled && !error.isRetryable)
            #expect(error.recoverySuggestion?.contains("report") == true)
        }
    }
}
