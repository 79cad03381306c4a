import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The upload of one call, which continues after each failure, also after one that the steps outside repair, such as a
/// rejected token.
package final class UploadSession: CallUpload {
    private struct State: Sendable {
        var machine: UploadMachine?
        /// The URL of the upload; `nil` before it was created.
        var url: URL?
        /// The part in flight.
        var part = 0..<0
    }

    fileprivate let upload: ResumableUpload
    private let state = Lock(State())

    /// - Throws: An error with ``FailureReason/body`` for a body that can't be read again.
    package init(_ upload: ResumableUpload, of body: HTTPBody) throws(TransportError) {
        guard body.isReplayable else {
            throw UploadCause.bodyNotReplayable.error("an upload in parts needs a body that can be read again")
        }
        self.upload = upload
    }

    /// The machine; made by the first use.
    fileprivate func machine(for request: HTTPRequest, _ length: Int) throws(TransportError) -> UploadMachine {
        if let machine = state.withLock(\.machine) { return machine }
        guard let saved = upload.saved else { return UploadMachine(length: length) }
        guard saved.protocolName.hasSameBytes(as: upload.uploadProtocol.name) else { throw SavedUpload.otherProtocol }
        guard saved.length == length else {
            let text = "the saved upload is of a body of \(saved.length) bytes, and this one has \(length)"
            throw UploadCause.savedUpload.error(text)
        }
        guard saved.type.map({ $0 == request.headers[.contentType] }) ?? true else {
            let text = "the saved upload is of a body of another media type, or with another multipart boundary"
            throw UploadCause.savedUpload.error(text)
        }
        guard let url = URL(string: saved.url) else { throw SavedUpload.unreadable }
        state.withLock { $0.url = url }
        return UploadMachine(length: length, continuing: saved.url)
    }

    fileprivate func keep(_ machine: UploadMachine) {
        state.withLock { $0.machine = machine }
    }

    /// Notes where the upload is, and has it saved.
    ///
    /// - Throws: An error if nothing can be sent to the location, which is then not saved.
    fileprivate func created(
        at location: String,
        base: URL,
        by request: HTTPRequest,
        length: Int,
    ) throws(TransportError) {
        guard let url = RedirectTarget.url(of: location, from: base) else {
            throw UploadCause.uploadInvalid.error("the Location of the upload is not a URL")
        }
        try request.checkUpload(at: url)
        state.withLock { $0.url = url }
        let name = upload.uploadProtocol.name
        let type = request.headers[.contentType]
        upload.save?(SavedUpload(protocolName: name, url: url.absoluteString, length: length, type: type))
    }

    /// The request for a message.
    fileprivate func request(
        for message: UploadMessage,
        of original: HTTPRequest,
        _ body: HTTPBody,
    ) throws(TransportError) -> HTTPRequest {
        var request = original
        request.headers.removeAll { $0.name == .contentLength }
        request.body = nil
        if case .create = message {
            // There is nothing that the server could agree to.
            request.headers.removeAll { $0.name == .expect }
        } else if let url = state.withLock(\.url) {
            try request.leadToUpload(at: url)
        }
        upload.uploadProtocol.prepare(&request, for: message)
        if case .append(let offset, let count, _) = message {
            state.withLock { $0.part = offset..<(offset + count) }
            request.body = body.part(offset..<(offset + count))
            if count > 0, let expectation = original.headers[.expect] { request.headers[.expect] = expectation }
        }
        return request
    }

    /// What an attempt to send a message means; an error says nothing about the upload.
    fileprivate func reply(_ result: Result<HTTPResponse, any Error>, to message: UploadMessage) -> UploadReply {
        switch result {
        case .success(let response): upload.uploadProtocol.reply(response, to: message)
        case .failure: .other
        }
    }

    /// The observer of an exchange, which gets the progress of the whole upload instead of that of one part.
    package func observer(for observer: (any EventObserver)?) -> (any EventObserver)? {
        guard let observer else { return nil }
        let (offset, length) = state.withLock { ($0.part.lowerBound, $0.machine?.length) }
        return UploadProgressObserver(observer: observer, offset: offset, length: length)
    }
}

/// Counts the bytes of a part from the beginning of the upload.
private struct UploadProgressObserver: EventObserver {
    let observer: any EventObserver
    let offset: Int
    let length: Int?

    func observe(_ event: TransportEvent) {
        guard case .bytesSent(let count, _) = event.kind else { return observer.observe(event) }
        observer.observe(
            TransportEvent(
                exchange: event.exchange,
                instant: event.instant,
                kind: .bytesSent(offset + count, expected: length),
            )
        )
    }
}

