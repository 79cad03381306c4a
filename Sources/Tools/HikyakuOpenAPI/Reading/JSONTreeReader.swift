import HikyakuJSON

/// Reads a document in JSON.
struct JSONTreeReader {
    private let file: Int32
    /// The line of the first byte, for a document that is a part of a file.
    private let line: Int32
    private let limits: ReadingLimits
    private let findings: Findings

    init(file: Int32, line: Int32 = 1, limits: ReadingLimits, findings: Findings) {
        (self.file, self.line) = (file, line)
        self.limits = limits
        self.findings = findings
    }

    /// Returns `nil` if the bytes are not JSON, which is not diagnosed.
    func readStrict(_ bytes: [UInt8]) -> DocumentNode? {
        try? bytes.withUnsafeBufferPointer { try tree($0) }
    }

    /// Reads what must be JSON without any fault, and diagnoses the first one.
    ///
    /// - Returns: `nil` if the bytes are not JSON.
    func readOrReport(_ bytes: [UInt8]) -> DocumentNode? {
        if let node = readStrict(bytes) { return node }
        if let fault = fault(in: bytes) {
            let message = "this is not JSON: \(fault.words)"
            findings.add(.error, .invalidSyntax, at: position(of: fault.byteOffset, in: bytes), message, action: "")
        }
        return nil
    }

    private func position(of offset: Int, in bytes: [UInt8]) -> SourcePosition {
        bytes.withUnsafeBufferPointer { bytes in
            var locator = TextLocator(bytes, file: file, line: line)
            return locator.position(of: offset, in: bytes)
        }
    }

    /// Reads what is JSON but for some faults that can be mended, and diagnoses the first one.
    ///
    /// - Returns: `nil` if it can't be read anyway; the fault was diagnosed.
    func readMended(_ bytes: [UInt8], isLastTry: Bool) -> DocumentNode? {
        let fault = fault(in: bytes)
        let node = readStrict(JSONEvents.mended(bytes))
        guard let fault, node != nil || isLastTry else { return node }
        findings.add(
            node == nil ? .error : .warning,
            .invalidSyntax,
            at: position(of: fault.byteOffset, in: bytes),
            "this is not JSON: \(fault.words)",
            action: node == nil ? "the file is left out" : "it is read as what it seems to mean",
        )
        return node
    }

    private func fault(in bytes: [UInt8]) -> JSONEvents.Fault? {
        do {
            try bytes.withUnsafeBufferPointer { try JSONEvents.read($0, depthMax: limits.depthMax) { _, _ in } }
            return nil
        } catch {
            return error as? JSONEvents.Fault
        }
    }

    private func tree(_ bytes: UnsafeBufferPointer<UInt8>) throws -> DocumentNode? {
        var builder = TreeBuilder(limits: limits, findings: findings)
        var locator = TextLocator(bytes, file: file, line: line)
        try JSONEvents.read(bytes, depthMax: limits.depthMax) { event, offset in
            guard !builder.isFull else { return }
            let position = locator.position(of: offset, in: bytes)
            switch event {
            case .null: builder.scalar(.null, at: position)
            case .bool(let value): builder.scalar(.bool(value), at: position)
            case .number(let text): builder.scalar(.number(text), at: position)
            case .string(let text): builder.scalar(.string(text), at: position)
            case .key(let text): builder.key(text, at: position)
            case .beginArray(let count): builder.begin(isObject: false, count: count, at: position)
            case .beginObject(let count): builder.begin(isObject: true, count: count, at: position)
            case .end: builder.end()
            }
        }
        return builder.finish()
    }
}

/// Finds lines and columns of ascending offsets.
struct TextLocator {
    private let file: Int32
    private var offset = 0
    private var line: Int32
    private var column: Int32 = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>, file: Int32, line: Int32 = 1) {
        (self.file, self.line) = (file, line)
    }

    /// The position of an offset that is not before the last one.
    mutating func position(of target: Int, in bytes: UnsafeBufferPointer<UInt8>) -> SourcePosition {
        while offset < min(target, bytes.count) {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\n") {
                line &+= 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column &+= 1
            }
        }
        return SourcePosition(file: file, line: line, column: column)
    }
}
