/// Reads the tree of a file in JSON or YAML.
struct DocumentReader {
    let limits: ReadingLimits
    let findings: Findings

    /// Reads the bytes of a file.
    ///
    /// - Returns: `nil` if nothing can be read; a diagnostic then says why. It is a part of the document if the rest
    ///   of it is invalid.
    func read(_ bytes: [UInt8], file: Int32, path: String) -> DocumentNode? {
        guard bytes.count <= limits.fileBytesMax else {
            report(.limitExceeded, "the file has more than \(limits.fileBytesMax) bytes", file)
            return nil
        }
        let json = JSONTreeReader(file: file, limits: limits, findings: findings)
        let looksLikeJSON = bytes.first { $0 > 0x20 && $0 < 0x80 }.map { $0 == UInt8(ascii: "{") } ?? false
        if looksLikeJSON, let node = json.readStrict(bytes) { return node }
        let cleaned = TextCleaning.cleaned(bytes)
        reportReplaced(cleaned, file)
        guard cleaned.bytes.contains(where: { $0 > 0x20 }) else {
            report(.invalidSyntax, "the file is empty", file)
            return nil
        }
        // Braces begin an object of YAML, too, in which quotes may be left out.
        if looksLikeJSON, !Self.isNamedYAML(path) {
            let isNamedJSON = path.lowercased().hasSuffix(".json")
            if let node = json.readMended(cleaned.bytes, isLastTry: isNamedJSON) { return node }
            if isNamedJSON { return nil }
        }
        return readYAML(cleaned.bytes, file: file)
    }

    private static func isNamedYAML(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    #if YAML
    private func readYAML(_ bytes: [UInt8], file: Int32) -> DocumentNode? {
        let replaced = TextCleaning.surrogatesReplaced(bytes)
        let reader = YAMLTreeReader(
            file: file,
            limits: limits,
            findings: findings,
            hasPlaceholders: replaced != nil,
        )
        let (node, fault) = reader.read(replaced ?? bytes)
        guard let fault else {
            if node == nil { report(.invalidSyntax, "the file is empty", file) }
            return node
        }
        if let (untabbed, line) = TextCleaning.tabsReplaced(replaced ?? bytes) {
            let second = reader.read(untabbed)
            if second.fault == nil {
                findings.warn(
                    .invalidSyntax,
                    at: SourcePosition(file: file, line: Int32(clamping: line), column: 1),
                    "a line is indented by a tab",
                    action: "it is read as two spaces",
                )
                return second.node
            }
        }
        findings.add(
            .error,
            .invalidSyntax,
            at: fault.position,
            "this is not YAML: \(fault.words)",
            action: node == nil ? "the file is left out" : "the rest of the file is left out",
        )
        return node
    }
    #else
    private func readYAML(_ bytes: [UInt8], file: Int32) -> DocumentNode? {
        report(.invalidSyntax, "this is not JSON, and this program was built without YAML (the trait YAML)", file)
        return nil
    }
    #endif

    private func reportReplaced(_ cleaned: TextCleaning.Cleaned, _ file: Int32) {
        guard let first = cleaned.firstFault else { return }
        let position = cleaned.bytes.withUnsafeBufferPointer { bytes in
            var locator = TextLocator(bytes, file: file)
            return locator.position(of: first, in: bytes)
        }
        let further = cleaned.faultCount > 1 ? " (and \(cleaned.faultCount - 1) more)" : ""
        findings.warn(
            .invalidText,
            at: position,
            "a character is a control character or no UTF-8\(further)",
            action: "it is replaced",
        )
    }

    private func report(_ code: Diagnostic.Code, _ message: String, _ file: Int32) {
        findings.add(.error, code, at: SourcePosition(file: file), message, action: "the file is left out")
    }
}
