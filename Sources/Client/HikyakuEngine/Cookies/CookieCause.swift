/// The causes of errors of the store of cookies.
package enum CookieCause: FailureCause {
    case cookieStore

    package var facts: CauseFacts {
        switch self {
        case .cookieStore: CauseFacts(.cookieStore)
        }
    }
}
