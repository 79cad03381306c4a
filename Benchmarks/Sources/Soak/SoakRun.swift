import Foundation
import HikyakuHTTP
import HikyakuWire
import SoakSupport

/// The load: a number of workers, each of which makes one request after the other.
struct SoakRun: Sendable {
    let baseURL: String
    let seed: UInt64
    let width: Int
    /// Whether a gateway answers some of the server's faults with an error of its own.
    let isBehindGateway: Bool
    let transport: WireTransport
    let watchdog = Watchdog()

    /// No request may take longer, whatever the server does.
    private static let endTime = Duration.seconds(30)
    /// Long enough for a good server on a busy machine, short enough to let the stalls end.
    private static let timeouts = TransportTimeouts(
        connect: .seconds(10),
        firstByte: .seconds(2),
        idle: .seconds(2),
    )

    /// Makes the requests of these numbers, or as many of them as fit until the deadline.
    func run(_ indices: Range<Int>, until deadline: ContinuousClock.Instant?) async -> Tally {
        let watching = Task { await watchdog.run() }
        defer { watching.cancel() }
        return await withTaskGroup(of: Tally.self) { group in
            for worker in 0..<width {
                group.addTask {
                    var tally = Tally()
                    var index = indices.lowerBound + worker
                    while index < indices.upperBound, deadline.map({ ContinuousClock.now < $0 }) ?? true {
                        let trial = Trial(seed: seed, index: index, isBehindGateway: isBehindGateway)
                        tally.add(await outcome(of: trial, at: index), of: trial, at: index)
                        index += width
                    }
                    return tally
                }
            }
            return await group.reduce(into: Tally()) { $0.add($1) }
        }
    }

    private func outcome(of trial: Trial, at index: Int) async -> Outcome {
        let call = Task { try await perform(trial) }
        let canceller = trial.cancelsAfter.map { delay in
            Task {
                try await Task.sleep(for: delay)
                call.cancel()
            }
        }
        await watchdog.watch(call, of: index, for: Self.endTime)
        let result = await call.result
        canceller?.cancel()
        if await watchdog.leave(index) { return .violation("had no end by itself") }
        switch result {
        case .success(let outcome): return outcome
        case .failure(let error): return Outcome.ofError(error, in: trial)
        }
    }

    private func perform(_ trial: Trial) async throws -> Outcome {
        guard let url = URL(string: "\(baseURL)/\(trial.behavior)/\(trial.number)/\(trial.count)") else {
            return .violation("no URL")
        }
        let request = HTTPRequest(method: trial.method, url: url, body: trial.body)
        var options = TransportOptions(timeouts: Self.timeouts)
        if case .collected = trial.reading {} else { options.streamsBody = true }
        let response = try await transport.send(request, options: options)
        return try await read(response, of: trial)
    }

    private func read(_ response: HTTPResponse, of trial: Trial) async throws -> Outcome {
        if isBehindGateway, trial.behavior.isFault, response.status == .badGateway {
            _ = try await response.body.collect()
            return .gatewayError
        }
        let expected = trial.expectedContent
        var received = Data()
        for try await piece in response.body {
            received.append(piece)
            guard received.count <= expected.count, received.elementsEqual(expected.prefix(received.count)) else {
                return .violation("the body is another one")
            }
            if case .dropped = trial.reading, received.count * 2 >= expected.count { return .dropped }
        }
        if trial.behavior.isFault {
            return .violation("a fault became a success: \(response.status), \(received.count) bytes")
        }
        guard response.status == (trial.behavior == .noContent ? .noContent : .ok) else {
            return .violation("the status is \(response.status)")
        }
        return received.count == expected.count ? .rightBody : .violation("\(received.count) bytes came")
    }
}
