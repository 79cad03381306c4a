#if os(Linux)
import Foundation
import HikyakuHTTP
import HikyakuMockServer
import HikyakuWire
import Testing

/// Each of the 256 bytes at four positions of a header line, each after a good exchange over the same connection.
@Suite(.timeLimit(.minutes(5)))
struct HostileBytesTests {
    /// Rejected: bytes that no name may have, any byte but a colon after it, and bytes that end a line within a value.
    enum Position: CaseIterable {
        case inName, behindName, inValue, behindValue

        var line: (before: String, after: String) {
            switch self {
            case .inName: ("X-", "A: b")
            case .behindName: ("X-A", " b")
            case .inValue: ("X-A: b", "c")
            case .behindValue: ("X-A: b", "")
            }
        }

        func refuses(_ byte: UInt8) -> Bool {
            let colon = UInt8(ascii: ":")
            switch self {
            case .inName:
                let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                return !isLetter && byte != colon && !"0123456789!#$%&'*+-.^_`|~".utf8.contains(byte)
            case .behindName: return byte != colon
            case .inValue: return [0, 0x0A, 0x0D].contains(byte)
            // A line feed at the line's end makes the next line the empty one.
            case .behindValue: return [0, 0x0D].contains(byte)
            }
        }
    }

    @Test(arguments: Position.allCases) func aByteInAHeaderLineIsAcceptedOrRejected(_ position: Position) async throws {
        let (before, after) = position.line
        let wire = try Wire()
        let head = Array("HTTP/1.1 200 OK\r\n".utf8)
        let rest = Array("\r\nContent-Length: 2\r\n\r\nok".utf8)
        var (takenCount, refusedCount) = (0, 0)
        for byte in UInt8.min...UInt8.max {
            let line = Array(before.utf8) + [byte] + Array(after.utf8)
            wire.server.enqueue(.text("good"), .raw([.write(Data(head + line + rest)), .close]), .text("next"))
            #expect(try await wire.send().text() == "good")
            do {
                let text = try await wire.send().text()
                #expect(text == "ok" || byte == 0x0A && after.isEmpty, "\(byte)")
                #expect(!position.refuses(byte), "\(byte)")
                takenCount += 1
            } catch let error as TransportError {
                #expect(error.reason == .malformedResponse && position.refuses(byte), "\(byte): \(error)")
                refusedCount += 1
            }
            // What was wrong is not a matter of the next exchange.
            #expect(try await wire.send().text() == "next")
        }
        print("\(takenCount) bytes taken and \(refusedCount) refused between \"\(before)\" and \"\(after)\"")
    }
}
#endif
