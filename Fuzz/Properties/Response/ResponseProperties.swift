#if os(Linux)
import Foundation

@testable import HikyakuHTTP
@testable import HikyakuWire

/// Reads what a server may send over HTTP/1.1, at once and in pieces: the pieces must make no difference.
func checkResponse(_ input: FuzzInput) {
    let bytes = repeated(input)
    let whole = Reading(bytes, input, pieces: { _ in .max })
    var pieces: [(inout Pieces) -> Int] = [{ $0.next(upTo: 40) }, { $0.next(upTo: 3000) }]
    if bytes.count <= 4096 { pieces.append { _ in 1 } }
    for pieces in pieces {
        let parts = Reading(bytes, input, pieces: pieces)
        check(parts == whole, "cut elsewhere: \(parts) and \(whole)")
        let direct = Reading(bytes, input, readsDirectly: true, pieces: pieces)
        check(direct == whole, "read elsewhere: \(direct) and \(whole)")
    }
    let exchange = ExchangeResult(bytes, input, pieces: { _ in .max })
    check(exchange.agrees(with: whole), "\(exchange) and \(whole)")
    for pieces in pieces {
        let parts = ExchangeResult(bytes, input, pieces: pieces)
        check(parts == exchange, "an exchange, cut elsewhere: \(parts) and \(exchange)")
    }
}

/// The document, with the part between the first two bytes 0xFF repeated many times to reach the limits.
private func repeated(_ input: FuzzInput) -> [UInt8] {
    let parts = input.document.split(separator: 0xFF, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[1].isEmpty else { return Array(input.document) }
    let times = min(Int(input.choices[1]) * 4, 600_000 / parts[1].count)
    return Array(parts[0]) + Array(repeatElement(parts[1], count: times).joined()) + Array(parts[2])
}

/// How long the pieces are in which bytes come, from the input.
private struct Pieces {
    private var state: UInt64

    init(_ input: FuzzInput) {
        state = UInt64(input.choices[0]) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(input.document.count)
    }

    mutating func next(upTo count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return 1 + Int(state >> 33) % count
    }
}

extension FuzzInput {
    fileprivate var isForHead: Bool { choices[2] & 1 == 1 }
    fileprivate var isProven: Bool { choices[2] & 2 == 0 }
    fileprivate var bodyBytesMax: Int { choices[3] == 0 ? .max : Int(choices[3]) * 8 }
}

/// What is wrong with the response.
private struct Problem: Equatable {
    let reason: FailureReason
    let text: String

    init(_ error: TransportError) {
        (reason, text) = (error.reason, error.message)
    }
}

/// What the reader makes of the bytes.
private struct Reading: Equatable {
    private(set) var status = -1
    private(set) var fields: [String] = []
    private(set) var body: [UInt8] = []
    private(set) var trailers: [String] = []
    private(set) var isComplete = false
    private(set) var keepsConnection = false
    private(set) var problem: Problem?

    init(_ bytes: [UInt8], _ input: FuzzInput, readsDirectly: Bool = false, pieces: (inout Pieces) -> Int) {
        var reader = ResponseReader(isForHead: input.isForHead)
        var sizes = Pieces(input)
        var position = 0
        while position < bytes.count, !isComplete, problem == nil {
            let size = min(pieces(&sizes), bytes.count - position)
            if readsDirectly, case let left = reader.bodyBytesLeft, left > 0 {
                let count = min(left, size)
                body += bytes[position..<(position + count)]
                position += count
                isComplete = reader.took(count)
                continue
            }
            // In memory of their own, so that reading on is found.
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
            piece.copyBytes(from: bytes[position..<(position + size)])
            position += read(UnsafeRawBufferPointer(piece), &reader)
            piece.deallocate()
        }
        check(!isComplete || reader.problemAtEnd(isProven: false) == nil, "what is whole lacks something")
        if !isComplete, problem == nil {
            problem = reader.problemAtEnd(isProven: input.isProven).map { Problem($0) }
            if problem == nil { end(&reader) }
        }
        keepsConnection = problem == nil && reader.keepsConnection && position == bytes.count
        if problem == nil {
            check(status >= 0 && !(100..<200 ~= status) && reader.hasBegun, "no final status")
            check(isComplete && (!input.isForHead || body.isEmpty), "the answer to a HEAD has a body")
        }
        check(fields.count + trailers.count <= ResponseHead.fieldCountMax, "too many fields")
        let fieldBytes = (fields + trailers).reduce(0) { $0 + $1.utf8.count }
        // What isn't UTF-8 is longer when it is repaired.
        check(fieldBytes <= ResponseHead.bytesMax * 3 && body.count <= bytes.count, "more than came")
    }

    /// Reads a piece; says how much of it.
    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ reader: inout ResponseReader) -> Int {
        var position = 0
        do throws(TransportError) {
            while true {
                let before = position
                switch try reader.next(in: bytes, from: &position) {
                case .head:
                    check(status == -1, "two heads")
                    status = reader.head.status
                    fields = Self.texts(try reader.head.headers())
                case .body(let slice):
                    check(!slice.isEmpty && position - before >= slice.count, "no progress")
                    body += slice
                case .more:
                    check(position == bytes.count, "bytes are left")
                    return position
                case .end:
                    end(&reader)
                    return position
                }
            }
        } catch {
            problem = Problem(error)
        }
        return position
    }

    private mutating func end(_ reader: inout ResponseReader) {
        isComplete = true
        do throws(TransportError) { trailers = Self.texts(try reader.trailers()) } catch {
            problem = Problem(error)
        }
    }

    private static func texts(_ headers: HTTPHeaders) -> [String] {
        headers.map { header in
            check(header.name.rawName.isHTTPToken && !header.value.utf8.contains(0x0A), "a field is none")
            return "\(header.name.rawName)=\(header.value)"
        }
    }
}

