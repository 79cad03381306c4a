import Foundation

/// What is simulated: the clients, the service, and what goes wrong with it.
struct World: Sendable {
    /// Each is the process of an app, with a client of its own.
    var clientCount = 2000
    /// The calls of one client, at random instants.
    var callsPerMinute = 6.0
    var seconds = 300
    var service = Service()

    /// The modelled service: a queue that one server works off.
    struct Service: Sendable {
        /// What it processes in a second.
        var capacity = 300.0
        /// When something is wrong with it, in seconds from the start.
        var outage = 60..<180
        var fault = Fault.capacity(100)
        /// The requests that wait at most; others are rejected with 503 and `Retry-After`.
        var queueMax = 1200.0
        /// The time for the way there and back.
        var latency = 0.04
        /// The `Retry-After` of a rejected request, in seconds.
        var retryAfter = 5
        /// The number of requests that it allows each client in every window, if all is well.
        var quota = 20
        /// The same during the outage.
        var outageQuota = 1
        /// In seconds.
        var quotaWindow = 20
    }

    enum Fault: Sendable {
        /// It processes less in a second.
        case capacity(Double)
        /// It responds to each request with 500 at once.
        case error
    }

    /// How long a client waits for a response.
    static let patience = Duration.seconds(2)
    /// How long a client waits for a call with all its attempts.
    static let callTimeout = Duration.seconds(10)

    /// For how long calls go on that are not counted, since they are the load for the last ones that are.
    private static let secondsToFollow = 15

    var callsPerSecond: Double { Double(clientCount) * callsPerMinute / 60 }

    /// A call of one of the clients.
    struct Arrival: Sendable {
        let second: Double
        let client: Int
    }

    /// The calls of all clients in the order of time: a Poisson process, in which the clients are equally frequent.
    func arrivals(using generator: inout any RandomNumberGenerator & Sendable) -> [Arrival] {
        var arrivals: [Arrival] = []
        var second = 0.0
        while true {
            second += generator.exponential() / callsPerSecond
            guard second < Double(seconds + Self.secondsToFollow) else { return arrivals }
            arrivals.append(Arrival(second: second, client: Int(generator.next(upperBound: UInt64(clientCount)))))
        }
    }
}

extension RandomNumberGenerator {
    /// A random time until the next of events that come once in a unit of time on average.
    mutating func exponential() -> Double {
        -log(Double((next() >> 11) + 1) / 0x1p53)
    }
}
