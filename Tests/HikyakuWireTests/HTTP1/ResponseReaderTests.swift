#if os(Linux)
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// What the reader makes of bytes that come in pieces.
struct ResponseReading: Equatable {
    var status = -1
    var fields: [String] = []
    var body: [UInt8] = []
    var trailers: [String] = []
    var isComplete = false
    var keepsConnection = false
    var problem: FailureReason?

    init(_ pieces: [ArraySlice<UInt8>], isForHead: Bool = false, endsWith isProven: Bool? = nil) {
        var reader = ResponseReader(isForHead: isForHead)
        for piece in pieces where problem == nil {
            piece.withUnsafeBytes { read($0, &reader) }
        }
        if !isComplete, problem == nil, let isProven {
            problem = reader.problemAtEnd(isProven: isProven)?.reason
            isComplete = problem == nil
        }
        keepsConnection = problem == nil && reader.keepsConnection
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ reader: inout ResponseReader) {
        var position = 0
        do throws(TransportError) {
            while true {
                switch try reader.next(in: bytes, from: &position) {
                case .head:
                    status = reader.head.status
                    fields = Self.texts(try reader.head.headers())
                case .body(let slice): body += slice
                case .more: return
                case .end:
                    isComplete = true
                    trailers = Self.texts(try reader.trailers())
                    return
                }
            }
        } catch {
            problem = error.reason
        }
    }

    private static func texts(_ headers: HTTPHeaders) -> [String] {
        headers.map { "\($0.name.rawName)=\($0.value)" }
    }
}

/// The reader of responses byte by byte, and cut wherever it can be.
@Suite struct ResponseReaderTests {
    private static let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3;e=1\r\none\r\n2\r\n!!\r\n0\r\nX-T: t \r\n\r\n"

