#if os(Linux)
import HikyakuCompression
#endif

/// Requests the supported content codings, and decodes those of the response, for transports that don't.
///
/// It runs outside redirects: all hops request the same codings, and only the body of the last response is read.
///
/// - A request without `Accept-Encoding` is sent with all of them. One with a `Range` requests none: a range counts the
///   bytes of the coded body, and a part of it can't be decoded on its own. A request's own `Accept-Encoding` is kept.
/// - `Content-Encoding` of a decoded body is removed, and so is `Content-Length`, which was that of the coded body. If
///   there is nothing to decode (HEAD, 204, 304, an empty body), the response is unchanged.
/// - A body with an unsupported coding, or a part of a coded body, is passed on unchanged if the request's own
///   `Accept-Encoding` names that coding. Otherwise it is an error.
/// - A body that becomes a file is passed on unchanged if the request's own `Accept-Encoding` is `identity`, as curl
///   does: an archive that is compressed by itself is often sent with `Content-Encoding: gzip`.
/// - A name that is not a coding, such as `UTF-8` or `none`, says nothing about the body, and is left alone.
/// - A body that doesn't match its coding is passed on as it came if the status isn't accepted, if nothing of it is
///   read, or if no coding was requested: the status, and what the service says, matter more.
/// - An empty body with a coding is an empty body, as in browsers and curl, if it has a length or chunks. If only the
///   end of the connection ends it, it is truncated.
///
/// [RFC 9110, section 8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4)
package final class ContentCodingStep: StepOfEveryCall {
    /// More codings are not plausible.
    private static let codingsMax = 4
    /// The registered codings, and those that are used without being registered.
    ///
    /// [HTTP Content Coding Registry](https://www.iana.org/assignments/http-parameters#content-coding)
    fileprivate static let known: Set<String> = [
        "aes128gcm", "br", "bzip2", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "lz4", "lzma", "pack200-gzip",
        "snappy", "xz", "zstd",
    ]

    private let options: ClientOptions

    init(_ options: ClientOptions) {
        self.options = options
    }

    package var stage: CallStage { .attempt }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        guard !context.call.transport.decodesContent else { return try await next(request, context) }
        let response = try await next(ready(request, context), context)
        guard response.headers.contains(.contentEncoding) else { return response }
        do { return try await decode(response, to: request, context) } catch let error as TransportError {
            throw await error.about(response, context)
        }
    }

    package func foresee(
        _ request: inout HTTPRequest,
        _ context: RequestContext,
        _ explanation: inout ExplainedSteps,
    ) async throws {
        request = ready(request, context)
    }

    /// The request with the content codings that it accepts, unless the transport decodes them.
    func ready(_ request: HTTPRequest, _ context: RequestContext) -> HTTPRequest {
        guard !context.call.transport.decodesContent else { return request }
        // Copied here: otherwise a waiting call would keep a copy that its own function made.
        var ready = request
        addAcceptEncoding(to: &ready)
        return ready
    }

    /// Requests the supported codings, unless the request has its own `Accept-Encoding`.
    private func addAcceptEncoding(to request: inout HTTPRequest) {
        guard !request.headers.contains(.acceptEncoding) else { return }
        request.appendKnownGood(.acceptEncoding, request.headers.contains("Range") ? "identity" : Self.acceptedCodings)
    }

    /// A response whose body is decoded.
    private func decode(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        // Most responses have none.
        guard response.headers.contains(.contentEncoding), response.mayHaveContent(after: request.method) else {
            return response
        }
        let names = response.codingNames
        if response.hasOtherEncoding { noteOtherEncoding(context) }
        let isEmpty = response.body.count == 0 && response.hasStatedEnd
        guard !names.isEmpty, !isEmpty else { return response }
        if context.call.traits.writesFile, request.acceptsNoCoding { return response }
        let undecoded = names.filter { response.status == 206 || !Self.isSupported($0) }
        guard undecoded.isEmpty else {
            // The user requested this coding by name, so the user decodes it.
            if request.acceptsCodings(undecoded) { return response }
            throw Self.unsupportedCoding(undecoded[0], in: response)
        }
        guard names.count <= Self.codingsMax else {
            throw ContentCodingCause.codingsNested.error(
                "the body has \(names.count) codings, applied one after another"
            )
        }
        do {
            return try await decode(names, in: response, context)
        } catch let error as TransportError where error.reason.isOfBody {
            // Without a coding, the bytes that came say more than the error.
            guard response.body.bytes != nil else { throw error }
            if request.acceptsNoCoding || context.call.traits.returnsNothing || !context.call.accepts(response.status) {
                noteOtherEncoding(context)
                return response
            }
            var kept = error
            kept.response = response.beginning()
            throw kept
        }
    }

    private func noteOtherEncoding(_ context: RequestContext) {
        let drift = ResponseDrift(kind: "unknownCoding", typeName: "Content-Encoding", pointer: nil)
        context.call.emit(.drifted(drift))
    }

    private static func unsupportedCoding(_ name: String, in response: HTTPResponse) -> TransportError {
        // A name that is not a token isn't shown: it may be anything.
        let isName = name.utf8.count <= 32 && name.utf8.allSatisfy { (0x30...0x7A).contains($0) || $0 == 0x2D }
        let shown = isName ? "the coding \(name)" : "a coding without a name"
        return response.status == 206
            ? ContentCodingCause.codingOfPart.error("a part of a body in \(shown) can't be decoded on its own")
            : ContentCodingCause.codingUnknown.error(
                "the body is in \(shown), which was not requested and isn't supported"
            )
    }
}

