import HikyakuBase

/// The part of a service's file that is requested to complete a draft.
struct RangeRequest: Equatable {
    /// The first byte that is requested.
    let offset: Int
    /// The size of the whole file, if it is known.
    let total: Int?
    let validator: RangeValidator

    /// The range that follows the bytes of a draft.
    ///
    /// For a draft that is already complete, it is the last byte: so the service says whether its file is still the
    /// same. A range after the last byte would be an error, whose response often has no validator.
    init?(after count: Int, total: Int?, validator: RangeValidator) {
        let offset = total == count ? count - 1 : count
        guard offset > 0 || (offset == 0 && total == 1) else { return nil }
        (self.offset, self.total, self.validator) = (offset, total, validator)
    }

    /// Adds `Range` and `If-Range` to a request.
    func add(to headers: inout HTTPHeaders) {
        headers["Range"] = "bytes=\(offset)-"
        headers["If-Range"] = validator.fieldValue
    }
}

/// `Content-Range` for bytes ([RFC 9110, section 14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)).
enum ContentRange: Equatable {
    /// `bytes 5-9/10`, or `bytes 5-9/*`.
    case part(first: Int, last: Int, total: Int?)
    /// `bytes */10`: no byte of the requested range exists.
    case none(total: Int)

    /// Reads a field's value; `nil` if it has another unit, is malformed, or contradicts itself.
    init?(_ text: String) {
        guard text.asciiLowercased.hasBytePrefix("bytes ") else { return nil }
        let parts = Substring(text.utf8.dropFirst(6)).byteSplit(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = ASCII.decimal(parts[1].utf8)
        if parts[0] == "*" {
            guard let total else { return nil }
            self = .none(total: total)
            return
        }
        let ends = parts[0].byteSplit(separator: "-", omittingEmptySubsequences: false)
        guard total != nil || parts[1] == "*", ends.count == 2, let first = ASCII.decimal(ends[0].utf8),
            let last = ASCII.decimal(ends[1].utf8), first <= last, last < total ?? .max
        else { return nil }
        self = .part(first: first, last: last, total: total)
    }
}

/// What a download does with a response: a decision from its status and fields alone.
enum DownloadStep: Equatable {
    /// The body is the whole file: the draft is emptied.
    case whole
    /// The body continues the draft at an offset and ends before another one.
    case part(at: Int, end: Int, total: Int?)
    /// The draft already is the whole file.
    case complete
    /// The draft is useless, for this reason: it is emptied, and the whole file requested.
    case startOver(String)
    /// The response is read as that of any other request.
    case other

    /// - Parameters:
    ///   - response: The response; its body isn't read.
    ///   - range: The range that was requested; `nil` for the whole file.
    ///   - count: The number of bytes in the draft.
    ///   - mayBeComplete: Whether the draft ends with a part of this call that may have been the last one.
    ///   - isOtherOrigin: Whether the response came from another origin than the draft.
    ///   - coding: The content coding of the draft's bytes; `nil` for none.
    init(
        after response: HTTPResponse,
        to range: RangeRequest?,
        draftCount count: Int,
        mayBeComplete: Bool = false,
        isOtherOrigin: Bool = false,
        coding: String? = nil,
    ) {
        switch (response.status.code, range) {
        case (200, let range?) where Self.isPart(response, of: range):
            self = .startOver("the response is the part that was requested, with the status of the whole file")
        case (200, _): self = .whole
        case (206, _?) where isOtherOrigin, (416, _?) where isOtherOrigin:
            self = .startOver("the part is from another origin")
        case (206, _?) where response.isDecoded || response.contentCoding != coding:
            self = .startOver("the part has another content coding")
        case (206, let range?): self = Self.step(afterPart: response, to: range)
        case (416, let range?):
            let isEnd = mayBeComplete && Self.isEnd(response, of: range, count)
            self = isEnd ? .complete : Self.step(afterNone: response, to: range, count)
        default: self = .other
        }
    }

    /// Whether a response with 200 says that it is a part: its status alone would make a file of that.
    private static func isPart(_ response: HTTPResponse, of range: RangeRequest) -> Bool {
        guard case .part(let first, _, _)? = response.headers["Content-Range"].flatMap(ContentRange.init) else {
            return false
        }
        return first == range.offset && first > 0
    }

    private static func step(afterPart response: HTTPResponse, to range: RangeRequest) -> DownloadStep {
        guard response.headers.mediaType?.essence != "multipart/byteranges" else {
            return .startOver("the response has several parts")
        }
        guard
            case .part(let first, let last, let total)? = response.headers["Content-Range"].flatMap(ContentRange.init)
        else { return .startOver("Content-Range is missing or malformed") }
        guard first == range.offset else {
            return .startOver("the part begins at byte \(first) instead of \(range.offset)")
        }
        if let known = range.total {
            guard last < known, total ?? known == known else {
                return .startOver("the size is no longer \(known) bytes")
            }
        }
        guard last < .max, response.body.count ?? (last - first + 1) == last - first + 1 else {
            return .startOver("the size of the part contradicts its Content-Range")
        }
        guard range.validator.allows(partWith: response.headers) else {
            return .startOver("the part is that of another version")
        }
        return .part(at: first, end: last + 1, total: total ?? range.total)
    }

    /// Whether a response without a part confirms that there is nothing after the last one.
    ///
    /// With `If-Range`, it is about the version that was requested (RFC 9110, section 13.1.5), so it may lack its tag.
    private static func isEnd(_ response: HTTPResponse, of range: RangeRequest, _ count: Int) -> Bool {
        guard !response.headers.contains(.etag) || range.validator.allows(partWith: response.headers) else {
            return false
        }
        guard let text = response.headers["Content-Range"] else { return true }
        return ContentRange(text) == .none(total: count)
    }

    private static func step(
        afterNone response: HTTPResponse,
        to range: RangeRequest,
        _ count: Int,
    ) -> DownloadStep {
        guard case .none(let total)? = response.headers["Content-Range"].flatMap(ContentRange.init),
            total == count, range.total ?? total == total
        else { return .startOver("the requested range doesn't exist") }
        // Without its tag, the response may be about any version.
        guard case .etag = range.validator, range.validator.allows(partWith: response.headers) else {
            return .startOver("the range is complete, but the version is unknown")
        }
        return .complete
    }
}
