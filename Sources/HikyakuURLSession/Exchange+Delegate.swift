import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// What the session's delegate reports, one call at a time.
extension Exchange {
    /// Takes the head, unless it breaks a rule: hands it over where the body is streamed, and refuses a body that says
    /// it is too large.
    func didReceive(_ response: HTTPURLResponse, flow: @escaping DownloadStream.Flow) {
        let isFirst = state.withLock { state in
            defer {
                state.response = response
                state.lastActivity = .now
            }
            return state.response == nil && !state.isOver
        }
        if isFirst { tell(.firstByte) }
        if let problem = HeadCheck.problem(in: response, to: request.method) { return finish(.failure(problem)) }
        if options.streamsBody {
            let stream = DownloadStream(flow: flow) { [weak self] in self?.finish(.failure(CancellationError())) }
            let body = HTTPBody(pulling: stream, count: bodyLength(of: response).flatMap { Int(exactly: $0) })
            return answer(HTTPResponse(response, body: body), stream: stream)
        }
        guard let length = bodyLength(of: response).map({ Int(clamping: $0) }) else { return }
        let (limit, verdict) = verdict(onAdding: length)
        if verdict == .tooLarge { finish(.failure(limit.tooLarge(length))) }
    }

    /// What becomes of the body with so many bytes more; outside of the lock, since it may ask code of a user's.
    private func verdict(onAdding count: Int) -> (BodyLimit, BodyLimit.Verdict) {
        var (limit, total, status) = state.withLock { state in
            (state.bodyLimit, state.body.count + count, HTTPStatus(state.response?.statusCode ?? 0))
        }
        let verdict = limit.verdict(on: total, status)
        return (limit, verdict)
    }

    /// Takes bytes, in memory up to the limit.
    func didReceive(_ data: Data) {
        let (limit, verdict) = options.streamsBody ? (BodyLimit(options), .fits) : verdict(onAdding: data.count)
        let (end, stream, received) = state.withLock { state -> (Outcome?, DownloadStream?, Int) in
            guard !state.isOver else { return (nil, nil, 0) }
            state.lastActivity = .now
            state.receivedBytes += data.count
            if let stream = state.stream { return (nil, stream, state.receivedBytes) }
            state.bodyLimit = limit
            return (state.collect(data, verdict), nil, state.receivedBytes)
        }
        guard received > 0 else { return }
        if case .failure = end {} else { tell(.bytesReceived(received, expected: expectedBytes)) }
        if let end { return finish(end) }
        stream?.push(data)
    }

    func didSend(_ count: Int64, of total: Int64) {
        let sent = Int(clamping: count)
        let isNews = state.withLock { state in
            state.lastActivity = .now
            state.bytesToSend = Int(clamping: total)
            defer { state.sentBytes = max(sent, state.sentBytes) }
            return sent > state.sentBytes && !state.isOver
        }
        guard isNews else { return }
        tell(.bytesSent(sent, expected: request.body?.count))
        if sent == request.body?.count { tell(.requestSent) }
    }

    /// Takes the response for whole, whatever error comes.
    func didReceiveWholeResponse() {
        state.withLock { $0.isWhole = true }
    }

    /// Sets the outcome by what came; `finalResponse` stands for a head that wasn't reported by itself.
    func didComplete(with error: (any Error)?, finalResponse: URLResponse?) {
        let (reported, body, isWhole, received) = state.withLock { state in
            (state.response, state.body, state.isWhole, state.receivedBytes)
        }
        let response = reported ?? finalResponse as? HTTPURLResponse
        if let error, !isWhole || response == nil {
            let failure = transportFailure(of: error, for: request, at: stage(response))
            return finish(.failure(failure), isOver: true)
        }
        guard let response else {
            return finish(.failure(TransportError(.malformedResponse, "what came is no HTTP response")), isOver: true)
        }
        if reported == nil, let problem = HeadCheck.problem(in: response, to: request.method) {
            return finish(.failure(problem), isOver: true)
        }
        #if !canImport(Darwin)
        // Apple's Foundation sees to that by itself.
        if let length = bodyLength(of: response), Int64(received) < length {
            let message = "the body ended after \(received) of \(length) bytes"
            return finish(.failure(TransportError(.truncatedResponse, message)), isOver: true)
        }
        #endif
        finish(.success(HTTPResponse(response, body: HTTPBody(body))), isOver: true)
    }

    private func stage(_ response: HTTPURLResponse?) -> ExchangeStage {
        if let response { return .receiving(transferCoding: response.value(forHTTPHeaderField: "Transfer-Encoding")) }
        return state.withLock { state in
            guard state.sentBytes > 0 else { return .connecting }
            return state.isSending ? .sending : .waiting
        }
    }

    private var expectedBytes: Int? {
        let response = state.withLock { $0.response }
        return response.flatMap { bodyLength(of: $0) }.flatMap { Int(exactly: $0) }
    }

    /// The length that the head promises for the decoded body; `nil` where it says nothing of that.
    private func bodyLength(of response: HTTPURLResponse) -> Int64? {
        let coding = response.value(forHTTPHeaderField: "Content-Encoding")?.asciiLowercased ?? "identity"
        guard request.method != .head, ![204, 304].contains(response.statusCode), coding == "identity",
            response.expectedContentLength >= 0
        else { return nil }
        return response.expectedContentLength
    }

}

extension Exchange.State {
    /// Takes bytes of a body that is collected.
    ///
    /// - Returns: What ends the exchange: more than a body may have, or as much as is wanted of an error's.
    fileprivate mutating func collect(_ data: Data, _ verdict: BodyLimit.Verdict) -> Exchange.Outcome? {
        guard let response else { return nil }
        guard verdict != .tooLarge else { return .failure(bodyLimit.tooLarge()) }
        if body.isEmpty { reserve(for: response) }
        body.append(data.prefix(bodyLimit.bytesMax - body.count))
        guard verdict == .cut else { return nil }
        var cut = HTTPResponse(response, body: HTTPBody(body))
        cut.isBodyCut = true
        return .success(cut)
    }

    /// Takes the memory at once where the size is known, up to a mebibyte: a peer's word is not worth more.
    private mutating func reserve(for response: HTTPURLResponse) {
        guard response.expectedContentLength > 0 else { return }
        body.reserveCapacity(Int(min(response.expectedContentLength, Int64(min(bodyLimit.bytesMax, 1 << 20)))))
    }
}