/// What an exchange makes of the bytes, whose response's body has a bound.
private struct ExchangeResult: Equatable {
    private(set) var status: Int?
    private(set) var body = Data()
    private(set) var isCut = false
    private(set) var reason: FailureReason?

    init(_ bytes: [UInt8], _ input: FuzzInput, pieces: (inout Pieces) -> Int) {
        guard let url = URL(string: "http://a/") else {
            violation("no URL")
            return
        }
        let request = HTTPRequest(method: input.isForHead ? .head : .get, url: url)
        let options = TransportOptions(
            bodyBytesMax: input.bodyBytesMax,
            errorBodyBytesMax: input.bodyBytesMax / 2,
            accepts: { $0.code < 300 },
        )
        guard let exchange = try? Exchange(request, options) else {
            violation("no exchange")
            return
        }
        var fed = Exchange.Fed.more
        var sizes = Pieces(input)
        var rest = bytes[...]
        while case .more = fed, !rest.isEmpty {
            let piece = rest.prefix(pieces(&sizes))
            fed = piece.withUnsafeBytes { exchange.feed($0) }
            rest = rest[piece.endIndex...]
        }
        if case .more = fed { fed = exchange.feedEnd(isProven: input.isProven) }
        switch fed {
        case .more: violation("an exchange has no end")
        case .failed(let error): reason = error.reason
        case .complete:
            exchange.prepareResponse()
            guard let response = exchange.takeResponse(), let bytes = response.body.bytes else {
                violation("a whole response isn't there")
                return
            }
            (status, body, isCut) = (response.status.code, bytes, response.isBodyCut)
            check(body.count <= input.bodyBytesMax, "the body is larger than its bound")
        }
        exchange.finish(nil)
    }

    /// Whether it is what a reader has found, but for the bound.
    func agrees(with reading: Reading) -> Bool {
        if reason == .bodyTooLarge { return reading.status != -1 }
        guard status != nil else { return reason == reading.problem?.reason }
        // What follows a part that is cut isn't read.
        guard !isCut else { return status == reading.status && reading.body.starts(with: body) }
        return reading.problem == nil && status == reading.status && Array(body) == reading.body
    }
}
#endif
