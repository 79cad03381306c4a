/// What a step is around.
package enum CallStage: Sendable, CaseIterable {
    /// The call: its steps see one request and one response.
    case call
    /// Each attempt, with all redirects that it follows.
    case attempt
    /// Each request on the wire.
    case hop
}

/// A step of a call on its way to the transport: what every call with it does, and no other.
///
/// A step does something before it passes a request on, or with the response, or instead of both. It keeps no state of
/// a call: that is in the call's context. ``CallChain`` lists the steps of a client in their order.
package protocol CallStep: Sendable {
    /// What it is around.
    var stage: CallStage { get }

    /// Whether everything that it waits for by itself ends soon after its call is stopped.
    var endsOnCancellation: Bool { get }

    /// Whether it has something to do for a call. Default: always.
    func applies(to call: CallInformation) -> Bool

    /// Sends a request through the rest of the chain.
    ///
    /// - Parameters:
    ///   - request: The request, as the steps outside have made it.
    ///   - context: The call, or its attempt.
    ///   - next: The steps inside, and the transport; it may be called several times, or never.
    /// - Returns: The response for the steps outside.
    /// - Throws: The error that ends the call, unless a step outside repeats it.
    nonisolated(nonsending) func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse

    /// Adds to a request that isn't sent what is known of what it would add, for an explanation. Default: nothing.
    func foresee(
        _ request: inout HTTPRequest,
        _ context: RequestContext,
        _ explanation: inout ExplainedSteps,
    ) async throws

    /// Adds its part of an explanation, such as a line to ``ExplainedSteps/notes``. Default: nothing.
    func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext)
}

extension CallStep {
    package var endsOnCancellation: Bool { true }
    package func applies(to call: CallInformation) -> Bool { true }
    package func foresee(
        _ request: inout HTTPRequest,
        _ context: RequestContext,
        _ explanation: inout ExplainedSteps,
    ) async throws {}
    package func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext) {}
}

/// The rest of the chain: the steps inside, and the transport.
package struct CallNext: Sendable {
    private let steps: ArraySlice<any CallStep>
    private let end: End

    /// What comes after the last step.
    enum End: Sendable {
        /// The transport.
        case wire(any CallEnd)
        /// The steps of every call, in their short form.
        case plain(any CallEnd)
        /// The transport, of which the first exchange was made before.
        case held(HeldExchange, any CallEnd)
        /// A closure in place of a transport, for a test.
        case closure(@Sendable (HTTPRequest) async throws -> HTTPResponse)
    }

    init(_ steps: ArraySlice<any CallStep>, _ end: End) {
        (self.steps, self.end) = (steps, end)
    }

    /// How many steps are left.
    var count: Int { steps.count }

    /// The exchange that was made before its steps, unless it was taken.
    var held: HeldExchange? { if case .held(let held, _) = end, held.isThere { held } else { nil } }

    /// Sends a request through the rest of the chain.
    nonisolated(nonsending) package func callAsFunction(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        if let step = steps.first { return try await step.send(request, context, CallNext(steps.dropFirst(), end)) }
        switch end {
        case .wire(let transport): return try await transport.transmit(request.checkedForWire(), context)
        case .plain(let transport): return try await transport.sendPlain(request, context)
        case .held(let held, let transport):
            if let result = held.take() { return try result.get() }
            return try await transport.transmit(request.checkedForWire(), context)
        case .closure(let respond): return try await respond(request)
        }
    }
}

/// What comes after all steps: a client's core.
///
/// It is a protocol with one conforming class, since `Steps/` comes after `Chain/`, which has the class: a folder
/// refers only to those after it.
protocol CallEnd: AnyObject, Sendable {
    /// Passes a request to the transport.
    nonisolated(nonsending) func transmit(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse
    /// Sends a request as through the steps of every call.
    nonisolated(nonsending) func sendPlain(
        _ request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse
}

/// A step that every call goes through; ``CallEnd/sendPlain(_:_:)`` does what it does before the first exchange.
protocol StepOfEveryCall: CallStep {}
