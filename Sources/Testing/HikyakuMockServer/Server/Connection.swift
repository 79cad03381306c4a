import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One client's connection, served on one thread from its first byte to its end.
struct Connection {
    private enum Ending {
        case close
        case closeAfterDiscarding
        case reset
    }

    /// How long the rest of a rejected request is read.
    private static let graceAfterDefect = Duration.seconds(1)
    /// How many pipelined bytes are read while an answer pauses; more stay in the system's buffers.
    private static let pipelinedBytesMax = 1024 * 1024

    private let channel: Channel
    private let number: Int
    private let options: MockServerOptions
    private let answer: (MockRequest) -> MockAnswer
    private var parser: RequestParser
    private var scratch = [UInt8](repeating: 0, count: 64 * 1024)

    init(
        channel: Channel,
        number: Int,
        options: MockServerOptions,
        answer: @escaping (MockRequest) -> MockAnswer,
    ) {
        self.channel = channel
        self.number = number
        self.options = options
        self.answer = answer
        parser = RequestParser(bodyBytesMax: options.bodyBytesMax)
    }

    /// Answers requests until the connection ends, and closes the socket.
    mutating func serve() {
        switch serveUntilEnding() {
        case .close: channel.close()
        case .closeAfterDiscarding: channel.close(grace: Self.graceAfterDefect)
        case .reset: channel.reset()
        }
    }

    private mutating func serveUntilEnding() -> Ending {
        do {
            while let (head, request) = try nextRequest() {
                if let ending = try perform(AnswerPlan(answer(request), on: head.occasion).steps) { return ending }
            }
            return .close
        } catch let defect as RequestDefect {
            refuse(defect)
            return .closeAfterDiscarding
        } catch {
            return .close
        }
    }

    /// The next complete request; `nil` if the client has ended.
    private mutating func nextRequest() throws -> (RequestHead, MockRequest)? {
        while true {
            switch try parser.next() {
            case .head(let head):
                // A client that is already sending doesn't wait.
                if head.expectsContinue, parser.pendingBytes == 0 {
                    try send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                }
            case .request(let head, let body, let trailers):
                return (head, MockRequest(head: head, body: body, trailers: trailers, connectionNumber: number))
            case nil:
                let bytes = try channel.receive(into: &scratch, until: .after(options.idleTimeMax))
                if bytes.isEmpty { return nil }
                parser.receive(bytes)
            }
        }
    }

    /// Runs the steps in order; returns how the connection ends, or `nil` if it stays open.
    private mutating func perform(_ steps: [MockStep]) throws -> Ending? {
        for step in steps {
            switch step.kind {
            case .write(let bytes, let pieceBytes):
                try send(bytes, pieceBytes: pieceBytes)
            case .pause(let duration):
                try pause(duration)
            case .stall:
                try channel.discard(until: nil)
                return .close
            case .close:
                return .close
            case .reset:
                return .reset
            }
        }
        return nil
    }

    private func send(_ bytes: Data, pieceBytes: Int = .max) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceBytes)
            try channel.send(piece, idleTimeMax: options.idleTimeMax)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Waits; bytes that are received meanwhile are kept, and a client that closes ends the connection.
    private mutating func pause(_ duration: Duration) throws {
        guard duration > .zero else { return }
        let end = ContinuousClock.Instant.after(duration)
        do throws(Channel.Interruption) {
            while true {
                guard parser.pendingBytes < Self.pipelinedBytesMax else {
                    try channel.wait(for: 0, until: end)
                    throw .peerClosed
                }
                let bytes = try channel.receive(into: &scratch, until: end)
                guard !bytes.isEmpty else { throw .peerClosed }
                parser.receive(bytes)
            }
        } catch .timedOut {
            return
        }
    }

    private func refuse(_ defect: RequestDefect) {
        let answer = MockAnswer.text(defect.message + "\n", status: defect.status).closingConnection()
        for case .write(let bytes, _) in AnswerPlan(answer, on: .init()).steps.map(\.kind) { try? send(bytes) }
    }
}
