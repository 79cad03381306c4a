import Foundation
import HikyakuBase
import TestSupport
import Testing

/// The properties that the fuzzers check, over the inputs that they keep.
///
/// So a broken property fails in each run of the tests, and under the sanitizers, whose instrumentation and libFuzzer's
/// don't go together.
@Suite(.timeLimit(.minutes(5)))
struct FuzzTests {
    struct Target: Sendable, CustomTestStringConvertible {
        let name: String
        let check: @Sendable (FuzzInput) -> Void

        var testDescription: String { name }
    }

    private static let core: [Target] = [
        Target(name: "cookies", check: checkCookies),
        Target(name: "decoder", check: checkDecoder),
        Target(name: "diagnosis", check: checkDiagnosis),
        Target(name: "encoder", check: checkEncoder),
        Target(name: "events", check: checkEvents),
        Target(name: "fields", check: checkFields),
        Target(name: "lines", check: checkLines),
        Target(name: "oauth", check: checkOAuth),
        Target(name: "problems", check: checkProblems),
        Target(name: "reader", check: checkReader),
        Target(name: "samples", check: checkSamples),
        Target(name: "stored", check: checkStored),
        Target(name: "uploads", check: checkUploads),
    ]
    #if YAML
    private static let documents = [Target(name: "openapi", check: checkOpenAPI)]
    #else
    private static let documents: [Target] = []
    #endif
    #if os(Linux)
    private static let wire = [
        Target(name: "certificates", check: checkCertificates),
        Target(name: "codings", check: checkCodings),
        Target(name: "http2", check: checkHTTP2),
        Target(name: "proxy", check: checkProxy),
        Target(name: "response", check: checkResponse),
        Target(name: "urls", check: checkURLs),
    ]
    #else
    private static let wire: [Target] = []
    #endif
    static let targets = core + documents + wire

    @Test(arguments: targets)
    func keptInputsHaveTheProperties(of target: Target) throws {
        let inputs = try FuzzCorpus.inputs(of: target.name)
        #expect(inputs.count >= 10)
        for input in inputs {
            for text in Self.violations(target, input.bytes) {
                Issue.record("\(input.name) of Fuzz/Corpus/\(target.name).txt: \(text)")
            }
        }
    }

    #if os(Linux) && YAML
    /// Each fuzzer is among the targets, and each corpus has a fuzzer.
    @Test func everyFuzzerHasInputs() throws {
        let names = Set(Self.targets.map(\.name))
        #expect(try FuzzCorpus.targets() == names)
        let sources = FuzzCorpus.folder.appendingPathComponent("../Sources").standardizedFileURL.path
        let fuzzers = try FileManager.default.contentsOfDirectory(atPath: sources)
        #expect(Set(fuzzers.map { $0.replacing("Fuzzer", with: "").lowercased() }) == names)
    }
    #endif

    @Test func aBrokenPropertyIsReportedWithItsText() {
        let target = Target(name: "none") { check($0.document.isEmpty, "\($0.document.count) bytes") }
        #expect(Self.violations(target, [0, 0, 0, 0]).isEmpty)
        let texts = Self.violations(target, [0, 0, 0, 0, 1, 2])
        #expect(texts.count == 1 && texts.first?.hasPrefix("2 bytes (FuzzTests/FuzzTests.swift:") == true)
    }

    private static func violations(_ target: Target, _ bytes: [UInt8]) -> [String] {
        let texts = Lock<[String]>([])
        Violation.$record.withValue({ text in texts.withLock { $0.append(text) } }) {
            bytes.withUnsafeBufferPointer { target.check(FuzzInput($0.baseAddress, $0.count)) }
        }
        return texts.withLock { $0 }
    }
}
