/// The app's own error type.
public nonisolated enum MenuProblem: Error, Hashable, Sendable {
    /// No user is signed in, or the session has ended.
    case notSignedIn
    /// The service rejected the request; the reason is for people.
    case rejected(String)
    /// Anything else: what happened, and what to do, if that is known.
    case other(String, suggestion: String?)
    /// The caller cancelled the call: there is nothing to show.
    case cancelled

    /// The text for a screen; `nil` if there is nothing to show.
    public var text: String? {
        switch self {
        case .notSignedIn: "Sign in to keep favourites."
        case .rejected(let message): message
        case .other(let message, let suggestion): [message, suggestion].compactMap(\.self).joined(separator: " ")
        case .cancelled: nil
        }
    }
}
