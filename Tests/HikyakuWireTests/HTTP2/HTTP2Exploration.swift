#if os(Linux)
import FoundationEssentials
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// A client and a server that keep to the rules of HTTP/2, and do at each step one of what they may do.
///
/// The server keeps within the windows that it is given, so that windows that aren't given back show as exchanges that
/// never end.
struct HTTP2Exploration {
    private struct Exchange {
        var request: [UInt8]
        var requestLeft: ArraySlice<UInt8>
        var response: [UInt8]
        var responseSent = 0
        var hasHead = false
        var isOver = false
        let holdsBack: Bool
        let hasTrailers: Bool
        var window = 5000
        var read = 0
        /// What the client has seen, and of the body apart.
        var seen: [Seen] = []
        var bodySeen: [UInt8] = []
    }

    private(set) var random: SeededGenerator
    private(set) var problems: [String] = []
    private(set) var finishedCount = 0
    private let connection: TestConnection
    private var exchanges: [Int32: Exchange] = [:]
    private var window = 65_535
    private var uploadLimit = 65_535

    init(_ random: SeededGenerator) throws {
        self.random = random
        connection = try TestConnection(
            {
                $0.streamWindow = 5000
                $0.connectionWindow = 65_535
                $0.unreadBytesMax = 20_000
                $0.outputBytesMax = 3000
            },
            settings: [(3, 10)],
        )
        _ = connection.takeFrames()
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    // MARK: - Steps

    mutating func step() throws {
        switch number(0...9) {
        case 0: try open()
        case 1: cancel()
        case 2, 3: readSome()
        case 4: connection.flush(upTo: number(0...4000))
        case 5: connection.feed(Frame.ping())
        default: serve()
        }
        note()
    }

    private mutating func open() throws {
        guard connection.session.capacity > 0 else { return }
        let request = [UInt8](repeating: UInt8(number(0...255)), count: number(0...1) * number(0...30_000))
        let response = [UInt8](repeating: UInt8(number(0...255)), count: number(0...1) * number(0...40_000))
        let (holdsBack, isWhole) = (number(0...1) == 0, number(0...1) == 0)
        let body: HTTPBody = isWhole ? .whole(Data(request)) : .pieces(count: nil)
        let id = try connection.open(.post, body: body, holdsBack: holdsBack)
        exchanges[id] = Exchange(
            request: request,
            requestLeft: isWhole ? [] : request[...],
            response: response,
            holdsBack: holdsBack,
            hasTrailers: number(0...2) == 0,
        )
    }

    private mutating func cancel() {
        guard number(0...5) == 0, let (id, _) = exchanges.randomEntry(using: &random) else { return }
        connection.cancel(id)
        exchanges[id] = nil
    }

    private mutating func readSome() {
        guard let (id, exchange) = exchanges.randomEntry(using: &random), exchange.holdsBack else { return }
        let unread = exchange.bodySeen.count - exchange.read
        let count = number(0...max(unread, 0))
        connection.read(count, on: id)
        exchanges[id]?.read += count
    }

    /// Sends the next piece of a response.
    private mutating func serve() {
        guard let (id, exchange) = exchanges.randomEntry(using: &random), !exchange.isOver else { return }
        guard exchange.hasHead else {
            exchanges[id]?.hasHead = true
            if number(0...3) == 0 { connection.receive(Frame.headers(id, [(":status", "103")])[...]) }
            connection.receive(Frame.headers(id, [(":status", "200"), ("n", "\(id)")])[...])
            return
        }
        let left = exchange.response.count - exchange.responseSent
        let count = min(left, exchange.window, window, number(1...6000))
        guard count > 0 || left == 0 else { return }
        let piece = Array(exchange.response[exchange.responseSent..<(exchange.responseSent + count)])
        let isLast = count == left
        exchanges[id]?.responseSent += count
        exchanges[id]?.window -= count
        window -= count
        exchanges[id]?.isOver = isLast
        connection.receive(Frame.data(id, piece, end: isLast && !exchange.hasTrailers)[...])
        if isLast, exchange.hasTrailers { connection.receive(Frame.headers(id, [("t", "1")], end: true)[...]) }
    }

    // MARK: - What was seen

    private mutating func note() {
        for frame in connection.takeFrames() where frame.type == Frame.Kind.windowUpdate {
            if frame.stream == 0 { window += Int(UInt32(frame.payload)) }
            exchanges[Int32(frame.stream)]?.window += Int(UInt32(frame.payload))
        }
        if let code = connection.goAwayCode { problems.append("GOAWAY \(code)") }
        for seen in connection.takeSeen() {
            guard let id = seen.stream, exchanges[id] != nil else { continue }
            if case .body(_, let bytes) = seen {
                exchanges[id]?.bodySeen += bytes
                continue
            }
            exchanges[id]?.seen.append(seen)
            switch seen {
            case .wantsBody: sendPiece(id)
            case .failed: problems.append("\(seen)")
            case .ended: check(id)
            default: break
            }
        }
    }

    private mutating func sendPiece(_ id: Int32) {
        guard let left = exchanges[id]?.requestLeft else { return }
        let piece = left.prefix(number(1...9000))
        exchanges[id]?.requestLeft = left.dropFirst(piece.count)
        connection.session.send(Data(piece), isLast: piece.count == left.count, on: id)
    }

    private mutating func check(_ id: Int32) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        finishedCount += 1
        let heads = exchange.seen.filter { if case .head = $0 { true } else { false } }
        let isGood =
            heads == [.head(id, 200, ["n: \(id)"])] && exchange.bodySeen == exchange.response && exchange.isOver
            && exchange.seen.last == .ended(id, exchange.hasTrailers ? ["t: 1"] : [])
        if !isGood {
            problems.append("stream \(id) came as \(exchange.seen.count) events of \(exchange.bodySeen.count) bytes")
        }
    }

    /// Lets all exchanges end, whose readers read on.
    mutating func finish() throws {
        for _ in 0..<5000 where !exchanges.isEmpty {
            for (id, exchange) in exchanges where exchange.holdsBack && exchange.bodySeen.count > exchange.read {
                connection.read(exchange.bodySeen.count - exchange.read, on: id)
                exchanges[id]?.read = exchange.bodySeen.count
            }
            serve()
            connection.flush()
            note()
        }
        for (id, exchange) in exchanges {
            problems.append(
                "stream \(id) never ends: \(exchange.responseSent) bytes are sent, windows \(exchange.window), \(window)"
            )
        }
    }
}
#endif
