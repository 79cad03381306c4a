#if os(Linux)
import HikyakuCompression
#endif

/// Asks for the content codings that can be undone, and undoes those of the response, over transports that don't.
///
/// It stands outside redirects: all hops ask for the same, and of the last response alone the body is read.
///
/// - A request that says nothing is sent with all of them. One with a `Range` asks for none: a range counts the bytes
///   of the coded body, and a part of that can't be undone by itself. A request's own `Accept-Encoding` stands.
/// - What was undone is gone from the response: `Content-Encoding`, and `Content-Length`, which was that of the coded
///   body. Where there is nothing to undo (HEAD, 204, 304, an empty body), the response stays as it came.
/// - A body in a coding that isn't known, or a part of a coded body, is handed on as it is where the request's own
///   `Accept-Encoding` asked for that coding by name, and is an error everywhere else.
/// - An empty body in a coding is an empty body, as browsers and curl have it, if it has a stated length or chunks.
///   Where only the connection's end says that it's over, it is a truncated one.
///
/// [RFC 9110, section 8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4)
struct ContentCodingStep {
    /// More are no sign of honesty.
    private static let codingsMax = 4

    let options: ClientOptions

    /// Asks for the codings that can be undone, unless the request says something itself.
    func ask(in request: inout HTTPRequest) {
        guard !request.headers.contains(.acceptEncoding) else { return }
        request.appendKnownGood(.acceptEncoding, request.headers.contains("Range") ? "identity" : Self.undoable)
    }

    /// A response whose body's codings are undone.
    func undo(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        guard response.mayHaveContent(after: request.method) else { return response }
        let names = response.codingNames
        let isEmpty = response.body.count == 0 && response.hasStatedEnd
        guard !names.isEmpty, !isEmpty else { return response }
        let stuck = names.filter { response.status == 206 || !Self.isUndoable($0) }
        guard stuck.isEmpty else {
            // What the user asked for by name is the user's to undo.
            if request.acceptsCodings(stuck) { return response }
            throw Self.cannotUndo(stuck[0], in: response)
        }
        guard names.count <= Self.codingsMax else {
            throw TransportError(
                .malformedContentCoding,
                "the body has \(names.count) codings, applied one after another",
            )
        }
        return try await undo(names, in: response, context)
    }

    private static func cannotUndo(_ name: String, in response: HTTPResponse) -> TransportError {
        // A name that is none isn't shown: it may be anything.
        let isName = name.utf8.count <= 32 && name.utf8.allSatisfy { (0x30...0x7A).contains($0) || $0 == 0x2D }
        let shown = isName ? "the coding \(name)" : "a coding without a name"
        let message =
            response.status == 206
            ? "a part of a body in \(shown) can't be decoded on its own"
            : "unsupported content coding: the body is in \(shown), which was not requested"
        return TransportError(.unknownContentCoding, message)
    }
}

#if os(Linux)
extension ContentCodingStep {
    private static let undoable = ContentCoding.acceptEncoding

    private static func isUndoable(_ name: String) -> Bool { ContentCoding(name: name) != nil }

    private func undo(
        _ names: [String],
        in response: HTTPResponse,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        var response = response
        let codings = names.compactMap(ContentCoding.init(name:))
        let ratioMax = options.compressionRatioMax
        response.body = try response.body.decoded(codings, ratioMax: ratioMax, mayBeEmpty: response.hasStatedEnd)
        response.headers.removeAll { $0.name == .contentEncoding || $0.name == .contentLength }
        guard !context.streamsBody else { return response }
        return try await response.collectingBody(within: options.transportOptions(for: context))
    }
}
#else
extension ContentCodingStep {
    private static let undoable = "identity"

    private static func isUndoable(_ name: String) -> Bool { false }

    private func undo(
        _ names: [String],
        in response: HTTPResponse,
        _ context: RequestContext,
    ) async throws -> HTTPResponse {
        response
    }
}
#endif

// What the header block of a message has to say about content codings.

extension HTTPRequest {
    /// Whether the request's own `Accept-Encoding` names each of these codings (RFC 9110, section 12.5.3).
    func acceptsCodings(_ names: [String]) -> Bool {
        let asked = headers.elements(of: .acceptEncoding).compactMap { element -> String? in
            let parts = element.byteSplit(separator: ";").map { $0.trimmingSpaces.asciiLowercased }
            let weight = parts.dropFirst().first { $0.hasBytePrefix("q=") }
                .flatMap { Double(Substring($0.utf8.dropFirst(2))) }
            return weight == 0 ? nil : parts.first?.codingName
        }
        return names.allSatisfy { asked.contains($0.codingName) }
    }
}

extension HTTPResponse {
    /// The codings of the body in the order in which they were applied; `identity` is none.
    var codingNames: [String] {
        headers.elements(of: .contentEncoding).map(\.asciiLowercased).filter { $0 != "identity" }
    }

    /// Whether something else than the connection's end says where the body ends.
    fileprivate var hasStatedEnd: Bool {
        isEndStated ?? (headers.contains(.contentLength) || headers.contains("Transfer-Encoding"))
    }

    /// Whether the response to such a request has content at all (RFC 9110, section 6.4.1).
    fileprivate func mayHaveContent(after method: HTTPMethod) -> Bool {
        method != .head && status != .noContent && status != .notModified && !status.isInformational
    }
}

extension HTTPHeaders {
    /// The elements of a list, empty ones left out (RFC 9110, section 5.6.1).
    fileprivate func elements(of name: HTTPHeaderName) -> [String] {
        values(for: name).flatMap { $0.byteSplit(separator: ",") }.map { String($0.trimmingSpaces) }
            .filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// The name without the prefix of older times (RFC 9110, section 8.4.1.3).
    fileprivate var codingName: String {
        String(self[utf8.index(startIndex, offsetBy: hasBytePrefix("x-") ? 2 : 0)...])
    }
}
