import HikyakuBase

/// A call that receives a body into a draft, which outlives the call, with as many requests as that needs.
///
/// Each request goes through all steps of the call. The steps retry what fails before a body begins; a body that is cut
/// is continued here.
struct Download {
    /// How long it waits for another call that writes the same file: one that was just cancelled ends within that time.
    private static let lockWait = Duration.seconds(2)
    private static let lockStep = Duration.milliseconds(100)
    /// How often a part that can't be used starts the file over; after that, the call fails.
    private static let startOversMax = 2
    /// An attempt that has received this number of new bytes was not in vain.
    private static let advanceMin = 1 << 20

    private let core: ClientCore
    private let context: RequestContext
    /// The request for the whole file.
    private let sent: HTTPRequest
    private let draft: ResumableDraft
    private var series: RetrySeries
    /// The largest size that the draft has had.
    private var highest: Int
    private var startOversCount = 0
    /// The range that was last requested.
    private var range: RangeRequest?
    /// The digest of the origin of the last response.
    private var origin: String?
    /// Whether the draft ends with a part of a file of unknown size: that part may have been the last one.
    private var mayBeComplete = false

    /// Takes the draft of a destination.
    ///
    /// - Throws: ``FailureReason/fileInUse`` while another call has it, and other errors of the file.
    init(
        of sent: HTTPRequest,
        to destination: FileDestination,
        _ context: RequestContext,
        by core: ClientCore,
    ) async throws {
        (self.core, self.context) = (core, context)
        self.sent = sent
        // An invalid digest is reported before anything is done.
        _ = try DigestCheck(destination.digest, nil)
        draft = try await Self.draft(for: destination, of: sent, context.clock)
        try draft.digestWhatIsKept()
        highest = draft.count
        series = RetrySeries(core.retries, context)
    }

    private static func draft(
        for destination: FileDestination,
        of sent: HTTPRequest,
        _ clock: any HTTPClock,
    ) async throws -> ResumableDraft {
        guard let path = destination.path, let resource = DownloadRecord.resource(of: sent.url) else {
            throw FileCause.fileNotWritten.error("the system's library computes no SHA-256 for the download's record")
        }
        let end = clock.now.advanced(by: lockWait)
        while true {
            if let draft = try ResumableDraft.take(for: destination, at: path, resource: resource) { return draft }
            guard clock.now < end else {
                throw FileCause.fileInUse.error("another call is downloading to the same file")
            }
            try await clock.sleep(until: clock.now.advanced(by: lockStep))
        }
    }

    /// Receives the file.
    ///
    /// - Parameter read: Reads a response that doesn't belong to a download.
    /// - Returns: The file, and the last response.
    /// - Throws: The error of the last attempt, or of the file.
    mutating func run<Value>(
        reading read: (HTTPResponse, HTTPRequest) async throws -> Value
    ) async throws -> (Value, HTTPResponse) {
        while true {
            let ranged = nextRequest()
            let response = try await core.send(ranged, context)
            origin = DownloadRecord.origin(of: context.sent?.url ?? ranged.url)
            let step = DownloadStep(
                after: response,
                to: range,
                draftCount: draft.count,
                mayBeComplete: mayBeComplete,
                isOtherOrigin: range != nil && origin != draft.record?.origin,
                coding: draft.coding,
            )
            if case .other = step {
                return (try await read(response, ranged), response)
            }
            if case .startOver(let cause) = step {
                try startOver(cause, after: response)
                continue
            }
            guard let file = try await file(after: step, response) else { continue }
            guard let value = file as? Value else {
                throw ResponseCause.defect.error("a download returned another type than \(Value.self)")
            }
            return (value, response)
        }
    }

    /// The request for what the draft doesn't have yet.
    private mutating func nextRequest() -> HTTPRequest {
        let before = range
        range = draft.range
        var request = sent
        // The offsets are those of the file itself, so no part of the download may have a coding.
        request.headers[.acceptEncoding] = "identity"
        range?.add(to: &request.headers)
        if before != nil || range != nil { note(range?.offset ?? 0, of: range?.total) }
        return request
    }

    private func note(_ offset: Int, of total: Int?) {
        context.call.emit(.resuming(at: offset, of: total), at: context.clock.now)
    }

