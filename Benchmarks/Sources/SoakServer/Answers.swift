import Foundation
import HikyakuMockServer
import SoakSupport

/// The answers of the soak's server, byte for byte where they are faults.
enum Answers {
    static func answer(to request: MockRequest) -> MockAnswer {
        guard let behavior = request.parameters["behavior"].flatMap(SoakBehavior.init),
            let number = request.parameters["number"].flatMap({ UInt64($0) }),
            let count = request.parameters["count"].flatMap({ Int($0) }), 0...(64 << 20) ~= count
        else { return .text("the path is not /behavior/number/count", status: .badRequest) }
        // An upload has the same bytes as the answer will.
        let content = SoakContent.bytes(for: number, count: count)
        guard request.method == .get || request.body.elementsEqual(content) else {
            return .text("the uploaded body is not what was to come", status: .badRequest)
        }
        return behavior.isFault ? .raw(faulty(behavior, content)) : good(behavior, content)
    }

    private static func good(_ behavior: SoakBehavior, _ content: [UInt8]) -> MockAnswer {
        let answer = MockAnswer.bytes(content)
        switch behavior {
        case .chunked: return answer.chunked(pieces(content))
        case .drip: return answer.dripping(pieces(content), every: .milliseconds(2))
        case .connectionClose: return answer.closingConnection()
        case .quietClose: return .raw([.write(head(content.count)), .write(content), .close])
        case .noContent: return .status(.noContent)
        case .interim: return .raw([.write("HTTP/1.1 103 Early Hints\r\n\r\n" + head(content.count)), .write(content)])
        default: return answer
        }
    }

    private static func pieces(_ content: [UInt8]) -> [Data] {
        let size = max(content.count / 4, 1)
        return stride(from: 0, to: content.count, by: size).map { Data(content[$0..<min($0 + size, content.count)]) }
    }

    private static func head(_ count: Int) -> String { "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" }

    private static func faulty(_ behavior: SoakBehavior, _ content: [UInt8]) -> [MockStep] {
        let half = content.prefix(content.count / 2)
        let cutHead = "HTTP/1.1 200 OK\r\nContent-Le"
        let chunkedHead = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let chunk = Array("4\r\n".utf8) + content.prefix(4) + Array("\r\n".utf8)
        // A reset drops what the peer hasn't read yet.
        let arrival = MockStep.pause(.milliseconds(2))
        switch behavior {
        case .resetAtOnce: return [.reset]
        case .resetInHead: return [.write(cutHead), arrival, .reset]
        case .resetInBody: return [.write(head(content.count + 1)), .write(half), arrival, .reset]
        case .closeAtOnce: return [.close]
        case .closeInHead: return [.write(cutHead), .close]
        case .closeInBody: return [.write(head(content.count + 1)), .write(content), .close]
        case .closeInChunks: return [.write(chunkedHead + chunk), .close]
        case .malformedChunk: return [.write(chunkedHead + chunk + Array("0x0c\r\nand the rest\r\n0\r\n\r\n".utf8))]
        case .overflowingChunk:
            return [.write(chunkedHead + chunk + Array("fffffffffffffffff\r\nhalf\r\n0\r\n\r\n".utf8)), .close]
        case .twoLengths:
            return [.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nhalf!"), .close]
        case .overflowingLength:
            return [.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhalf"), .close]
        case .lengthAndChunked:
            return [
                .write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), .close,
            ]
        case .switchedProtocols:
            return [.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), .close]
        case .malformedStatus: return [.write("HTTP/1.1 OK 200\r\nContent-Length: 4\r\n\r\nhalf"), .close]
        case .endlessHead:
            return [
                .write("HTTP/1.1 200 OK\r\n" + String(repeating: "X-Field: more\r\n", count: 600) + "\r\n"), .close,
            ]
        case .stallAtOnce: return [.stall]
        case .stallInHead: return [.write(cutHead), .stall]
        case .stallInBody: return [.write(head(content.count + 1)), .write(half), .stall]
        default: return [.close]
        }
    }
}
