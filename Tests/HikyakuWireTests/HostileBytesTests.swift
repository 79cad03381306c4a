#if os(Linux)
import Foundation
import HikyakuHTTP
import HikyakuMockServer
import HikyakuWire
import Testing

/// Each of the 256 bytes at four positions of a header line, each after a good exchange over the same connection.
@Suite(.timeLimit(.minutes(2)))
struct HostileBytesTests {
    @Test(arguments: [("X-", "A: b"), ("X-A", " b"), ("X-A: b", "c"), ("X-A: b", "")])
    func aByteInAHeaderLineIsTakenOrRefused(_ before: String, _ after: String) async throws {
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
                // A line feed at the line's end makes the next line the empty one.
                #expect(text == "ok" || byte == 0x0A && after.isEmpty, "\(byte)")
                takenCount += 1
            } catch let error as TransportError {
                #expect(error.reason == .malformedResponse, "\(byte): \(error)")
                refusedCount += 1
            }
            // What was wrong is no matter of the next exchange.
            #expect(try await wire.send().text() == "next")
        }
        print("\(takenCount) bytes taken and \(refusedCount) refused between \"\(before)\" and \"\(after)\"")
        #expect(takenCount + refusedCount == 256)
    }
}
#endif
