import Foundation
import Testing

/// The files of JSONTestSuite beside the checkout, where they are there.
struct ConformanceCorpus {
    /// A document: those whose name begins with y are JSON, those with n none, those with i either.
    struct Document: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: Data
        var testDescription: String { name }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../shared/conformance/JSONTestSuite").standardizedFileURL

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func documents(_ kind: Character, in name: String = "test_parsing") -> [Document] {
        let folder = folder.appendingPathComponent(name)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".json") && (name != "test_parsing" || $0.first == kind) }.map {
            Document(name: $0, bytes: (try? Data(contentsOf: folder.appendingPathComponent($0))) ?? Data())
        }
    }
}
