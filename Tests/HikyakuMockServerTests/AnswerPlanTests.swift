import HikyakuHTTP
import Testing

@testable import HikyakuMockServer

@Suite struct AnswerPlanTests {
    @Test func framesByLength() {
        let plan = AnswerPlan(.text("hé"), on: .init())
        #expect(
            plan.steps == [
                .write("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\n\r\nhé")
            ]
        )
    }

    @Test func framesByChunksAndLeavesEmptyOnesOut() {
        let plan = AnswerPlan(.status(.ok).chunked(["ab", "", "0123456789abcdef"]), on: .init())
        #expect(
            plan.steps == [
                .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"),
                .write("10\r\n0123456789abcdef\r\n"),
                .write("0\r\n\r\n"),
            ]
        )
    }

    @Test func pausesBeforeEachPiece() {
        let answer = MockAnswer.bytes("abc".utf8, type: nil).dripping(pieceBytes: 2, over: .seconds(2))
        let plan = AnswerPlan(answer.delayed(by: .seconds(3)), on: .init())
        #expect(
            plan.steps == [
                .pause(.seconds(3)), .write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"),
                .pause(.seconds(1)), .write("ab"), .pause(.seconds(1)), .write("c"),
            ]
        )
    }

    @Test(arguments: [HTTPStatus.noContent, 304, 101])
    func sendsNoBodyWhereTheStatusHasNone(_ status: HTTPStatus) {
        let plan = AnswerPlan(.bytes("abc".utf8, type: nil, status: status), on: .init())
        #expect(plan.steps == [.write("HTTP/1.1 \(status)\r\n\r\n")])
    }

    @Test func sendsTheFramingWithoutABodyForHead() {
        let occasion = AnswerPlan.Occasion(method: .head)
        let byLength = AnswerPlan(.bytes("abc".utf8, type: nil), on: occasion)
        #expect(byLength.steps == [.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")])
        let byChunks = AnswerPlan(.status(.ok).chunked(["abc"]), on: occasion)
        #expect(byChunks.steps == [.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")])
    }

    @Test func closesWhenTheClientWantsIt() {
        let plan = AnswerPlan(.status(.ok), on: .init(keepsConnection: false))
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        #expect(plan.steps == [.write(head), .close])
    }

    @Test func keepsAnHTTP10ConnectionOnRequest() {
        let plan = AnswerPlan(.status(.ok), on: .init(minorVersion: 0))
        #expect(plan.steps == [.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n")])
    }

    @Test func leavesAnOwnConnectionFieldAsItIs() {
        let plan = AnswerPlan(.status(.ok).header("connection", "Close").closingConnection(), on: .init())
        #expect(plan.steps == [.write("HTTP/1.1 200 OK\r\nconnection: Close\r\nContent-Length: 0\r\n\r\n"), .close])
    }

    @Test func sendsAnOwnFramingAsItIsAndCloses() {
        let length = AnswerPlan(.bytes("abc".utf8, type: nil).header("Content-Length", "9"), on: .init())
        #expect(length.steps == [.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close])
        let coding = AnswerPlan(.bytes("zz".utf8, type: nil).header("Transfer-Encoding", "chunked"), on: .init())
        #expect(coding.steps == [.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz"), .close])
        let honest = AnswerPlan(.bytes("abc".utf8, type: nil).header("Content-Length", "3"), on: .init())
        #expect(honest.steps == [.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")])
    }

    @Test func writesAStatusThatHasNoName() {
        #expect(AnswerPlan(.status(299), on: .init()).steps == [.write("HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n")])
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\u{0}"])
    func sendsNoMalformedHeader(_ value: String) throws {
        let plan = AnswerPlan(.status(.ok).header("X-Name", value), on: .init())
        guard case .write(let bytes, _) = try #require(plan.steps.first).kind else { throw RequestDefect("no write") }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(text.hasSuffix(#"can't send the header "X-Name"; use a raw answer to send it anyway."# + "\n"))
    }

    @Test func takesAScriptAsItIs() {
        let script: [MockStep] = [.write("x"), .stall]
        #expect(AnswerPlan(.raw(script), on: .init(keepsConnection: false)).steps == script)
    }
}
