import Foundation

/// The inputs that the fuzzers keep: a text for each target, whose lines are one input each in Base64.
package enum FuzzCorpus {
    /// One input.
    package struct Input {
        /// `line 7`.
        package let name: String
        package let bytes: [UInt8]

        /// What follows the four bytes that choose what a fuzzer does.
        package var document: Data { Data(bytes.dropFirst(4)) }
    }

    package struct Malformed: Error {
        let target: String
        let line: Int
    }

    /// `Fuzz/Corpus`.
    package static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fuzz/Corpus").standardizedFileURL

    /// The names of the fuzzers that keep inputs.
    package static func targets() throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return Set(files.map { $0.deletingPathExtension().lastPathComponent })
    }

    package static func inputs(of target: String) throws -> [Input] {
        let text = try String(contentsOf: folder.appendingPathComponent("\(target).txt"), encoding: .utf8)
        return try text.split(separator: "\n").enumerated().map { index, line in
            guard let bytes = Data(base64Encoded: String(line)) else {
                throw Malformed(target: target, line: index + 1)
            }
            return Input(name: "line \(index + 1)", bytes: [UInt8](bytes))
        }
    }
}
