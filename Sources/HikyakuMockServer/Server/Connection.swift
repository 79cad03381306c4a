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

    /// How long a client whose request was refused may go on sending it.
    private static let graceAfterDefect = Duration.seconds(1)
    /// How much a client may send ahead while an answer pauses; more stays in the system's buffers.
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

    /// Answers requests until one side has had enough, and closes the socket.
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

    /// The next whole request; `nil` when the client sends no more.
    private mutating func nextRequest() throws -> (RequestHead, MockRequest)? {
        while true {
            switch try parser.next() {
            case .head(let head):
                // A client that has begun to send isn't waiting.
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

    /// Does the steps in order; returns how the connection ends, or `nil` when it goes on.
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

    /// Waits; what the client sends meanwhile is kept for later, and its closing ends the connection.
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
