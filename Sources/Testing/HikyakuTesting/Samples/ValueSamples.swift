public import Hikyaku

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Values that only the client makes, for tests of code that receives them.

extension RedirectHop {
    /// A redirect, for a test of a redirect policy's closure.
    ///
    /// - Parameters:
    ///   - status: The status of the redirect.
    ///   - method: The method of the request that was redirected.
    ///   - from: Its URL.
    ///   - nextMethod: The method of the next request.
    ///   - to: The URL of the next request.
    /// - Returns: The redirect.
    public static func sample(
        _ status: HTTPStatus = 302,
        method: HTTPMethod = .get,
        from: URL,
        nextMethod: HTTPMethod = .get,
        to: URL,
    ) -> RedirectHop {
        RedirectHop(status: status, method: method, from: from, nextMethod: nextMethod, to: to)
    }
}

extension WebLink {
    /// A link of a response, for a test of code that follows it.
    ///
    /// - Parameters:
    ///   - url: The URL to which it leads.
    ///   - relations: The types of its relation, such as `next`.
    /// - Returns: The link.
    public static func sample(_ url: URL, relations: [String]) -> WebLink { WebLink(url: url, relations: relations) }
}

extension CircuitChange {
    /// A change of a circuit breaker, for a test of an observer.
    ///
    /// - Parameters:
    ///   - circuit: The name of the circuit.
    ///   - state: The new state.
    ///   - callsCount: The number of attempts, or of probes, that caused the change.
    ///   - failureRate: The rate of those that failed, from 0 to 1.
    ///   - slowRate: The rate of those that were slow, from 0 to 1.
    ///   - probesAfter: The time until the first probe.
    /// - Returns: The change.
    public static func sample(
        _ circuit: String,
        _ state: State,
        callsCount: Int = 0,
        failureRate: Double = 0,
        slowRate: Double = 0,
        probesAfter: Duration? = nil,
    ) -> CircuitChange {
        CircuitChange(
            circuit: circuit,
            state: state,
            callsCount: callsCount,
            failureRate: failureRate,
            slowRate: slowRate,
            probesAfter: probesAfter,
        )
    }
}

extension ResponseDrift {
    /// A tolerated difference between a response and its model, for a test of an observer.
    ///
    /// - Parameters:
    ///   - kind: What was tolerated, such as `lossyElement`.
    ///   - typeName: The type whose value was missing.
    ///   - pointer: The places.
    ///   - count: How many such places there are.
    /// - Returns: The difference.
    public static func sample(
        _ kind: String,
        of typeName: String,
        at pointer: String? = nil,
        count: Int = 1,
    ) -> ResponseDrift {
        ResponseDrift(kind: kind, typeName: typeName, pointer: pointer, count: count)
    }
}
