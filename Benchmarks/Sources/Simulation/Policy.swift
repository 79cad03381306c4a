import Hikyaku

/// What the clients do about failures.
struct Policy: Sendable {
    let name: String
    var options = ClientOptions(timeout: World.callTimeout, timeouts: TransportTimeouts(firstByte: World.patience))
    /// The calls that the app makes at most, one immediately after the other, until one succeeds.
    var callsMax = 1

    private init(_ name: String, retries: RetryPolicy = .standard, _ change: (inout ClientOptions) -> Void = { _ in }) {
        self.name = name
        options.retryPolicy = retries
        change(&options)
    }

    static let none = Policy("no retries", retries: .never)
    static let naive = {
        var policy = Policy("naive retries", retries: .never)
        policy.callsMax = 5
        return policy
    }()
    static let standard = Policy("default")
    static let unlimited = Policy("default without budget", retries: RetryPolicy(budget: nil))
    static let breaker = Policy("default + breaker") { $0.circuitBreaker = .standard }
    static let breakerAlone = Policy("breaker alone", retries: .never) { $0.circuitBreaker = .standard }
    static let acrossRestart = Policy("across a restart", retries: .acrossRestart)
    static let limits = Policy("default + limits") { $0.limits = [.origin: CallLimit()] }
    static let limitsAlone = Policy("limits alone", retries: .never) { $0.limits = [.origin: CallLimit()] }
    static let together = Policy("all together") {
        $0.circuitBreaker = .standard
        $0.limits = [.origin: CallLimit()]
    }
    static let all: [Policy] = [
        none, naive, unlimited, standard, acrossRestart, breaker, limits, breakerAlone, limitsAlone, together,
    ]
}

/// The request of all calls.
struct Reading: APIRequest {
    typealias Response = Int
    var environment: APIEnvironment { "https://service.example" }
    var path: RequestPath { "/reading" }
}

extension Policy {
    /// Makes a call as the app does.
    func succeeds(by client: APIClient<Public>) async -> Bool {
        for _ in 0..<callsMax where (try? await client.send(Reading())) != nil { return true }
        return false
    }
}
