/// The decisions about one upload in parts: replies and failures in, messages and outcomes out.
///
/// States: create → append ⇄ retrieve → over. It has no clock, no body and no connection.
struct UploadMachine: Sendable {
    enum Action: Equatable {
        case send(UploadMessage)
        /// The last response is the call's.
        case finish
        /// The upload is complete, and its response was lost.
        case finishUnseen
        case fail(TransportError)

        static func == (left: Action, right: Action) -> Bool {
            switch (left, right) {
            case (.send(let left), .send(let right)): left == right
            case (.finish, .finish), (.finishUnseen, .finishUnseen): true
            case (.fail(let left), .fail(let right)): left.reason == right.reason && left.message == right.message
            default: false
            }
        }
    }

    /// How often in a row a server may reply without having taken a byte.
    private static let idleRepliesMax = 4
    /// How many messages any upload may have, and for how many bytes it may have one more.
    private static let (messagesMin, messageBytes) = (1000, 16 << 10)

    let length: Int
    /// How many bytes the server has confirmed; it never decreases.
    private(set) var offset = 0
    /// The URL of the upload, as its `Location` has it; `nil` before it was created.
    private(set) var location: String?
    private var limits = UploadLimits()
    private var idleReplies = 0
    private var messagesCount = 0
    /// Whether a lost upload may be created again: one that was begun by an earlier call.
    private var mayStartOver: Bool
    /// The next message.
    private(set) var message: UploadMessage

    /// - Parameters:
    ///   - length: The length of the body in bytes.
    ///   - location: The URL of an upload that an earlier call has begun.
    init(length: Int, continuing location: String? = nil) {
        (self.length, self.location) = (length, location)
        mayStartOver = location != nil
        message = location == nil ? .create(length: length) : .retrieveOffset
    }

    /// A transient failure: the server may have taken a part of the last message, or all of it.
    mutating func interrupt() {
        messagesCount += 1
        if location != nil { message = .retrieveOffset }
    }

    /// Decides what follows a reply; a server that takes a few bytes of each message doesn't get any number of them.
    mutating func handle(_ reply: UploadReply) -> Action {
        messagesCount += 1
        let action = action(after: reply)
        guard case .send = action, messagesCount > messagesMax else { return action }
        return invalid("the server has taken only \(offset) of \(length) bytes after \(messagesCount) requests")
    }

    private var messagesMax: Int { Self.messagesMin + length / Self.messageBytes }

    private mutating func action(after reply: UploadReply) -> Action {
        switch reply {
        case .created(let location, let limits): return created(at: location, limits)
        case .stored(let offset, let length, let limits): return stored(offset, of: length, limits)
        case .offsetMismatch(let offset?): return stored(offset, of: nil, limits)
        case .offsetMismatch(nil): return idle(.retrieveOffset)
        case .complete:
            guard message.isLast else { return invalid("the server completed the upload before its last part") }
            offset = length
            return .finish
        case .completeBefore:
            guard location != nil else { return invalid("the server completed an upload that it did not create") }
            return .finishUnseen
        case .lost: return lost()
        case .invalid(let text): return invalid(text)
        case .other: return .finish
        }
    }

    private mutating func created(at location: String, _ limits: UploadLimits) -> Action {
        guard case .create = message else { return invalid("the server created a second upload") }
        self.location = location
        self.limits = limits
        return append()
    }

    /// How many bytes the server has; `nil` for all that were sent.
    private mutating func stored(_ stored: Int?, of announced: Int?, _ limits: UploadLimits) -> Action {
        guard location != nil else { return invalid("the server stored a part before it created the upload") }
        if let announced, announced != length {
            return invalid("the server expects \(announced) bytes, and the body has \(length)")
        }
        if limits != UploadLimits() { self.limits = limits }
        var sentEnd: Int?
        if case .append(let offset, let count, _) = message { sentEnd = offset + count }
        guard let stored = stored ?? sentEnd else { return invalid("the server did not say what it has stored") }
        guard stored >= offset else {
            return invalid("the server had \(offset) bytes of the upload, and now has only \(stored)")
        }
        guard stored <= length else {
            return invalid("the server has \(stored) bytes of a body of \(length)")
        }
        let hasProgress = stored > offset
        offset = stored
        if hasProgress { idleReplies = 0 }
        // An append follows the retrieval in any case, so only it can be without progress.
        if !hasProgress, sentEnd != nil { return idle(nextPart) }
        return append()
    }

    private mutating func append() -> Action {
        if let bytesMax = limits.bytesMax, bytesMax >= 0, length > bytesMax {
            let text = "the body has \(length) bytes, and the service accepts \(bytesMax)"
            return .fail(UploadCause.uploadTooLarge.error(text))
        }
        guard (length - offset) / partBytesMax <= messagesMax else {
            return invalid("the server takes parts of \(partBytesMax) bytes, too small for a body of \(length)")
        }
        message = nextPart
        return .send(message)
    }

    private var nextPart: UploadMessage {
        .append(offset: offset, count: min(length - offset, partBytesMax), length: length)
    }

    /// A limit below 1 is none: some servers mean that by it, and no part could be sent otherwise.
    private var partBytesMax: Int { limits.partBytesMax.flatMap { $0 > 0 ? $0 : nil } ?? .max }

    /// Sends a message after a reply without progress, a few times in a row at most.
    private mutating func idle(_ next: UploadMessage) -> Action {
        idleReplies += 1
        guard idleReplies <= Self.idleRepliesMax else {
            return invalid("the server takes no more bytes and does not complete the upload")
        }
        message = next
        return .send(next)
    }

    private mutating func lost() -> Action {
        guard mayStartOver else {
            return .fail(UploadCause.uploadLost.error("the server no longer has the upload"))
        }
        (mayStartOver, location, offset) = (false, nil, 0)
        message = .create(length: length)
        return .send(message)
    }

    private func invalid(_ text: String) -> Action { .fail(UploadCause.uploadInvalid.error(text)) }
}
