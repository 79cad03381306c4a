import HikyakuHTTP
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite struct UploadMachineTests {
    private let created = UploadReply.created(location: "/u", UploadLimits())

    private func stored(_ offset: Int?) -> UploadReply { .stored(offset: offset, length: nil, UploadLimits()) }

    @Test func anUploadThatWorksHasTwoMessages() {
        var machine = UploadMachine(length: 9)
        #expect(machine.message == .create(length: 9))
        #expect(machine.handle(created) == .send(.append(offset: 0, count: 9, length: 9)))
        #expect(machine.message.isLast)
        #expect(machine.handle(.complete) == .finish)
    }

    @Test func aFailureBeforeTheCreationCreatesAgain() {
        var machine = UploadMachine(length: 9)
        machine.interrupt()
        #expect(machine.message == .create(length: 9))
        _ = machine.handle(created)
        machine.interrupt()
        #expect(machine.message == .retrieveOffset)
        #expect(machine.handle(stored(9)) == .send(.append(offset: 9, count: 0, length: 9)))
        #expect(machine.message.isLast)
    }

    @Test(arguments: [
        (UploadReply.stored(offset: 3, length: nil, UploadLimits()), "now has only 3"),
        (.stored(offset: 10, length: nil, UploadLimits()), "has 10 bytes of a body of 9"),
        (.stored(offset: -1, length: nil, UploadLimits()), "now has only -1"),
        (.stored(offset: 5, length: 8, UploadLimits()), "expects 8 bytes"),
        (.stored(offset: nil, length: nil, UploadLimits()), "did not say"),
        (.created(location: "/v", UploadLimits()), "a second upload"),
        (.complete, "before its last part"), (.invalid("no"), "no"),
    ])
    func repliesThatBreakARuleEndIt(_ reply: UploadReply, _ text: String) {
        var machine = UploadMachine(length: 9)
        _ = machine.handle(created)
        machine.interrupt()
        _ = machine.handle(stored(4))
        machine.interrupt()
        guard case .fail(let error) = machine.handle(reply) else {
            Issue.record("\(reply) is accepted")
            return
        }
        #expect(error.reason == .uploadInvalid && error.message.contains(text))
    }

    @Test(arguments: [0, -1, .min])
    func aLimitBelowOneIsNone(_ limit: Int) {
        var machine = UploadMachine(length: 9)
        let limits = UploadLimits(bytesMax: min(limit, -1), partBytesMax: limit)
        #expect(machine.handle(.created(location: "/u", limits)) == .send(.append(offset: 0, count: 9, length: 9)))
    }

    @Test(arguments: [(1, 1000), (1000, 1_065_999), (1 << 14, .max)])
    func partsThatAreTooSmallForTheBodyEndIt(part: Int, largest: Int) {
        func action(_ length: Int) -> UploadMachine.Action {
            var machine = UploadMachine(length: length)
            return machine.handle(.created(location: "/u", UploadLimits(partBytesMax: part)))
        }
        #expect(action(largest) == .send(.append(offset: 0, count: part, length: largest)))
        guard largest < .max else { return }
        guard case .fail(let error) = action(largest + 1) else {
            Issue.record("\(largest + 1) bytes are sent in parts of \(part)")
            return
        }
        #expect(error.reason == .uploadInvalid && error.message.contains("parts of \(part) bytes"))
    }

    /// With each reply that a server may choose: by part, by mismatch, or after a failure.
    @Test(arguments: ["stored", "mismatch", "interrupt"])
    func aServerThatTakesOneByteOfEachPartIsGivenUp(_ kind: String) {
        let length = 1 << 20
        var machine = UploadMachine(length: length)
        var (action, count) = (machine.handle(created), 1)
        while case .send = action, count < 10_000 {
            if kind == "interrupt" { machine.interrupt() }
            count += kind == "interrupt" ? 2 : 1
            let next = machine.offset + 1
            action = machine.handle(kind == "mismatch" ? .offsetMismatch(next) : stored(next))
        }
        guard case .fail(let error) = action else {
            Issue.record("\(count) requests are sent")
            return
        }
        #expect(error.reason == .uploadInvalid && error.message.contains("of 1048576 bytes"))
        #expect((1064...1067).contains(count))
    }

    /// Whatever a server replies, the offset never goes back, no part exceeds the body, and the messages between two
    /// advances are few.
    @Test func noServerKeepsItBusyWithoutTakingBytes() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<Effort.rounds(3000) {
            let length = Int.random(in: 1...20, using: &random)
            var machine = UploadMachine(length: length, continuing: Bool.random(using: &random) ? "/u" : nil)
            var (last, idleCount, count) = (0, 0, 0)
            loop: while count < 1000 {
                count += 1
                if case .append(let offset, let part, _) = machine.message {
                    #expect(offset >= last && part >= 0 && offset + part <= length)
                }
                let offset = Int.random(in: -1...(length + 1), using: &random)
                let limits = UploadLimits(partBytesMax: Int.random(in: -1...5, using: &random))
                let replies: [UploadReply] = [
                    .created(location: "/u", limits), .stored(offset: offset, length: nil, limits),
                    .stored(offset: nil, length: length, limits), .offsetMismatch(offset), .offsetMismatch(nil),
                    .complete, .completeBefore, .lost, .stored(offset: machine.offset, length: nil, limits),
                ]
                guard case .send = machine.handle(replies.randomElement(using: &random) ?? .lost) else { break loop }
                idleCount = machine.offset > last ? 0 : idleCount + 1
                // A lost upload begins once again.
                last = machine.location == nil ? 0 : machine.offset
                #expect(idleCount <= 12)
            }
            #expect(count < 1000)
        }
    }
}
