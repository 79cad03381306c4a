import Foundation
import Testing

@testable import HikyakuJSON

/// Nesting beyond the thread's stack is an error, because a stack overflow can't be caught.
///
/// The address sanitizer's frames are larger than what is left free for one more level.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["HIKYAKU_SANITIZER"] != "address")) struct StackTests {
    /// In 192 KB no type of any build has room for 512 levels; in 512 KB some have.
    @Test(arguments: DeepModel.allCases, [192, 512])
    func aDocumentThatIsTooDeepForTheStackIsAnError(_ model: DeepModel, stackKilobytes: Int) throws {
        let document = model.document(levels: 512)
        let diagnosis = try onThread(stackKilobytes: stackKilobytes) { diagnosed { try model.value(of: document) } }
        guard let diagnosis else {
            #expect(stackKilobytes == 512)
            return
        }
        #expect(diagnosis.kind == .tooDeep)
        let levels = diagnosis.pointer.utf8.count { $0 == UInt8(ascii: "/") }
        #expect(levels >= 16)
        #expect(
            diagnosis.expected
                == "at most \(levels) nested arrays and objects (the stack of this thread has no room for more)"
        )
        #expect(diagnosis.found == "one more level")
    }

    @Test(arguments: DeepModel.allCases)
    func ordinaryDepthsAreReadAndWrittenOnSmallStacks(_ model: DeepModel) throws {
        let document = model.document(levels: 24)
        #expect(try onThread(stackKilobytes: 512) { failure { try model.encoded(model.value(of: document)) } } == nil)
    }

    @Test(arguments: DeepModel.allCases)
    func allLevelsAreReadAndWrittenOnALargeStack(_ model: DeepModel) throws {
        let document = model.document(levels: 512)
        #expect(try onThread(stackKilobytes: 8192) { failure { try model.encoded(model.value(of: document)) } } == nil)
    }

    /// Those that pass over failures don't pass over this one, or they would lose what is good without a word.
    @Test(arguments: TolerantModel.allCases)
    func theStacksEndIsNotAFailureOfAnElement(_ model: TolerantModel) throws {
        let document = model.document(levels: 512)
        // What is read directly needs little.
        let (diagnosis, drifts) = try onThread(stackKilobytes: model == .directLossy ? 64 : 192) {
            let notes = DriftNotes()
            let diagnosis = diagnosed { try model.value(of: document, by: .noting(notes)) }
            return (diagnosis, notes.texts)
        }
        #expect(diagnosis?.kind == .tooDeep)
        #expect(drifts == [])
        #expect(try onThread(stackKilobytes: 8192) { diagnosed { try model.value(of: document, by: .init()) } } == nil)
    }

    /// A sanitizer gives every thread more than this.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["HIKYAKU_SANITIZER"] == nil))
    func whatIsSkippedIsNotDeeper() throws {
        struct Nothing: JSONReadable {
            init(from reader: inout JSONReader) throws { try reader.skip() }
        }
        let document = Data((String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)
        let diagnosis = try onThread(stackKilobytes: 48) {
            diagnosed { try HikyakuJSONDecoder().read(Nothing.self, from: document) }
        }
        #expect(diagnosis?.kind == .tooDeep)
    }

    @Test(arguments: DeepModel.allCases, [192, 512])
    func aValueThatIsTooDeepForTheStackIsNotWritten(_ model: DeepModel, stackKilobytes: Int) throws {
        let document = model.document(levels: 512)
        // Made and released where there is room.
        let value = try onThread(stackKilobytes: 8192) { Handed(try? model.value(of: document)) }
        let text = try onThread(stackKilobytes: stackKilobytes) {
            failure { try model.encoded(#require(value.value)) }
        }
        _ = try onThread(stackKilobytes: 8192) { withExtendedLifetime(value) {} }
        guard let text else {
            #expect(stackKilobytes == 512)
            return
        }
        #expect(text.hasPrefix("The stack of this thread is full at "))
        #expect(
            text.hasSuffix(
                " nested objects and arrays. Check whether a value contains itself, or encode on a thread with a larger stack."
            )
        )
    }

    /// A value with a key that comes twice isn't written in order.
    @Test(arguments: [false, true])
    func aCycleIsAnErrorOnASmallStackToo(repeatsKeys: Bool) throws {
        final class Link: Encodable {
            let repeatsKeys: Bool
            var next: Link?

            init(repeatsKeys: Bool) {
                self.repeatsKeys = repeatsKeys
            }

            func encode(to encoder: any Encoder) throws {
                var object = encoder.container(keyedBy: AnyKey.self)
                try object.encode(1, forKey: "a")
                if repeatsKeys { try object.encode(2, forKey: "a") }
                try object.encode(next, forKey: "next")
            }
        }
        let cycle = Link(repeatsKeys: repeatsKeys)
        cycle.next = cycle
        let handed = Handed(cycle)
        let text = try onThread(stackKilobytes: 192) { failure { try HikyakuJSONEncoder().encode(handed.value) } }
        cycle.next = nil
        #expect(text?.hasPrefix("The stack of this thread is full at ") == true)
    }
}

private func diagnosed(_ work: () throws -> Any) -> DecodingDiagnosis? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? DecodingDiagnosis ?? DecodingDiagnosis(kind: .invalidValue, expected: "\(error)")
    }
}

private func failure(_ work: () throws -> Any) -> String? {
    do {
        _ = try work()
        return nil
    } catch EncodingError.invalidValue(_, let context) {
        return context.debugDescription
    } catch {
        return "\(error)"
    }
}
