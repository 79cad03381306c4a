import Foundation
import Testing

@testable import HikyakuOpenAPI

/// The samples and cURL lines beside the tests.
enum InferredFiles {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    static let samples = names(in: "Samples").filter { $0.contains(".json") && $0 != "issues.json" }
    static let lines = names(in: "Samples/Lines")

    private static func names(in folder: String) -> [String] {
        let entries = try? FileManager.default.contentsOfDirectory(atPath: tests.appending(path: folder).path)
        return (entries ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: tests.appending(path: "Samples/\(path)")))
    }

    static func text(of path: String) throws -> String { String(decoding: try bytes(of: path), as: UTF8.self) }

    /// What is kept of a sample or a line in the module of inferred models.
    static func kept(_ path: String) throws -> String {
        let folder = tests.deletingLastPathComponent().appending(path: "InferredModels")
        return try String(contentsOf: folder.appending(path: path + ".swift"), encoding: .utf8)
    }
}

/// The models of samples that are texts.
func models(
    _ samples: String...,
    name: String = "Item",
    options: GeneratorOptions = GeneratorOptions(),
) throws -> ModelInference.Result {
    let files = samples.enumerated().map { SampleFile(path: "\($0.offset + 1).json", bytes: Array($0.element.utf8)) }
    return try ModelInference(name: name, options: options).models(of: files)
}

/// The lines of properties, cases and types, without indentation.
func declarations(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0).trimmedOfSpaces }.filter { line in
        ["var ", "static let ", "struct ", "enum ", "extension "].contains { line.hasPrefix($0) }
            || line.hasPrefix("case ") && line.hasSuffix(")") && !line.contains("let value")
    }
}
