#if os(Linux)
import HikyakuHTTP

/// What is wrong with a response as its bytes came, in a form that becomes a `TransportError`.
struct ResponseProblem: Error, Equatable {
    let reason: FailureReason
    /// What is wrong, without a word of what the server sent.
    let text: String

    init(_ reason: FailureReason, _ text: String) {
        self.reason = reason
        self.text = text
    }

    static let tooLarge = ResponseProblem(.headersTooLarge, ResponseHead.tooLargeText)

    static func malformed(_ text: String) -> ResponseProblem {
        ResponseProblem(.malformedResponse, text)
    }

    static func malformedChunk(_ text: String) -> ResponseProblem {
        ResponseProblem(.malformedChunk, text)
    }
}
#endif
