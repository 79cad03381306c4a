/// What can go wrong, in the words of the app.
public nonisolated enum MenuProblem: Error, Hashable, Sendable {
    /// Nobody is signed in, or not any more.
    case notSignedIn
    /// The restaurant said no, and why.
    case refused(String)
    /// Anything else: what happened, and what to do, if that is known.
    case other(String, suggestion: String?)
    /// Whoever asked has gone: nothing to show.
    case cancelled

    /// What a screen shows; `nil` where there is nothing to tell.
    public var text: String? {
        switch self {
        case .notSignedIn: "Sign in to keep favourites."
        case .refused(let message): message
        case .other(let message, let suggestion): [message, suggestion].compactMap(\.self).joined(separator: " ")
        case .cancelled: nil
        }
    }
}
