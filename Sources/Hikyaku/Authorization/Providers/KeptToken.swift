/// A token that never changes, until it is forgotten.
final class KeptToken: Sendable {
    private let token: Lock<AccessToken<NotReady>>

    init(_ token: AccessToken<NotReady>) {
        self.token = Lock(token)
    }

    var value: AccessToken<NotReady> { token.withLock(\.self) }

    func forget() {
        token.withLock { $0 = AccessToken(nil, in: $0.placement) }
    }
}
