#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Reads the events of an event stream (`text/event-stream`) from its bytes, whose pieces may be split anywhere.
///
/// It follows the HTML standard, sections
/// [9.2.5 and 9.2.6](https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
/// A line ends with LF, CR or CR LF. One byte order mark at the beginning is skipped, and invalid UTF-8 becomes U+FFFD.
/// Comments and unknown fields are ignored. An event without data isn't passed on, but its id is kept. An event that
/// is not complete at the end of the stream is dropped.
///
/// ```swift
/// var parser = EventStreamParser()
/// for try await piece in response.body {
///     parser.feed(piece)
///     while let event = try parser.next() { show(event.data) }  // until the next piece is needed
/// }
/// ```
/// The parser holds one piece, one incomplete line and the data of one event.
public struct EventStreamParser: Sendable {
    /// The maximum number of bytes in a line, in the data of an event, and in an id.
    private let lineBytesMax: Int
    private let eventBytesMax: Int
    private let idBytesMax: Int
    /// Whether each line is the data of an event.
    let readsLines: Bool

    /// The piece, and the offset up to which it was read.
    private var piece = Data()
    private var position = 0
    /// The next LF and CR at or after the position, or the size of the piece.
    ///
    /// They are kept, so that no byte is searched twice. A value before the position is not known any more.
    private var lineFeed = -1
    private var carriageReturn = -1
    /// Whether an LF at the position belongs to the CR before it.
    private var skipsLineFeed = false
    /// The part of the line that was in earlier pieces.
    private var beginning: [UInt8] = []
    private var isFirstLine = true
    private var error: TransportError?

    /// The fields of the event that is not complete yet.
    private var data: [UInt8] = []
    private var hasData = false
    private var name = ""
    private var id: String
    private var eventRetry: Duration?

    /// The id of the last event that was complete, also of one without data; empty if there is none.
    ///
    /// It is the value of `Last-Event-ID` for the next connection.
    public private(set) var lastEventID: String
    /// The time that the service wants a client to wait before it connects again; `nil` if no `retry` field was read.
    public private(set) var retry: Duration?

    /// Creates a parser for a new connection.
    ///
    /// - Parameters:
    ///   - lastEventID: The id that events have until the stream sets another one: that of the last connection.
    ///   - lineBytesMax: The maximum number of bytes in a line, without its line ending. Default: 16 MiB.
    ///   - eventBytesMax: The maximum number of bytes in the data of an event. Default: 16 MiB.
    ///   - idBytesMax: The maximum number of bytes in an id, which is sent in a header field. Default: 4096.
    ///   - readingLines: Whether the stream has another format: each line that isn't empty is the data of an event, as
    ///     in JSON Lines. The last one needs no line ending.
    public init(
        lastEventID: String = "",
        lineBytesMax: Int = 1 << 24,
        eventBytesMax: Int = 1 << 24,
        idBytesMax: Int = 4096,
        readingLines: Bool = false,
    ) {
        readsLines = readingLines
        (self.lineBytesMax, self.eventBytesMax, self.idBytesMax) = (lineBytesMax, eventBytesMax, idBytesMax)
        (self.lastEventID, id) = (lastEventID, lastEventID)
    }

    /// Adds a piece of the stream.
    ///
    /// Call it when ``next()`` has returned `nil`; otherwise the rest of the previous piece is copied.
    public mutating func feed(_ bytes: Data) {
        guard error == nil else { return }
        piece = position < piece.count ? piece.dropFirst(position) + bytes : bytes
        (position, lineFeed, carriageReturn) = (0, -1, -1)
    }

    /// Returns the next complete event.
    ///
    /// - Returns: The event; `nil` if another piece is needed.
    /// - Throws: ``TransportError`` with ``FailureReason/eventTooLarge`` as soon as a limit is exceeded. The stream
    ///   can't be read any further then, and each later call throws the same error.
    public mutating func next() throws(TransportError) -> ServerSentEvent? {
        if let error { throw error }
        // The bytes are held apart from the parser, which changes while they are read.
        let bytes = piece
        let event = unsafe bytes.withUnsafeBytes { unsafe nextEvent(in: $0) }
        if let error { throw error }
        return event
    }
}

extension EventStreamParser {
    /// The event of a last line without its ending; `nil` in an event stream, whose last event needs an empty line.
    mutating func finish() throws(TransportError) -> ServerSentEvent? {
        guard readsLines, !beginning.isEmpty else { return nil }
        feed(Data([Self.lineFeedByte]))
        return try next()
    }
}

extension FailureReason {
    /// A line, the data or the id of an event is larger than the limit of the ``EventStreamParser``.
    public static let eventTooLarge = FailureReason(
        .limit,
        "eventTooLarge",
        "The service's update is larger than the app allows.",
        .reportToService,
        hint: "Check whether the service is the right one, or raise the limit in the request's makeParser.",
    )
}

// MARK: - Lines

extension EventStreamParser {
    /// Reads lines up to the end of an event, or of the piece.
    private mutating func nextEvent(in bytes: UnsafeRawBufferPointer) -> ServerSentEvent? {
        while error == nil, let line = unsafe nextLine(in: bytes) {
            let isComplete: Bool
            if beginning.isEmpty {
                isComplete = unsafe readLine(UnsafeRawBufferPointer(rebasing: bytes[line]))
            } else {
                unsafe keep(bytes[line])
                // It is moved out, since the parser changes while the line is read.
                var whole: [UInt8] = []
                swap(&whole, &beginning)
                isComplete = unsafe whole.withUnsafeBytes { unsafe error == nil && readLine($0) }
            }
            if isComplete, let event = dispatch() { return event }
        }
        return nil
    }

