import HikyakuBase

/// Sends a request again without its expectation, which the server rejected, and rejects a part that was not requested.
struct ResponseCheckStep: StepOfEveryCall {
    var stage: CallStage { .hop }

    nonisolated(nonsending) func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        var response = try await next(request, context)
        if response.status.code == 417, let again = request.withoutExpectation {
            context.call.log?.receives(response)
            response = try await next(again, context)
        }
        guard response.status.code == 206 else { return response }
        do { try response.checkPart(of: request) } catch { throw await error.about(response, context) }
        return response
    }
}

extension HTTPRequest {
    /// The request without its expectation, which the server rejects; `nil` if it has none, or its body was read
    /// meanwhile and can't be read again.
    ///
    /// [RFC 9110, section 10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)
    package var withoutExpectation: HTTPRequest? {
        guard headers.contains(.expect), body?.canBeRead != false else { return nil }
        var request = self
        request.headers.removeAll { $0.name == .expect }
        return request
    }
}

extension HTTPResponse {
    /// Whether the response is a redirect, or must be settled: 206 and 417.
    package var isUnusual: Bool { status.isRedirection || status.code == 206 || status.code == 417 }

    /// Rejects partial content that the request has not requested with `Range` (RFC 9110, section 15.3.7).
    ///
    /// Services that count other units than bytes use the status for their own kind of pages, which are whole.
    package func checkPart(of request: HTTPRequest) throws(TransportError) {
        guard !request.headers.contains("Range") else { return }
        let range = headers["Content-Range"]?.asciiLowercased ?? ""
        let isMultipart = headers.mediaType?.essence == "multipart/byteranges"
        guard isMultipart || (range.hasBytePrefix("bytes") && !Self.isWhole(range)) else { return }
        throw PartCause.unexpectedPart.error("\(status) with a range of bytes, but no range was requested")
    }

    /// Whether the range covers the whole resource: `bytes 0-99/100`.
    private static func isWhole(_ range: String) -> Bool {
        guard range.hasBytePrefix("bytes 0-") else { return false }
        let numbers = Substring(range.utf8.dropFirst(8)).byteSplit(separator: "/").map { Int($0) }
        guard numbers.count == 2, let last = numbers[0], let count = numbers[1], count > 0 else { return false }
        return last == count - 1
    }
}

extension FailureReason {
    /// Whether the body of a response is damaged or incomplete, whose head is neither.
    var isOfBody: Bool { Self.ofBodies.contains(self) }

    private static let ofBodies: Set<FailureReason> = [
        .truncatedResponse, .missingLastChunk, .malformedChunk, .malformedContentCoding, .compressionRatio,
        .connectionReset, .connectionClosed, .idleTimeout,
    ]
}

extension TransportError {
    /// The response whose body broke off, if its status isn't accepted: then the status says what to do, such as to
    /// follow a redirect, to refresh a token or to try again, and not that nobody knows what was done.
    ///
    /// - Throws: The error otherwise.
    @inline(never)
    package func brokenOffResponse(unless accepts: (HTTPStatus) -> Bool) throws(TransportError) -> HTTPResponse {
        guard let response, reason.isOfBody, !accepts(response.status) else { throw self }
        return response
    }

    /// How long the beginning of a refused body is waited for: nothing that comes later changes the error.
    private static let patience = Duration.seconds(2)

    /// The same error with the response that it is about, unless it knows one already.
    package nonisolated(nonsending) func about(
        _ response: HTTPResponse,
        _ context: RequestContext,
    ) async -> TransportError {
        guard self.response == nil else { return self }
        var response = response
        if response.body.bytes == nil {
            let end = context.clock.now.advanced(by: Self.patience)
            response.body = response.body.ending(at: min(end, context.deadline ?? end), of: context)
        }
        let beginning = await response.beginning(upTo: Self.keptBytesMax)
        var error = self
        error.response = beginning
        return error
    }
}
