import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The steps that send an answer.
///
/// [RFC 9112, section 6](https://www.rfc-editor.org/rfc/rfc9112#section-6)
struct AnswerPlan {
    /// The properties of the request that the answer depends on.
    struct Occasion {
        var method: HTTPMethod = .get
        var minorVersion = 1
        var keepsConnection = true
    }

    private(set) var steps: [MockStep] = []
    private(set) var keepsConnection: Bool

    init(_ answer: MockAnswer, on occasion: Occasion) {
        if answer.delay > .zero { steps.append(.pause(answer.delay)) }
        if let script = answer.script {
            steps += script
            keepsConnection = true
            return
        }
        let answer = Self.sendable(answer)
        let status = answer.status
        let allowsBody = !status.isInformational && status != .noContent && status != .notModified
        let sendsBody = allowsBody && occasion.method != .head
        let bodyCount = answer.pieces.reduce(0) { $0 + $1.count }
        let ownLength = answer.headers[.contentLength]
        let ownCoding = answer.headers.contains("Transfer-Encoding")
        let wantsChunks = answer.isChunked && !ownCoding && ownLength == nil && allowsBody
        // HTTP/1.0 has no chunks: there the end of the connection is the end of the body.
        let isChunked = wantsChunks && occasion.minorVersion > 0
        let addsLength = allowsBody && !answer.isChunked && ownLength == nil && !ownCoding
        let isDelimited = !sendsBody || isChunked || addsLength || (!ownCoding && ownLength == String(bodyCount))
        let saysClose = answer.headers.hasToken("close", in: "Connection")
        let wantsClose = answer.closesConnection || !occasion.keepsConnection || saysClose
        keepsConnection = isDelimited && !wantsClose
        var fields = answer.headers
        if isChunked { fields.append("Transfer-Encoding", "chunked") }
        if addsLength { fields.append(.contentLength, String(bodyCount)) }
        // If the answer's own length is wrong, the connection is closed without `Connection: close`.
        if wantsClose || (wantsChunks && !isChunked), !saysClose {
            fields.append("Connection", "close")
        } else if keepsConnection, occasion.minorVersion == 0 {
            fields.append("Connection", "keep-alive")
        }
        let head = Self.head(status, fields)
        steps += sendsBody ? Self.body(answer, behind: head, isChunked: isChunked) : [.write(head)]
        if !keepsConnection { steps.append(.close) }
    }

    /// The answer, or one that says why it can't be sent.
    private static func sendable(_ answer: MockAnswer) -> MockAnswer {
        guard let name = answer.headers.firstUnsendable else { return answer }
        let text = "MockServer can't send the header \(name.debugDescription); use a raw answer to send it anyway.\n"
        return .text(text, status: .internalServerError)
    }

    private static func head(_ status: HTTPStatus, _ fields: HTTPHeaders) -> Data {
        let lines = fields.map { "\($0.name.rawName): \($0.value)\r\n" }
        return Data("HTTP/1.1 \(status.code) \(status.reasonPhrase ?? "")\r\n\(lines.joined())\r\n".utf8)
    }

    private static func body(_ answer: MockAnswer, behind head: Data, isChunked: Bool) -> [MockStep] {
        var steps: [MockStep] = []
        var pending = head
        for piece in answer.pieces where !piece.isEmpty {
            if answer.pause > .zero {
                if !pending.isEmpty { steps.append(.write(pending)) }
                pending = Data()
                steps.append(.pause(answer.pause))
            }
            pending += isChunked ? chunk(piece) : piece
            steps.append(.write(pending))
            pending = Data()
        }
        if isChunked { pending += Data("0\r\n\r\n".utf8) }
        return pending.isEmpty ? steps : steps + [.write(pending)]
    }

    private static func chunk(_ content: Data) -> Data {
        Data("\(String(content.count, radix: 16))\r\n".utf8) + content + Data("\r\n".utf8)
    }
}

extension HTTPHeaders {
    /// The name of the first field that is invalid in a header block.
    fileprivate var firstUnsendable: String? {
        first { field in
            !field.name.rawName.isHTTPToken || field.value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
        }?.name.rawName
    }
}