#if os(Linux)
extension ContentCodingStep {
    /// The requested codings.
    private static let acceptedCodings = ContentCoding.acceptEncoding

    private static func isSupported(_ name: String) -> Bool { ContentCoding(name: name) != nil }

    private func decode(
        _ names: [String],
        in response: HTTPResponse,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        var response = response
        let codings = names.compactMap(ContentCoding.init(name:))
        response.body = try response.body.decoded(
            codings,
            ratioMax: options.compressionRatioMax,
            mayBeEmpty: response.hasStatedEnd,
        )
        response.headers.removeAll { $0.name == .contentEncoding || $0.name == .contentLength }
        response.isDecoded = true
        guard !context.streamsBody else { return response }
        var limits = options.transportOptions(for: context)
        // What came is known already.
        limits.listener = nil
        return try await response.collectingBody(within: limits)
    }
}
#else
extension ContentCodingStep {
    private static let acceptedCodings = "identity"

    private static func isSupported(_ name: String) -> Bool { false }

    private func decode(
        _ names: [String],
        in response: HTTPResponse,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        response
    }
}
#endif

// The fields of a message about content codings.

extension HTTPRequest {
    /// Whether the request's own `Accept-Encoding` accepts the bytes only as they are.
    fileprivate var acceptsNoCoding: Bool {
        let elements = headers.elements(of: .acceptEncoding).map { $0.asciiLowercased.byteSplit(separator: ";") }
        let wanted = elements.filter { !$0.dropFirst().contains { Self.isZero($0.trimmingSpaces) } }
        return wanted.compactMap { $0.first?.trimmingSpaces } == ["identity"]
    }

    /// Whether a parameter is the weight of what isn't wanted, such as `q=0.0`.
    private static func isZero(_ parameter: Substring) -> Bool {
        parameter.hasBytePrefix("q=0") && parameter.utf8.dropFirst(3).allSatisfy { "0.".utf8.contains($0) }
    }

    /// Whether the request's own `Accept-Encoding` names each of these codings (RFC 9110, section 12.5.3).
    func acceptsCodings(_ names: [String]) -> Bool {
        let accepted = headers.elements(of: .acceptEncoding).compactMap { element -> String? in
            let parts = element.byteSplit(separator: ";").map { $0.trimmingSpaces.asciiLowercased }
            let weight = parts.dropFirst().first { $0.hasBytePrefix("q=") }
                .flatMap { Double(Substring($0.utf8.dropFirst(2))) }
            return weight == 0 ? nil : parts.first?.codingName
        }
        return names.allSatisfy { accepted.contains($0.codingName) }
    }
}

extension HTTPResponse {
    /// The codings of the body in the order in which they were applied, without `identity` and what is not a coding.
    package var codingNames: [String] {
        contentEncodings.filter { $0 != "identity" && $0.isCoding }
    }

    /// Whether `Content-Encoding` has a name that is not a coding.
    fileprivate var hasOtherEncoding: Bool { contentEncodings.contains { $0 != "identity" && !$0.isCoding } }

    /// Without parameters, which codings don't have.
    private var contentEncodings: [String] {
        headers.elements(of: .contentEncoding).compactMap {
            $0.byteSplit(separator: ";").first.map { String($0.trimmingSpaces).asciiLowercased }
        }
    }

    /// Whether the end of the body is marked by something else than the end of the connection.
    fileprivate var hasStatedEnd: Bool {
        isEndStated ?? (headers.contains(.contentLength) || headers.contains("Transfer-Encoding"))
    }

    /// Whether the response to such a request has content (RFC 9110, section 6.4.1).
    fileprivate func mayHaveContent(after method: HTTPMethod) -> Bool {
        method != .head && status != .noContent && status != .notModified && !status.isInformational
    }
}

extension HTTPHeaders {
    /// The elements of a list, without empty ones (RFC 9110, section 5.6.1).
    fileprivate func elements(of name: HTTPHeaderName) -> [String] {
        values(for: name).flatMap { $0.byteSplit(separator: ",") }.map { String($0.trimmingSpaces) }
            .filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// The name without the obsolete prefix (RFC 9110, section 8.4.1.3).
    fileprivate var codingName: String {
        String(self[utf8.index(startIndex, offsetBy: hasBytePrefix("x-") ? 2 : 0)...])
    }

    /// Whether it is the name of a coding, supported or not.
    fileprivate var isCoding: Bool { ContentCodingStep.known.contains(codingName) }
}
