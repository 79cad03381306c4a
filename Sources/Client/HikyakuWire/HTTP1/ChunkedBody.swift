#if os(Linux)
import Glibc
import HikyakuBase
import HikyakuHTTP

/// Decodes the chunked transfer coding from slices that may be cut anywhere.
///
/// It is strict: a size has 1 to 16 hexadecimal digits, which only an extension may follow, and lines end with CR LF.
/// Everything else is rejected, since readers that disagree on the end of a message make response splitting possible.
/// Extensions are ignored, trailers are kept.
///
/// [RFC 9112, section 7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1)
struct ChunkedBody {
    private enum State {
        case size(digits: Int)
        /// Blanks after a size, which some servers write as padding.
        case padding
        case chunkExtension
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailerStart
        case trailer(hasColon: Bool)
        case trailerLineFeed
        case lastLineFeed
        case end
    }

    /// The limit for the extension of one chunk.
    static let extensionBytesMax = 4096
    /// The limit for all extensions together, in addition to the number of body bytes so far.
    static let extensionsBytesMax = 64 * 1024
    private static let digitsMax = 16

    private var state = State.size(digits: 0)
    /// The rest of the chunk, or the part of its size that has been read.
    private var left = 0
    private var extensionBytes = 0
    private var extensionsBytesLeft = ChunkedBody.extensionsBytesMax
    /// The lines of the trailer section with their line breaks, without the empty line that ends it.
    private(set) var trailers: [UInt8] = []
    private var trailerBytesLeft: Int
    private var trailersLeft: Int

    /// - Parameters:
    ///   - trailerBytesMax: The limit for all trailers together.
    ///   - trailersMax: The limit for their number.
    init(trailerBytesMax: Int, trailersMax: Int) {
        trailerBytesLeft = trailerBytesMax
        trailersLeft = trailersMax
    }

    var isComplete: Bool { if case .end = state { true } else { false } }

    /// Reads on from a position, which is moved past what was read.
    ///
    /// - Throws: An error, after which this must not be called again.
    mutating func next(
        in bytes: UnsafeRawBufferPointer,
        from position: inout Int,
    ) throws(TransportError) -> BodyFraming.Step {
        while true {
            if case .end = state { return .end }
            guard position < bytes.count else { return .more }
            if case .data = state {
                let count = min(left, bytes.count - position)
                took(count)
                return .body(bytes.slice(from: &position, count: count))
            }
            let byte = bytes[position]
            position += 1
            try read(byte)
        }
    }

    /// How many of the next bytes certainly belong to the body.
    var dataLeft: Int { if case .data = state { left } else { 0 } }

    /// Notes how many bytes, ``dataLeft`` at most, were read elsewhere.
    mutating func took(_ count: Int) {
        extensionsBytesLeft = min(extensionsBytesLeft, Int.max - count) + count
        left -= min(count, left)
        if left == 0 { state = .dataReturn }
    }

    /// Reads a byte of the framing.
    private mutating func read(_ byte: UInt8) throws(TransportError) {
        switch state {
        case .size(let digits): try readSize(byte, behind: digits)
        case .padding, .chunkExtension: try readExtension(byte)
        case .sizeLineFeed: try expect(0x0A, byte, next: left == 0 ? .trailerStart : .data)
        case .dataReturn: try expect(0x0D, byte, next: .dataLineFeed)
        case .dataLineFeed: try expect(0x0A, byte, next: .size(digits: 0))
        case .trailerStart, .trailer, .trailerLineFeed: try readTrailer(byte)
        case .lastLineFeed: try expect(0x0A, byte, next: .end)
        case .data, .end: return
        }
    }

    private mutating func expect(_ wanted: UInt8, _ byte: UInt8, next: State) throws(TransportError) {
        guard byte == wanted else { throw .malformedChunk("a line break of the chunked coding is misplaced") }
        state = next
    }

    private mutating func readSize(_ byte: UInt8, behind digits: Int) throws(TransportError) {
        if let digit = ASCII.hexadecimalValue(byte) {
            guard digits < Self.digitsMax, left <= Int.max >> 4 else {
                throw .malformedChunk("a chunk's size is too large")
            }
            left = left << 4 | Int(digit)
            state = .size(digits: digits + 1)
            return
        }
        guard digits > 0 else { throw .malformedChunk("a chunk has no size") }
        extensionBytes = 0
        state = .padding
        try readExtension(byte)
    }

    private mutating func readExtension(_ byte: UInt8) throws(TransportError) {
        if byte == 0x0D {
            state = .sizeLineFeed
            return
        }
        extensionBytes += 1
        extensionsBytesLeft -= 1
        guard extensionBytes <= Self.extensionBytesMax, extensionsBytesLeft >= 0 else {
            throw WireCause.headTooLarge.error("the chunk extensions are too long")
        }
        if case .padding = state {
            if byte == UInt8(ascii: ";") {
                state = .chunkExtension
            } else if !byte.isBlank {
                throw .malformedChunk("a chunk's size isn't hexadecimal")
            }
        } else if byte.isControl {
            throw .malformedChunk("a chunk's extension has a control character")
        }
    }

    private mutating func readTrailer(_ byte: UInt8) throws(TransportError) {
        trailerBytesLeft -= 1
        guard trailerBytesLeft >= 0 else { throw .headersTooLarge }
        if case .trailerStart = state, byte == 0x0D {
            state = .lastLineFeed
            return
        }
        trailers.append(byte)
        switch state {
        case .trailerStart:
            trailersLeft -= 1
            guard trailersLeft >= 0 else { throw .headersTooLarge }
            guard byte != UInt8(ascii: ":"), !byte.isBlank, !byte.isControl else {
                throw .malformedChunk("a malformed trailer follows the last chunk")
            }
            state = .trailer(hasColon: false)
        case .trailer(true) where byte == 0x0D:
            state = .trailerLineFeed
        case .trailer(let hasColon):
            guard !byte.isControl else { throw .malformedChunk("a trailer has a control character or no colon") }
            if !hasColon, byte == UInt8(ascii: ":") { state = .trailer(hasColon: true) }
        default:
            try expect(0x0A, byte, next: .trailerStart)
        }
    }
}

extension UInt8 {
    /// Whether it is a control character that no field may contain: all except the tab.
    fileprivate var isControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }
}
#endif
