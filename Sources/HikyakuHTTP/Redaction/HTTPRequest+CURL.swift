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
    /// removing dot segments. If the request accepts compressed responses, `--compressed` shows them as text. A shell
    /// reads any text as one word, and no text makes curl read a file.
    ///
    /// A text with a control character other than a tab and a line feed is written through `base64 -d`: pasted into a
    /// terminal, it would count as a key. A body that is a file is read from its path, and so are the files of a
    /// multipart body. A stream is shown as `@-`, standard input.
    ///
    /// - Parameter revealingSecrets: `true` shows every header, the query's values and the body, so that the line can
    ///   be run; a body that is no UTF-8 is written through `base64 -d` too. `false` hides what isn't known to be
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
        switch body.storage {
        case .bytes(let bytes):
            guard let text = ShellText.plain(bytes), !text.hasBytePrefix("@") else {
                return "\(ShellText.output(of: bytes)) | \(line) --data-binary @-"
            }
            return "\(line) --data-binary \(ShellText.word(text))"
        case .file(let file):
            guard let path = file.shellPath else { return "\(line) --data-binary @-" }
            return "\(line) --data-binary \(ShellText.word("@\(path)"))"
        case .stream:
            // What can't be read here is read from standard input.
            guard let commands = Self.outputs(of: body) else { return "\(line) --data-binary @-" }
            return "{ \(commands.joined(separator: "; ")); } | \(line) --data-binary @-"
        }
    }

    /// Whether a response may come in a coding that curl decodes.
    private var acceptsCompression: Bool {
        headers[.acceptEncoding].map { value in
            ["gzip", "deflate", "br", "zstd"].contains { value.lowercased().contains($0) }
        } ?? false
    }

    /// Commands that write a body one after another; `nil` for one that only this process can read.
    private static func outputs(of body: HTTPBody) -> [String]? {
        switch body.storage {
        case .bytes(let bytes): return [ShellText.output(of: bytes)]
        case .file(let file): return file.shellPath.map { ["cat \(ShellText.word($0))"] }
        case .stream(let stream):
            guard let outputs = stream.segments?.map(outputs), !outputs.contains(nil) else { return nil }
            return outputs.flatMap { $0 ?? [] }
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
    /// The path as an argument, which is not read as an option, and not as standard input.
    fileprivate var shellPath: String? { wholePath.map { $0.hasBytePrefix("-") ? "./\($0)" : $0 } }
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
    static func output(of bytes: Data) -> String { "printf %s '\(bytes.base64EncodedString())' | base64 -d" }

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

    /// Whether there is a control character of C0, DEL or C1, except tab and line feed.
    private static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\t" && $0 != "\n" }
    }

    private static func isBareByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
