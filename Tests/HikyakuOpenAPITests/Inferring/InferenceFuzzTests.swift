import TestSupport
import Testing

@testable import HikyakuOpenAPI

@Suite("Random samples and cURL lines")
struct InferenceFuzzTests {
    @Test(.timeLimit(.minutes(2)))
    func randomSamplesNeverTrap() {
        let seed = testSeed()
        print("seed of the random samples: \(seed)")
        var random = RandomDocument(seed: seed)
        for number in 0..<600 {
            let text = number % 2 == 0 ? random.value() : "[\(random.samples(4).joined(separator: ","))]"
            let file = SampleFile(path: "a.json", bytes: Array(text.utf8))
            do throws(InferenceFailure) {
                let result = try ModelInference(name: "Sample", isDirect: number % 3 == 0).models(of: [file])
                #expect(result.text.contains("Sample"), "seed \(seed): \(text)")
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }

    /// A name has a limit, and so has the search for a free one.
    @Test func longKeysHaveModels() throws {
        let key = String(repeating: "veryLongName", count: 30)
        let objects = (0..<300).map { #""k\#($0)":{"\#(key)":{"n\#($0)":\#($0)}}"# }
        let file = SampleFile(path: "a.json", bytes: Array("{\(objects.joined(separator: ","))}".utf8))
        let result = try ModelInference(name: "Sample").models(of: [file])
        let names = result.text.matches(of: #/struct (\w+)/#).map(\.1)
        #expect(names.count > 1 && Set(names).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count <= 60 })
    }

    /// A choice of a long key is named as objects are.
    @Test(.timeLimit(.minutes(1)))
    func aLongKeyWithSeveralKindsOfValuesHasAModel() throws {
        let key = String(repeating: "k", count: 58_000)
        let file = SampleFile(path: "a.json", bytes: Array(#"[{"\#(key)":1},{"\#(key)":"x"}]"#.utf8))
        let result = try ModelInference(name: "Item").models(of: [file])
        #expect(result.typeCount == 2)
        let names = result.text.matches(of: #/(?:struct|enum) (\w+): /#).map(\.1)
        #expect(names.contains("Item") && names.allSatisfy { $0.utf8.count <= 60 })
    }

    /// What is joined to a type must not make a dictionary of itself.
    @Test(arguments: [
        #"[{"n":{"n":{"1":5,"2":6}}}]"#,
        #"[{"children":{"children":{"1":[1],"2":[2]}}}]"#,
        #"[{"n":[{"n":[{"1":5,"2":6}]}]}]"#,
        #"[{"n":{"3":{"n":{"3":{"1":5,"2":6},"4":{"1":5,"2":6}}},"4":{"n":{"3":{"1":5,"2":6},"4":{"1":5,"2":6}}}}}]"#,
    ])
    func aDictionaryInsideOfAnObjectOfTheSameKeyStaysOne(text: String) throws {
        let result = try ModelInference(name: "Item").models(of: [SampleFile(path: "a.json", bytes: Array(text.utf8))])
        #expect(result.text.contains("struct Item: ") && result.text.contains("[String: "))
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
    }

    @Test func brokenSamplesNeverTrap() {
        let seed = testSeed()
        print("seed of the broken samples: \(seed)")
        var (random, generator) = (RandomDocument(seed: seed), SeededGenerator(seed: seed))
        for _ in 0..<600 {
            var bytes = Array(random.value().utf8)
            guard !bytes.isEmpty else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let file = SampleFile(path: "a.json", bytes: bytes)
            _ = try? ModelInference(name: "Sample").models(of: [file])
        }
    }

    private static let pieces = [
        "curl ", "-H ", "'", "\"", "$'", "\\", "\\\n", "-X", "POST ", "--data ", "{\"a\":1}",
        "https://a.example/b?c=d&e",
        " -d@x ", "-F a=@b;type=c ", "--json ", "[", "|", "\\u00", "\\xZZ", " -u a:b ", "{id}", "/1/", "?", "#", "%",
        "%41",
        "-G ", "=", ";", "\u{301}", "é", "Authorization: Bearer x", "Content-Type: multipart/form-data", "--", "-",
        "::",
        "://", "@", "\r\n", "^", "$(", "--form ", "name=\"", "2>", "&&",
    ]

    @Test func randomLinesNeverTrap() {
        let seed = testSeed()
        print("seed of the random lines: \(seed)")
        var generator = SeededGenerator(seed: seed)
        for number in 0..<Effort.rounds(2_000) {
            let count = Int.random(in: 1...16, using: &generator)
            let tail = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            let text = (number % 2 == 0 ? "curl https://a.example/v1/items " : "") + tail
            do throws(InferenceFailure) {
                let result = try RequestInference().request(line: text)
                #expect(result.text.contains(": APIRequest {"), "seed \(seed): \(text)")
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