    /// The range of the next line, without its line ending; `nil` if the piece has no further line ending.
    private mutating func nextLine(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        guard position < bytes.count else { return nil }
        if skipsLineFeed {
            skipsLineFeed = false
            if unsafe bytes[position] == Self.lineFeedByte { position += 1 }
        }
        if lineFeed < position { unsafe lineFeed = Self.offset(of: Self.lineFeedByte, in: bytes, from: position) }
        if carriageReturn < position {
            unsafe carriageReturn = Self.offset(of: Self.carriageReturnByte, in: bytes, from: position)
        }
        let start = position
        let end = min(lineFeed, carriageReturn)
        guard end < bytes.count else {
            unsafe keep(bytes[start...])
            position = bytes.count
            return nil
        }
        position = end + 1
        if end == carriageReturn {
            if position == bytes.count {
                skipsLineFeed = true
            } else if unsafe bytes[position] == Self.lineFeedByte {
                position += 1
            }
        }
        guard end - start <= lineBytesMax else {
            fail("a line has more than \(lineBytesMax) bytes")
            return nil
        }
        return start..<end
    }

    /// Keeps a part of a line until the rest of it arrives.
    private mutating func keep(_ part: Slice<UnsafeRawBufferPointer>) {
        guard unsafe part.count <= lineBytesMax - beginning.count else {
            return fail("a line has more than \(lineBytesMax) bytes")
        }
        unsafe beginning.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
    }

    private mutating func fail(_ message: String) {
        error = EventStreamCause.eventTooLarge.error(message)
        (piece, beginning, data) = (Data(), [], [])
    }

    private static let lineFeedByte: UInt8 = 0x0A
    private static let carriageReturnByte: UInt8 = 0x0D

    /// The offset of a byte, or the number of bytes if there is none.
    @inline(__always)
    private static func offset(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress, start < bytes.count,
            let found = unsafe memchr(base + start, CInt(byte), bytes.count - start)
        else { return bytes.count }
        return unsafe UnsafeRawPointer(found) - base
    }
}

// MARK: - Fields

extension EventStreamParser {
    /// Reads a line.
    ///
    /// - Returns: Whether it is empty, which completes the event.
    private mutating func readLine(_ line: UnsafeRawBufferPointer) -> Bool {
        var line = unsafe line
        if isFirstLine {
            isFirstLine = false
            if unsafe line.starts(with: [0xEF, 0xBB, 0xBF]) {
                unsafe line = unsafe UnsafeRawBufferPointer(rebasing: line.dropFirst(3))
            }
        }
        guard !readsLines else {
            guard unsafe line.contains(where: { $0 > 0x20 }) else { return false }
            unsafe readData(line)
            return true
        }
        guard let first = unsafe line.first else { return true }
        switch first {
        case UInt8(ascii: "d"):
            if let value = unsafe Self.value(of: "data", in: line) { unsafe readData(value) }
        case UInt8(ascii: "e"):
            if let value = unsafe Self.value(of: "event", in: line) { name = unsafe Self.text(value) }
        case UInt8(ascii: "i"):
            if let value = unsafe Self.value(of: "id", in: line) { unsafe readID(value) }
        case UInt8(ascii: "r"):
            if let value = unsafe Self.value(of: "retry", in: line) { unsafe readRetry(value) }
        default: break
        }
        return false
    }

    /// The value of a field if the line has that field: the bytes after the colon, without one leading space.
    @inline(__always)
    private static func value(of field: StaticString, in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let size = field.utf8CodeUnitCount
        guard let base = line.baseAddress, line.count >= size, unsafe memcmp(base, field.utf8Start, size) == 0
        else { return nil }
        guard line.count > size else { return unsafe UnsafeRawBufferPointer(start: base + size, count: 0) }
        guard unsafe line[size] == UInt8(ascii: ":") else { return nil }
        let start = unsafe line.count > size + 1 && line[size + 1] == UInt8(ascii: " ") ? size + 2 : size + 1
        return unsafe UnsafeRawBufferPointer(start: base + start, count: line.count - start)
    }

    @inline(__always)
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes, as: UTF8.self)
    }

    private mutating func readData(_ value: UnsafeRawBufferPointer) {
        guard value.count <= eventBytesMax - data.count - (hasData ? 1 : 0) else {
            return fail("the data of an event has more than \(eventBytesMax) bytes")
        }
        if hasData { data.append(Self.lineFeedByte) }
        hasData = true
        unsafe data.append(contentsOf: value)
    }

    private mutating func readID(_ value: UnsafeRawBufferPointer) {
        guard unsafe !value.contains(0) else { return }
        guard value.count <= idBytesMax else { return fail("the id of an event has more than \(idBytesMax) bytes") }
        id = unsafe Self.text(value)
    }

    private mutating func readRetry(_ value: UnsafeRawBufferPointer) {
        guard unsafe !value.isEmpty && value.allSatisfy({ 0x30...0x39 ~= $0 }) else { return }
        // A number that nothing can hold is as good as never.
        let time = Swift.min(Duration.milliseconds(Int64(unsafe Self.text(value)) ?? .max), Duration.farFuture)
        (retry, eventRetry) = (time, time)
    }

    /// Completes the event.
    ///
    /// - Returns: The event; `nil` if it has no data.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer { (hasData, name, eventRetry) = (false, "", nil) }
        guard hasData else { return nil }
        // A large event doesn't keep its memory.
        defer { data.removeAll(keepingCapacity: data.count <= 65_536) }
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name,
            data: unsafe data.withUnsafeBytes { unsafe Self.text($0) },
            id: id,
            retry: eventRetry,
        )
    }
}
