#if os(Linux)
import HikyakuHTTP

/// All causes of errors of content codings.
enum CodingCause: FailureCause {
    case damaged, cut, ratio, memory

    var facts: CauseFacts {
        switch self {
        case .damaged: CauseFacts(.malformedContentCoding)
        case .cut: CauseFacts(.truncatedResponse)
        case .ratio: CauseFacts(.compressionRatio)
        case .memory: CauseFacts(.outOfMemory)
        }
    }
}
#endif
