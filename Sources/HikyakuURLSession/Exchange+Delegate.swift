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
        guard let length = bodyLength(of: response), length > Int64(clamping: bodyBytesMax) else { return }
        finish(.failure(tooLarge("\(length) bytes")))
    }

    /// Takes bytes, in memory up to the limit.
    func didReceive(_ data: Data) {
        let (isTooLarge, stream, received) = state.withLock { state -> (Bool, DownloadStream?, Int) in
            guard !state.isOver else { return (false, nil, 0) }
            state.lastActivity = .now
            state.receivedBytes += data.count
            if let stream = state.stream { return (false, stream, state.receivedBytes) }
            guard data.count <= bodyBytesMax - state.body.count else { return (true, nil, 0) }
            if state.body.isEmpty { reserve(&state) }
            state.body.append(data)
            return (false, nil, state.receivedBytes)
        }
        if isTooLarge { return finish(.failure(tooLarge("more"))) }
        guard received > 0 else { return }
        tell(.bytesReceived(received, expected: expectedBytes))
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

    private func tooLarge(_ size: String) -> TransportError {
        TransportError(.bodyTooLarge, "the body has \(size), the limit is \(bodyBytesMax) bytes")
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

    /// Takes the memory at once where the size is known, up to a mebibyte: a peer's word is not worth more.
    private func reserve(_ state: inout State) {
        guard let length = state.response?.expectedContentLength, length > 0 else { return }
        state.body.reserveCapacity(Int(min(length, Int64(min(bodyBytesMax, 1 << 20)))))
    }
}