/// Sends the messages of an upload in parts, and again after transient failures.
///
/// The response is that to the last part, or to a message that was rejected. Its errors are those of
/// ``RequestBody/resumable(by:from:saving:)``.
package struct UploadStep: CallStep {
    let retries: RetryStep

    package var stage: CallStage { .call }

    package func applies(to call: CallInformation) -> Bool { call.upload != nil }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        guard let session = context.call.upload as? UploadSession, let body = request.body else {
            return try await retries.send(request, context, next)
        }
        let length = try await body.countedLength()
        // An empty body needs no parts, and `RetryStep` applies to no call with an upload.
        guard length > 0 else { return try await retries.send(request, context, next) }
        var machine = try session.machine(for: request, length)
        // Whoever repeats the request continues.
        machine.interrupt()
        var (series, offset) = (RetrySeries(retries, context), machine.offset)
        while true {
            session.keep(machine)
            let message = machine.message
            let start = context.clock.now
            let result = await Result { () async throws -> HTTPResponse in
                try await next(session.request(for: message, of: request, body), context)
            }
            let reply = session.reply(result, to: message)
            if reply == .other {
                let hasProgress = machine.offset > offset
                offset = machine.offset
                guard let pause = series.pause(after: result, from: start, hasProgress: hasProgress) else {
                    return try result.get()
                }
                try await series.wait(until: pause)
                machine.interrupt()
                continue
            }
            retries.noteSuccess(from: start, context)
            let response = try result.get()
            if case .created(let location, _) = reply {
                let base = context.sent?.url ?? request.url
                do throws(TransportError) {
                    try session.created(at: location, base: base, by: request, length: length)
                } catch {
                    throw error.after(response)
                }
            }
            switch machine.handle(reply) {
            case .send: continue
            case .finish: return session.ended(machine, response)
            case .finishUnseen: return try session.unseen(machine, response, context)
            case .fail(let error):
                await session.abandon(machine, isLost: error.reason == .uploadLost, request, body, context, next)
                // The error is about the message before.
                context.settle(on: response)
                throw error.after(response)
            }
        }
    }
}

extension UploadSession {
    fileprivate func ended(_ machine: UploadMachine, _ response: HTTPResponse) -> HTTPResponse {
        keep(machine)
        upload.save?(nil)
        return response
    }

    /// The response to the retrieval serves a request that needs nothing of the response.
    fileprivate func unseen(
        _ machine: UploadMachine,
        _ response: HTTPResponse,
        _ context: RequestContext,
    ) throws(TransportError) -> HTTPResponse {
        _ = ended(machine, response)
        guard !context.call.traits.returnsNothing || !response.status.isSuccess else { return response }
        throw UploadCause.uploadResponseLost.error("the upload is complete, and its response was lost").after(response)
    }

    /// Deletes an upload that can't be continued, unless it is lost, whatever the server replies.
    fileprivate func abandon(
        _ machine: UploadMachine,
        isLost: Bool,
        _ request: HTTPRequest,
        _ body: HTTPBody,
        _ context: RequestContext,
        _ next: CallNext,
    ) async {
        keep(machine)
        upload.save?(nil)
        guard machine.location != nil, !isLost,
            let cancellation = try? self.request(for: .cancel, of: request, body)
        else { return }
        _ = try? await next(cancellation, context)
    }
}

extension HTTPBody {
    /// The length, for which a body of unknown length is read.
    fileprivate func countedLength() async throws -> Int {
        if let count { return count }
        var count = 0
        for try await piece in self {
            let (sum, isOverflow) = count.addingReportingOverflow(piece.count)
            guard !isOverflow else { throw UploadCause.bodyTooLong.error("the body is too large") }
            count = sum
        }
        return count
    }
}

extension HTTPRequest {
    /// Leads the request to the URL of an upload, without its content and what describes that, and without credentials
    /// if the URL has another origin.
    ///
    /// - Throws: ``FailureReason/redirectInsecure`` if that would leave https, and ``FailureReason/uploadInvalid`` if
    ///   nothing can be sent to the URL.
    package mutating func leadToUpload(at target: URL) throws(TransportError) {
        try checkUpload(at: target)
        body = nil
        headers.removeAll { $0.name.isAboutBody || $0.name.isAboutTarget }
        // Who knows the URL may change the upload. A shorter name can't be a secret.
        let name = target.lastPathComponent
        if name.utf8.count >= 8 { pathSecrets.insert(name) }
        try lead(to: target, changesOrigin: HTTPOrigin(url) != HTTPOrigin(target))
    }

    /// Rejects the URL of an upload to which nothing can be sent, or to which nothing should be.
    fileprivate func checkUpload(at target: URL) throws(TransportError) {
        if HTTPOrigin(url)?.scheme == "https", HTTPOrigin(target)?.scheme == "http" {
            throw UploadCause.uploadInsecure.error("the upload leads from https to http")
        }
        do { try HTTPRequest(url: target).checkForWire() } catch {
            throw UploadCause.uploadInvalid.error("nothing can be sent to the URL of the upload: \(error.message)")
        }
    }
}

extension HTTPHeaderName {
    /// Whether a field is about the resource of the original request, and so not about an upload.
    fileprivate var isAboutTarget: Bool {
        self == "Idempotency-Key" || self == "Range" || rawName.asciiLowercased.hasBytePrefix("if-")
    }
}