    /// RFC 9110, section 15: a client handles them as a 5xx.
    @Test(arguments: ["000", "007", "099", "600", "999"])
    func aStatusOfNoClassIsThatOfAResponse(_ digits: String) {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 \(digits) Denied\r\nContent-Length: 2\r\n\r\nno"
        for pieces in [[Array(text.utf8)[...]], Array(text.utf8).map { [$0][...] }] {
            let reading = ResponseReading(pieces)
            #expect(reading.status == Int(digits) && reading.body == Array("no".utf8) && reading.keepsConnection)
        }
        #expect(ResponseReading([Array("HTTP/1.1 \(digits)\r\n\r\n".utf8)[...]], isForHead: true).isComplete)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello", Self.chunked,
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nA: b\r\n c\r\n\r\n",
    ])
    func aResponseIsReadWhereverItIsCut(_ text: String) async {
        let bytes = Array(text.utf8)
        let whole = ResponseReading([bytes[...]])
        #expect(whole.isComplete && whole.keepsConnection && whole.problem == nil)
        for first in 0...bytes.count {
            await Task.yield()
            for second in stride(from: first, through: bytes.count, by: 7) {
                #expect(ResponseReading([bytes[..<first], bytes[first..<second], bytes[second...]]) == whole)
            }
        }
        #expect(ResponseReading(bytes.indices.map { bytes[$0...$0] }) == whole)
        for count in 0..<bytes.count {
            let part = ResponseReading([bytes[..<count]], endsWith: true)
            #expect(!part.isComplete && part.problem != nil)
        }
    }

    @Test func trailersAreKept() {
        let reading = ResponseReading([Array(Self.chunked.utf8)[...]])
        #expect(reading.trailers == ["X-T=t"])
        #expect(reading.body == Array("one!!".utf8))
    }

    @Test func aTrailerThatIsNotAFieldIsAProblem() {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX T: t\r\n\r\n"
        #expect(ResponseReading([Array(text.utf8)[...]]).problem == .malformedResponse)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nconnection: x, CLOSE ,y\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: closed\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection : keep-alive\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n close\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n", true),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive, close\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore", false),
    ])
    func theResponseDecidesWhetherAConnectionIsKept(_ text: String, _ isKept: Bool) {
        let reading = ResponseReading([Array(text.utf8)[...]])
        #expect(reading.isComplete && reading.keepsConnection == isKept)
    }

    @Test func aBodyWithoutALengthNeedsAnEndThatIsProven() {
        let bytes = Array("HTTP/1.1 200 OK\r\n\r\nbody".utf8)[...]
        #expect(ResponseReading([bytes], endsWith: true).isComplete)
        #expect(ResponseReading([bytes], endsWith: false).problem == .truncatedResponse)
    }

    @Test func whatIsNotAResponseIsKnownByItsFirstBytes() {
        #expect(ResponseReading([Array("HTTP/2 200".utf8)[...]]).problem == .malformedResponse)
        #expect(ResponseReading([Array("S".utf8)[...]]).problem == .malformedResponse)
        #expect(ResponseReading([Array("HTT".utf8)[...]]).problem == nil)
        // However much comes at once, what is wrong first is what is said.
        for end in ["", "\r\n"] {
            let long = Array(String(repeating: "X", count: 300_000).utf8) + Array(end.utf8)
            #expect(ResponseReading([long[...]]).problem == .malformedResponse)
            let tooLong = Array("HTTP/1.1 200 ".utf8) + long
            #expect(ResponseReading([tooLong[...]]).problem == .headersTooLarge)
        }
    }

    /// The limit holds for informational responses, the final response and its trailers together.
    @Test(
        arguments: [
            ([300, 300], 0, 0, false), ([200, 200], 100, 0, true), ([200, 200], 101, 0, false), ([], 500, 0, true),
            ([], 501, 0, false), ([500], 1, 0, false), ([200], 100, 200, true), ([200], 100, 201, false),
        ] as [([Int], Int, Int, Bool)]
    )
    func theFieldsOfAllPartsOfAResponseAreBounded(_ early: [Int], _ own: Int, _ trailing: Int, _ isTaken: Bool) {
        func fields(_ count: Int) -> String { String(repeating: "A: b\r\n", count: count) }
        var text = early.map { "HTTP/1.1 103 Early Hints\r\n\(fields($0))\r\n" }.joined()
        if trailing == 0 {
            text += "HTTP/1.1 204 No Content\r\n\(fields(own))\r\n"
        } else {
            let coding = "Transfer-Encoding: chunked\r\n"
            text += "HTTP/1.1 200 OK\r\n\(coding)\(fields(own - 1))\r\n0\r\n\(fields(trailing))\r\n"
        }
        let reading = ResponseReading([Array(text.utf8)[...]])
        #expect(reading.problem == (isTaken ? nil : .headersTooLarge))
        #expect(reading.isComplete == isTaken)
        if isTaken { #expect(reading.fields.count == own && reading.trailers.count == trailing) }
    }

    /// Each byte at four positions of a header line, after the status line of a sound response.
    @Test func eachByteOfAHeaderLineIsAcceptedOrRejected() {
        var counts: [String: Int] = [:]
        for byte in UInt8.min...UInt8.max {
            for (place, parts) in [
                "name": ("X-", "A: b"), "colon": ("X-A", " b"), "value": ("X-A: b", "c"), "end": ("X-A: b", ""),
            ] {
                let line = Array(parts.0.utf8) + [byte] + Array(parts.1.utf8)
                let text = Array("HTTP/1.1 200 OK\r\n".utf8) + line + Array("\r\nContent-Length: 2\r\n\r\nok".utf8)
                let reading = ResponseReading([text[...]])
                // Whatever is made of it, it is one response with this body, or none that is complete.
                if reading.isComplete, reading.body != Array("ok".utf8) { Issue.record("\(place) \(byte)") }
                counts[place, default: 0] += reading.problem == nil ? 1 : 0
            }
        }
        // In a name, a token's characters and the colon that ends it. In a value, all but NUL and CR, and LF, which
        // ends the line: the next one has no colon, or is empty and ends the block.
        #expect(counts["name"] == 78)
        #expect(counts["colon"] == 1)
        #expect(counts["value"] == 253)
        #expect(counts["end"] == 254)
    }
}
#endif
