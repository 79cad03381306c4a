/// The causes of errors of a walk through pages.
package enum PageCause: FailureCause {
    case pageCursor, tooManyPages, linkLoop, positionLoop, samePages, lostPage, cancelled

    package var facts: CauseFacts {
        switch self {
        case .pageCursor: CauseFacts(.pageCursor)
        case .tooManyPages: CauseFacts(.tooManyPages)
        case .linkLoop: CauseFacts(.pageLoop, hint: Self.linkLoopHint)
        case .positionLoop: CauseFacts(.pageLoop, hint: Self.positionLoopHint)
        case .lostPage: CauseFacts(.defect)
        case .cancelled: CauseFacts(.cancelled)
        case .samePages: CauseFacts(.pageLoop, hint: Self.samePagesHint)
        }
    }
}

extension PageCause {
    private static let linkLoopHint =
        "Check which link the request's paging follows: .link(relation:) or .link(in:) must give that of the next page, "
        + "and none on the last page. If it does, the service's links form a loop: report it."
    private static let positionLoopHint =
        "Check the request's paging: it must read the position of the next page, not that of the page itself, as in "
        + ".cursor(\\.cursor, in: \\.nextCursor), and none on the last page. If it does, the service's positions form a "
        + "loop: report it."
    private static let samePagesHint =
        "The service ignores the position, or the request doesn't send it: the property that paging changes must be in "
        + "the request's query, path or body, under the name that the service expects."
}
