import Foundation

@testable import Hikyaku
@testable import HikyakuBase
@testable import HikyakuEngine
@testable import HikyakuHTTP

/// Uploads a body in parts to a service that replies as the input's lines say, the last one for ever.
func checkUploads(_ input: FuzzInput) {
    let length = [0, 1, 10, 64][input.choice(0, of: 4)]
    let saved = input.choices[0] & 0x80 != 0 ? "https://a.example/uploads/1" : nil
    var machine = UploadMachine(length: length, continuing: saved)
    var lines = input.document.split(separator: 0x0A, maxSplits: 30).map { Data($0) }
    var hasStartedOver = saved == nil
    // A service may take a byte at a time, and reply a few times in between without having taken one.
    for step in 0...(20 + 30 * (length + 1)) {
        let sent = machine.message
        inOrder(sent, machine, length)
        let offset = machine.offset
        if input.choices[3] != 0, step % 7 == Int(input.choices[3]) % 7 {
            machine.interrupt()
            check(machine.offset == offset, "an interruption changes what was confirmed")
            if step > 20 { continue }
        }
        let line = lines.count > 1 ? lines.removeFirst() : lines.first ?? Data()
        let reply = ResumableUploadDraft().reply(response(line), to: sent)
        switch machine.handle(reply) {
        case .send(let message):
            check(message == machine.message, "another message is sent than is noted")
            if case .create = message {
                check(!hasStartedOver, "an upload starts over a second time")
                hasStartedOver = true
            } else {
                check(machine.offset >= offset, "\(offset) bytes were confirmed, and now \(machine.offset)")
            }
        case .finish:
            if case .append = sent, reply == .complete {
                check(sent.isLast && machine.offset == length, "an upload is complete before its end")
            }
            return
        case .finishUnseen:
            check(machine.location != nil, "an upload that was not created is complete")
            return
        case .fail(let error):
            check([.uploadInvalid, .uploadLost, .uploadTooLarge].contains(error.reason), "\(error)")
            check(!error.message.utf8.contains { $0 < 0x20 }, "a message has a control character")
            return
        }
    }
    // Interruptions are counted by the retries of the call, which this loop doesn't have.
    check(input.choices[3] != 0, "an upload of \(length) bytes has no end")
}

/// What holds for each message, and that it can be sent.
private func inOrder(_ message: UploadMessage, _ machine: UploadMachine, _ length: Int) {
    if case .append(let offset, let count, let total) = message {
        check(offset == machine.offset && total == length, "a part of another offset: \(message)")
        check(count >= 0 && count <= length - offset && (count > 0 || offset == length), "a part of \(count) bytes")
        check(machine.location != nil, "a part of an upload that was not created")
    }
    guard let url = URL(string: "https://a.example/uploads/1") else { return }
    var request = HTTPRequest(method: .post, url: url)
    ResumableUploadDraft().prepare(&request, for: message)
    check((try? request.checkForWire()) != nil, "\(message) can't be sent")
}

/// A response of a line: a letter for the status, and fields between bars; what begins with a brace is a problem.
private func response(_ line: Data) -> HTTPResponse {
    let parts = String(decoding: line.dropFirst(), as: UTF8.self).split(separator: "|")
    let statuses: [HTTPStatus] = [200, 201, 204, 104, 400, 404, 409, 410, 500, 302]
    let status = statuses[Int(line.first ?? 0) % statuses.count]
    var headers = HTTPHeaders()
    var body: HTTPBody = HTTPBody("")
    for part in parts {
        if part.first == "{" {
            headers[.contentType] = "application/problem+json"
            body = HTTPBody(String(part))
            continue
        }
        let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
        guard pair.count == 2 else { continue }
        headers.append(HTTPHeaderName(pair[0]), pair[1])
    }
    return HTTPResponse(status: status, headers: headers, body: body)
}
