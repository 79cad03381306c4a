#if YAML
import CYAML

/// Reads a document in YAML 1.2 with libyaml.
struct YAMLTreeReader {
    private let file: Int32
    private let limits: ReadingLimits
    private let findings: Findings
    private let hasPlaceholders: Bool
    /// How deep what is left out may be: libyaml takes more time for each further level.
    private static let skippedMax = 1_000

    /// Where and why libyaml stopped.
    struct Fault: Error {
        let position: SourcePosition
        let words: String
    }

    init(file: Int32, limits: ReadingLimits, findings: Findings, hasPlaceholders: Bool) {
        self.file = file
        self.limits = limits
        self.findings = findings
        self.hasPlaceholders = hasPlaceholders
    }

    /// Reads the first document of a file.
    ///
    /// - Returns: What was read, which is incomplete if there is a fault.
    func read(_ bytes: [UInt8]) -> (node: DocumentNode?, fault: Fault?) {
        var builder = TreeBuilder(limits: limits, findings: findings)
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else {
            return (nil, Fault(position: SourcePosition(file: file), words: "there is not enough memory"))
        }
        defer { yaml_parser_delete(&parser) }
        return bytes.withUnsafeBufferPointer { bytes in
            yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            let fault = readEvents(&parser, &builder)
            return (builder.finish(), fault)
        }
    }

    private func readEvents(_ parser: inout yaml_parser_t, _ builder: inout TreeBuilder) -> Fault? {
        /// The depth of what is left out: a complex key, or what is nested too deeply.
        var skipped = 0
        var documents = 0
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(&parser, &event) == 1 else { return fault(of: parser) }
            defer { yaml_event_delete(&event) }
            switch event.type {
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
                return nil
            case YAML_DOCUMENT_START_EVENT:
                documents += 1
                if documents > 1 {
                    reportFurtherDocument(at: position(of: event))
                    return nil
                }
            case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
                if skipped > 0 || builder.depth >= limits.depthMax || builder.expectsKey {
                    if skipped == 0 { skip(event, &builder) }
                    skipped += 1
                    if skipped > Self.skippedMax { return tooDeep(event) }
                } else {
                    begin(event, &builder)
                }
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                if skipped > 0 { skipped -= 1 } else { builder.end() }
            case YAML_SCALAR_EVENT where skipped == 0:
                scalar(event, &builder)
            case YAML_ALIAS_EVENT where skipped == 0:
                alias(event, &builder)
            default:
                break
            }
            if builder.isFull { return nil }
        }
    }

    private func tooDeep(_ event: yaml_event_t) -> Fault {
        let depth = limits.depthMax + Self.skippedMax
        return Fault(position: position(of: event), words: "more than \(depth) arrays and objects are nested")
    }

    private func begin(_ event: yaml_event_t, _ builder: inout TreeBuilder) {
        let isObject = event.type == YAML_MAPPING_START_EVENT
        let anchor = isObject ? event.data.mapping_start.anchor : event.data.sequence_start.anchor
        builder.begin(isObject: isObject, at: position(of: event), anchor: text(anchor))
    }

    /// Leaves out an array or object.
    private func skip(_ event: yaml_event_t, _ builder: inout TreeBuilder) {
        let position = position(of: event)
        if builder.expectsKey {
            findings.warn(
                .unusualKey,
                at: position,
                "a key is an array or an object",
                action: "the member is left out",
            )
            builder.key("", at: position, isDropped: true)
        } else {
            findings.add(
                .error,
                .limitExceeded,
                at: position,
                "more than \(limits.depthMax) arrays and objects are nested",
                action: "what is deeper is read as null",
            )
            builder.scalar(.null, at: position)
        }
    }

    private func alias(_ event: yaml_event_t, _ builder: inout TreeBuilder) {
        let name = text(event.data.alias.anchor) ?? ""
        guard builder.expectsKey else { return builder.alias(name, at: position(of: event)) }
        let position = position(of: event)
        builder.key(builder.text(ofAnchor: name) ?? "", at: position)
    }

    private func scalar(_ event: yaml_event_t, _ builder: inout TreeBuilder) {
        let scalar = event.data.scalar
        let position = position(of: event)
        var text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        if hasPlaceholders {
            let isEscaped = scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
            let restored = TextCleaning.restored(text, isEscaped: isEscaped)
            text = restored.text
            if restored.hasLoneHalf {
                findings.warn(
                    .invalidText,
                    at: position,
                    "an escape is half of a character",
                    action: "it is read as U+FFFD",
                )
            }
        }
        let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
        if builder.expectsKey {
            if let anchor = self.text(scalar.anchor) { builder.setAnchor(anchor, .string(text), at: position) }
            return builder.key(text, at: position, isMerge: isPlain && text == "<<")
        }
        builder.scalar(content(text, isPlain, self.text(scalar.tag)), at: position, anchor: self.text(scalar.anchor))
    }

    /// The value by its tag, or else by its style.
    private func content(_ text: String, _ isPlain: Bool, _ tag: String?) -> DocumentNode.Content {
        switch tag {
        case nil, "?": isPlain ? YAMLScalar.content(ofPlain: text) : .string(text)
        case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null":
            YAMLScalar.content(ofPlain: text)
        default: .string(text)
        }
    }

    private func reportFurtherDocument(at position: SourcePosition) {
        findings.warn(
            .furtherDocument,
            at: position,
            "the file has more than one document",
            action: "only the first one is read",
        )
    }

    private func position(of event: yaml_event_t) -> SourcePosition {
        position(of: event.start_mark)
    }

    private func position(of mark: yaml_mark_t) -> SourcePosition {
        SourcePosition(file: file, line: number(mark.line), column: number(mark.column))
    }

    private func number(_ value: Int) -> Int32 { Int32(clamping: value) &+ 1 }

    private func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        bytes.map { String(cString: $0) }
    }

    private func fault(of parser: yaml_parser_t) -> Fault {
        let problem = parser.problem.map { String(cString: $0) } ?? "there is not enough memory"
        let context = parser.context.map { String(cString: $0) + ": " } ?? ""
        return Fault(position: position(of: parser.problem_mark), words: context + problem)
    }
}
#endif
