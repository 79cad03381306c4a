import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct ErrorSampleTests {
    @Test func anErrorOfASampleGivesTheAdviceOfARealOne() {
        let context = CallContext.sample(
            requestType: "Shop.Dishes",
            method: .post,
            attempt: 2,
            elapsed: .seconds(3),
            earlierAttempts: [EarlierAttempt.sample(1, .connectionReset, elapsed: .seconds(1))],
            spending: .sample([.attempt: .seconds(2), .pause: .seconds(1)], attempts: 2),
        )
        let failure = CallFailure.sample(.connectionReset, message: "port 443", context: context)
        let error = APIError<ProblemDetails>.transport(failure)
        #expect(error.reason == .connectionReset && !error.isRetryable)
        #expect(error.context.earlierAttempts.map(\.number) == [1])
        #expect(error.context.spending?.longest == .attempt)
        #expect(APIError<ProblemDetails>.transport(.sample(.connectionReset)).isRetryable)
    }

    @Test func aDecodingFailureHasItsDiagnosis() {
        let diagnosis = DecodingDiagnosis(kind: .typeMismatch, pointer: "/price", expected: "a number")
        let response = BufferedResponse(status: .ok, body: Data(#"{"price": "9"}"#.utf8))
        let error = APIError<ProblemDetails>.decoding(.sample(diagnosis, of: response))
        #expect(error.diagnosis?.pointer == "/price" && error.response?.body.count == 14)
    }

    @Test func aProgressHasItsFraction() {
        #expect(CallProgress.sample(.down, bytesDone: 1, bytesTotal: 4).fractionCompleted == 0.25)
    }
}
