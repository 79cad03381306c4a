#if os(Linux)
// What a pool decides.
extension Pool {
    enum Admission {
        /// The call has this connection for itself.
        case connection(Connection)
        /// The call has a place on this connection.
        case shared(Connection)
        case waiting(Ticket)
        case queued(Ticket)
        /// There is no more room to wait.
        case full
    }

    enum Action {
        /// A call that waited has a connection.
        case start(Call, Connection)
        /// A queued call waits for a connection now.
        case wait(Call, Ticket)
        case connect(Handshake, Origin)
        case cancel(Handshake)
        case close(Connection)
    }
}
#endif
