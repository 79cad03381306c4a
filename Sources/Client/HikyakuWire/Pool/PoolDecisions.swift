#if os(Linux)
// How many calls a pool allows, and what it decides.
extension Pool {
    struct Limits {
        /// How many calls may be in flight to one origin.
        var perOriginMax: Int
        /// How many may be in flight in all; idle connections are kept up to this number.
        var inFlightMax: Int
        /// How many may be queued in all.
        var queuedMax: Int
    }

    enum Admission {
        /// The call has this connection for itself.
        case connection(Connection)
        /// The call shares this connection with others.
        case shared(Connection)
        case waiting(Ticket)
        case queued(QueueTicket)
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