    /// Drops the draft, so that the whole file is requested next.
    private mutating func startOver(_ cause: String, after response: HTTPResponse) throws {
        try draft.empty()
        mayBeComplete = false
        startOversCount += 1
        guard startOversCount <= Self.startOversMax else {
            throw FileCause.unusablePart.error("the service sends parts that can't be used: \(cause)").after(response)
        }
    }

    /// Receives the body of a response, as far as it comes.
    ///
    /// - Returns: The file; `nil` if another request has to follow.
    private mutating func file(after step: DownloadStep, _ response: HTTPResponse) async throws -> ResponseFile? {
        var end: Int?
        let head = response.beginning()
        switch step {
        case .whole:
            if range != nil { note(0, of: response.body.count) }
            do { try draft.begin(response, from: origin) } catch { throw error.after(head) }
        case .part(let offset, let partEnd, let total):
            do { try draft.resume(at: offset, end: partEnd, total: total, response) } catch { throw error.after(head) }
            end = partEnd
        case .complete: return try draft.finish()
        case .startOver, .other: return nil
        }
        let start = context.clock.now
        let mayHaveBeen = mayBeComplete
        mayBeComplete = false
        context.call.received(head)
        do {
            try await receive(response.body, upTo: end)
            guard let end, draft.count < draft.record?.total ?? .max else { return try draft.finish() }
            let total = draft.record?.total
            // Only the next response says whether a file of unknown size ends here.
            mayBeComplete = total == nil && draft.count == end
            guard draft.count == end, hasAdvanced() || (mayBeComplete && !mayHaveBeen) else {
                let size = total.map { " of \($0)" } ?? ""
                throw FileCause.partEnded.error("the part ends at byte \(draft.count)\(size)")
            }
            return nil
        } catch is PartOverrun {
            try startOver("the part is longer than its Content-Range", after: head)
            return nil
        } catch {
            try await pause(after: (error as? TransportError)?.after(head) ?? error, from: start)
            return nil
        }
    }

    private struct PartOverrun: Error {}

    private func receive(_ body: HTTPBody, upTo end: Int?) async throws {
        let body = context.deadline.map { body.ending(at: $0, of: context) } ?? body
        for try await piece in body {
            if let end, piece.count > end - draft.count { throw PartOverrun() }
            try draft.append(piece)
        }
        // A stream may end without an error when its task is cancelled.
        try Task.checkCancellation()
    }

    /// Whether the draft has grown enough since this was last true.
    private mutating func hasAdvanced() -> Bool {
        guard draft.range != nil, draft.count - highest >= Self.advanceMin else { return false }
        highest = draft.count
        return true
    }

    /// Waits before the next request, if the policy of the client allows one.
    ///
    /// - Throws: The error of the body otherwise; the draft is then kept for another call.
    private mutating func pause(after error: any Error, from start: ContinuousClock.Instant) async throws {
        // The error of the body says more.
        try? draft.keep()
        guard let error = error as? TransportError, core.retries.isActive, context.call.mayRepeat(sent) else {
            throw error
        }
        // The service did no work twice, so another request is not a retry that a budget has to limit.
        let hasProgress = hasAdvanced()
        // What the draft has needs no time again, however long the attempt took.
        let begin = draft.range == nil ? start : context.clock.now
        guard let pause = series.pause(after: .failure(error), from: begin, hasProgress: hasProgress) else {
            throw error.saying(kept: draft)
        }
        try await series.wait(until: pause)
    }
}

extension TransportError {
    /// The same error, with what is left for the next call.
    fileprivate func saying(kept draft: ResumableDraft) -> TransportError {
        guard draft.range != nil else { return self }
        var error = self
        error.message += "; \(draft.count) bytes are kept for the next call"
        return error
    }
}

/// The destination of a request, or of the request inside a proxy.
func fileDestination<R: APIRequest>(of request: R) -> FileDestination? {
    if let file = request as? any FileRequest { return file.destination }
    return (request as? any RequestProxy)?.innerDestination
}

extension RequestProxy {
    fileprivate var innerDestination: FileDestination? { fileDestination(of: request) }
}
