/// A file with samples in JSON: one document, or JSON Lines.
package struct SampleFile: Sendable {
    /// The path for messages.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        (self.path, self.bytes) = (path, bytes)
    }
}

/// Why samples or a cURL line can't be read, in words for people: with file, line and column where these are known.
package struct InferenceFailure: Error, Sendable, Equatable {
    /// One line of at most 600 characters, without control characters.
    package let message: String

    package init(_ message: String) {
        self.message = TerminalText(line: message).text
    }
}

/// Reads samples of values from files.
///
/// Nothing is mended: a sample that is not JSON, or that has a key twice, would lead to a wrong model.
struct SampleReader {
    let limits: ReadingLimits

    init(limits: ReadingLimits = ReadingLimits()) {
        self.limits = limits
    }

    /// The samples of all files, in their order.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - areElements: Whether an array at the top counts as many samples of its elements.
    /// - Returns: The samples.
    /// - Throws: ``InferenceFailure`` that names the file, the line and the column.
    func samples(of files: [SampleFile], areElements: Bool) throws(InferenceFailure) -> [DocumentNode] {
        let findings = Findings(countMax: 10)
        findings.files = files.map(\.path)
        var samples: [DocumentNode] = []
        var byteCount = 0
        for (number, file) in files.enumerated() {
            byteCount += file.bytes.count
            guard file.bytes.count <= limits.fileBytesMax else {
                let size = "\(limits.fileBytesMax) bytes"
                throw InferenceFailure("\(file.path): error: it has more than \(size); use fewer samples")
            }
            guard byteCount <= limits.bytesMax else {
                let size = "\(limits.bytesMax) bytes"
                throw InferenceFailure("\(file.path): error: all files have more than \(size); use fewer samples")
            }
            for document in try documents(of: file, Int32(clamping: number), findings) {
                if areElements, let elements = document.array { samples += elements } else { samples.append(document) }
            }
        }
        guard !samples.isEmpty else {
            let names = files.map(\.path).joined(separator: ", ")
            throw InferenceFailure("\(names): error: there is no sample: the array is empty")
        }
        return samples
    }

    private func documents(
        of file: SampleFile,
        _ number: Int32,
        _ findings: Findings,
    ) throws(InferenceFailure) -> [DocumentNode] {
        let isMarked = file.bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let bytes = isMarked ? Array(file.bytes.dropFirst(3)) : file.bytes
        guard bytes.contains(where: { $0 > 0x20 }) else {
            throw InferenceFailure("\(file.path): error: there is no sample: it is empty")
        }
        let found: [DocumentNode?]
        if let lines = lines(of: bytes) {
            found = lines.map { reader(number, line: $0.line, findings).readOrReport($0.bytes) }
        } else {
            found = [reader(number, line: 1, findings).readOrReport(bytes)]
        }
        // A repeated key is a warning where documents are read.
        guard let first = findings.sorted().first else { return found.compactMap(\.self) }
        throw InferenceFailure(Self.text(of: first))
    }

    private func reader(_ number: Int32, line: Int32, _ findings: Findings) -> JSONTreeReader {
        JSONTreeReader(file: number, line: line, limits: limits, findings: findings)
    }

    private static func text(of diagnostic: Diagnostic) -> String {
        var diagnostic = diagnostic
        (diagnostic.severity, diagnostic.action) = (.error, "")
        if diagnostic.code == .duplicateKey { diagnostic.message += ", so that its value is not clear" }
        return diagnostic.description
    }

    // MARK: JSON Lines

    /// The lines with text, if the first of several ones is a whole document.
    private func lines(of bytes: [UInt8]) -> [(line: Int32, bytes: [UInt8])]? {
        let newline = UInt8(ascii: "\n")
        guard let end = bytes.firstIndex(of: newline), bytes[end...].contains(where: { $0 > 0x20 }) else { return nil }
        let first = Array(bytes[..<end])
        guard let start = first.first(where: { $0 > 0x20 }), start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        else { return nil }
        let silent = Findings(countMax: 0)
        guard JSONTreeReader(file: 0, limits: limits, findings: silent).readStrict(first) != nil else { return nil }
        var lines: [(line: Int32, bytes: [UInt8])] = []
        for (index, line) in bytes.split(separator: newline, omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { $0 > 0x20 }) {
            lines.append((Int32(clamping: index + 1), Array(line)))
        }
        return lines
    }
}
