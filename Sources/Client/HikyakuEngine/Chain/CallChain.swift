/// The steps of a client's calls, in their order.
///
/// A step that is added is one line of ``init(_:)``.
struct CallChain: Sendable {
    /// The steps around the attempts that apply to some calls only.
    private let outer: [any CallStep]
    /// All others.
    private let inner: [any CallStep]
    /// Those of the others that every call goes through, which have a short form.
    let ofEveryCall: [any CallStep]
    /// Those of the others that apply to some calls only.
    private let extras: [any CallStep]
    let retries: RetryStep
    let attempts: AttemptStep
    let coding: ContentCodingStep
    /// Whether everything that steps wait for ends when a call is stopped, except credentials.
    let endsOnCancellation: Bool

    init(_ parts: ClientCore.Parts) {
        let options = parts.options
        let (authorization, cookies) = (AuthorizationStep(parts.credentials), CookieStep(options.cookies))
        attempts = AttemptStep(options)
        let haveSigners = parts.credentials.haveSigners
        let sharing = SharingStep(options, parts.exchanges, parts.results, cookies, haveSigners: haveSigners)
        coding = ContentCodingStep(options)
        retries = RetryStep(options, parts.retryBudgets, parts.circuits)
        let order: [(any CallStep)?] =
            // Around the call.
            parts.middleware.map { MiddlewareStep($0) } + [authorization]
            + [sharing]
            + parts.steps.filter { $0.stage == .call }
            + [UploadStep(retries: retries), retries]
            // Around each attempt.
            + [BreakerStep(options, parts.circuits), LimitStep(options, parts.limiters)]
            + parts.steps.filter { $0.stage == .attempt }
            + [coding, attempts, RedirectStep(options)]
            // Around each request on the wire.
            + [ResponseCheckStep(), cookies]
            + parts.steps.filter { $0.stage == .hop }
            + [SigningStep(parts.credentials)]
        let steps = order.compactMap(\.self)
        let first = steps.firstIndex { $0 is UploadStep } ?? 0
        (outer, inner) = (Array(steps[..<first]), Array(steps[first...]))
        ofEveryCall = inner.filter { $0 is any StepOfEveryCall }
        extras = inner.filter { !($0 is any StepOfEveryCall) }
        endsOnCancellation = steps.allSatisfy(\.endsOnCancellation)
    }

    /// All steps.
    var all: [any CallStep] { outer + inner }
    /// All steps, those around the attempts last: a credential takes the place of what others have set.
    var innerFirst: [any CallStep] { inner + outer }

    /// The chain of a call: the steps that apply to it; `nil` if only those of every call do.
    @inline(__always)
    func next(for call: CallInformation, by core: ClientCore) -> CallNext? {
        let isPlain = !extras.contains { $0.applies(to: call) }
        guard !isPlain || outer.contains(where: { $0.applies(to: call) }) else { return nil }
        return next(for: call, by: core, isPlain: isPlain)
    }

    @inline(never)
    private func next(for call: CallInformation, by core: ClientCore, isPlain: Bool) -> CallNext {
        let steps = isPlain ? outer : outer + inner
        return CallNext(steps.filter { $0.applies(to: call) }[...], isPlain ? .plain(core) : .wire(core))
    }
}
