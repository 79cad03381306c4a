import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPRequest {
    /// The request as a line for a shell: `curl -X POST 'https://…' -H '…' --data-binary '…'`.
    ///
    /// Two options keep curl from changing the URL: `--globoff` from reading brackets as a range, `--path-as-is` from
    /// removing dot segments. If the request accepts compressed responses, `--compressed` shows them as text; for
    /// a curl that lacks one of these codings, remove the field `Accept-Encoding`. A shell reads any text as one word,
    /// and no text makes curl read a file.
    ///
    /// A text with a control character other than a tab and a line feed is written through `base64 -d`: pasted into a
    /// terminal, it would count as a key. In a body, a carriage return is `\r` instead.
    ///
    /// A revealed body that is a file is read from its path, and so are the files of a multipart body. What no command
    /// can write is shown as `@-`, standard input: a stream, a part of a file, and more than 1 MiB in memory.
    ///
    /// - Parameter revealingSecrets: `true` shows every header, the query's values and the body, so that the line can
    ///   be run; a body that is not UTF-8 is written through `base64 -d` too. `false` hides what isn't known to be
    ///   harmless.
    /// - Returns: One command; only a revealed text that has line feeds breaks it into lines.
    public func curlCommand(revealingSecrets: Bool = false) -> String {
        var words = ["curl", "--globoff", "--path-as-is"]
        if acceptsCompression { words.append("--compressed") }
        if method == .head {
            words.append("--head")
        } else if method != (body == nil ? .get : .post) {
            words += ["-X", ShellText.word(revealingSecrets ? method.rawValue : method.description)]
        }
        var address = revealingSecrets ? url.absoluteString : shownURL
        // Newer versions of curl would read addresses from a file of that name.
        if address.hasBytePrefix("@") { address = "./" + address }
        // A relative URL may look like an option.
        if address.hasBytePrefix("-") { words.append("--url") }
        words.append(ShellText.word(address))
        for field in headers { words += ["-H", ShellText.word(Self.line(of: field, revealingSecrets))] }
        guard let body else { return words.joined(separator: " ") }
        // Without a type, curl would label the body as a form.
        if !headers.contains(.contentType) { words += ["-H", "'Content-Type:'"] }
        let line = words.joined(separator: " ")
        guard revealingSecrets else {
            return "\(line) --data-binary " + ShellText.word("‹\(Redaction.text(of: body, headers: headers))›")
        }
        if let bytes = body.bytes, bytes.count <= Self.wordBytesMax, let text = ShellText.plain(bytes),
            // curl would read a file.
            !text.hasBytePrefix("@")
        {
            return "\(line) --data-binary \(ShellText.word(text))"
        }
        if case .file(let file) = body.storage, let path = file.shellPath {
            return "\(line) --data-binary \(ShellText.word("@\(path)"))"
        }
        switch Self.writers(of: body) {
        case let writers? where writers.count == 1: return "\(writers[0]) | \(line) --data-binary @-"
        case let writers? where !writers.isEmpty:
            return "{ \(writers.joined(separator: "; ")); } | \(line) --data-binary @-"
        default: return "\(line) --data-binary @-"
        }
    }

    /// The longest body that is an argument of curl: Linux takes none of 128 KiB.
    private static let wordBytesMax = 64 * 1024
    /// The largest piece of a body in memory that a command writes.
    private static let writtenBytesMax = 1024 * 1024

    /// Whether a response may come in a content coding.
    private var acceptsCompression: Bool {
        headers[.acceptEncoding].map { !$0.isEmpty && $0.asciiLowercased != "identity" } ?? false
    }

    /// Commands that write a body one after another; `nil` for one that only this process can read.
    private static func writers(of body: HTTPBody) -> [String]? {
        switch body.storage {
        case .bytes(let bytes):
            return bytes.count > writtenBytesMax ? nil : [ShellText.output(of: bytes)]
        case .file(let file):
            return file.shellPath.map { ["cat \(ShellText.word($0))"] }
        case .stream(let stream):
            guard let segments = stream.segments else { return nil }
            var commands: [String] = []
            for segment in segments {
                guard let own = writers(of: segment) else { return nil }
                commands += own
            }
            return commands
        }
    }

    /// A field as curl's option `-H` takes it.
    private static func line(of field: HTTPHeaders.Field, _ revealingSecrets: Bool) -> String {
        let value = revealingSecrets ? field.value : Redaction.value(of: field)
        let rawName = revealingSecrets ? field.name.rawName : field.name.description
        // curl reads a file after `@`, which can't be escaped. No request can have such a name.
        let name = rawName.hasBytePrefix("@") ? "‹\(rawName)›" : rawName
        // Without a value, a colon would remove the field.
        return value.trimmingSpaces.isEmpty ? "\(name);" : "\(name): \(value)"
    }
}

extension BodyFile {
    /// The absolute path, since the line may be run in another folder; `nil` for a part of a file.
    fileprivate var shellPath: String? {
        wholePath.map { $0.hasBytePrefix("/") ? $0 : "\(FileManager.default.currentDirectoryPath)/\($0)" }
    }
}

/// Texts as words of a POSIX shell.
private enum ShellText {
    /// The text as one word, which a shell reads unchanged, except for NUL, which no word can contain.
    static func word(_ text: String) -> String {
        if hasControl(text) { return encoded(text) }
        let isBare = !text.isEmpty && text.utf8.allSatisfy(isBareByte)
        return isBare ? text : quoted(text)
    }

    /// The bytes as a text that a word can contain unchanged; `nil` for invalid UTF-8 or a control character.
    static func plain(_ bytes: Data) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) && !hasControl(text) ? text : nil
    }

    /// A command that writes the bytes.
    ///
    /// The line breaks of a text, such as the head of a part, are written as `\r\n`.
    static func output(of bytes: Data) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let isText = text.utf8.elementsEqual(bytes) && !hasControl(text, butReturns: true)
        guard isText else { return "printf %s '\(bytes.base64EncodedString())' | base64 -d" }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\r": escaped += "\\r"
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return "printf %b \(quoted(escaped))"
    }

    /// In single quotes, inside which a shell reads every byte but the single quote as it is.
    private static func quoted(_ text: String) -> String {
        "'" + text.byteSplit(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// By a command that writes the text.
    ///
    /// A shell drops the line feeds at the end of a command's output, so they are added after it.
    private static func encoded(_ text: String) -> String {
        let feedCount = text.utf8.reversed().prefix { $0 == UInt8(ascii: "\n") }.count
        let base64 = Data(text.utf8.dropLast(feedCount)).base64EncodedString()
        let feeds = feedCount == 0 ? "" : quoted(String(repeating: "\n", count: feedCount))
        return "\"$(printf %s '\(base64)' | base64 -d)\"\(feeds)"
    }

    /// Whether there is a control character of C0, DEL or C1, except tab, line feed, and perhaps carriage return.
    private static func hasControl(_ text: String, butReturns: Bool = false) -> Bool {
        text.unicodeScalars.contains {
            $0.properties.generalCategory == .control && $0 != "\t" && $0 != "\n" && !(butReturns && $0 == "\r")
        }
    }

    private static func isBareByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
