import Hikyaku

/// One stream that a test suite has begun.
actor ContractStream {
    private let parameters: StreamParameters
    private let client: APIClient<Public>
    private var reading: Task<Void, Never>?
    private var messageCount = 0
    private var lastEventID: String

    init(_ parameters: StreamParameters, client: APIClient<Public>) {
        self.parameters = parameters
        self.client = client
        lastEventID = parameters.lastEventId ?? ""
    }

    /// Connects, after the last event that was received; ends the connection that is open.
    func start() {
        reading?.cancel()
        let observed = client.observing { [weak self] event in
            guard case .reconnecting(let reason?, _) = event.kind else { return }
            Task { await self?.send(.error("\(reason)")) }
        }
        let events = observed.bind(ContractRequest(stream: parameters)).eventStream(after: lastEventID)
        reading = Task { [weak self] in
            do {
                for try await event in events { await self?.receive(event) }
            } catch let failure as any APIFailure where failure.isCancelled {
                return
            } catch {
                await self?.send(.error("\(error)"))
            }
        }
    }

    func stop() {
        reading?.cancel()
        reading = nil
    }

    private func receive(_ event: ServerSentEvent) async {
        guard !Task.isCancelled else { return }
        lastEventID = event.id
        await send(.event(event))
    }

    /// Sends a message with the next number, by which the suite orders them.
    private func send(_ message: Message) async {
        messageCount += 1
        let callback = Callback(url: parameters.callbackUrl, number: messageCount, message: message)
        // A suite that has ended doesn't answer any more.
        _ = try? await client.send(callback)
    }
}
