/// How much of a body is collected, which hangs on the status once there is more than an error's body may have.
///
/// ``TransportOptions/accepts`` is called once at most, and for no small body.
package struct BodyLimit: Sendable {
    /// What becomes of a body.
    package enum Verdict: Equatable {
        /// There is room for all of it.
        case fits
        /// It is cut at ``BodyLimit/bytesMax``.
        case cut
        /// Its status is accepted, and it is larger than ``BodyLimit/bytesMax``.
        case tooLarge
    }

    /// The most that is collected, as far as is known yet.
    package private(set) var bytesMax: Int
    private let acceptedBytesMax: Int
    private let ask: @Sendable (HTTPStatus) -> Bool
    private var isAccepted: Bool?

    package init(_ options: TransportOptions) {
        acceptedBytesMax = max(options.bodyBytesMax, 0)
        bytesMax = min(acceptedBytesMax, max(options.errorBodyBytesMax, 0))
        ask = options.accepts
    }

    /// Says what becomes of a body of so many bytes.
    package mutating func verdict(on count: Int, _ status: HTTPStatus) -> Verdict {
        guard count > bytesMax else { return .fits }
        guard accepts(status) else { return .cut }
        bytesMax = acceptedBytesMax
        return count > bytesMax ? .tooLarge : .fits
    }

    package mutating func accepts(_ status: HTTPStatus) -> Bool {
        if let isAccepted { return isAccepted }
        let isAccepted = ask(status)
        self.isAccepted = isAccepted
        return isAccepted
    }

    /// The error of a body that is too large.
    ///
    /// - Parameter count: The body's size in bytes, where it is known.
    /// - Returns: The error.
    package func tooLarge(_ count: Int? = nil) -> TransportError {
        let text = count.map { "the body has \($0) bytes, the limit is \(bytesMax)" }
        return TransportError(.bodyTooLarge, text ?? "the body has more than \(bytesMax) bytes")
    }
}
