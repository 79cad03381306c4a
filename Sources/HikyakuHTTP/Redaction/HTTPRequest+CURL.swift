#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPRequest {
    /// The request as a line for a shell: `curl -X POST 'https://…' -H '…' --data-binary '…'`.
    ///
    /// Two options keep curl from changing the URL: `--globoff` from reading brackets as a range, `--path-as-is` from
    /// removing dot segments.
    ///
    /// - Parameter revealingSecrets: `true` shows every header, the query's values and the body, so that the line can
    ///   be run; a body that is no UTF-8 is written through `base64 -d`. `false` hides what isn't known to be harmless.
    /// - Returns: One command, without a line break of its own.
    public func curlCommand(revealingSecrets: Bool = false) -> String {
        var words = ["curl", "--globoff", "--path-as-is"]
        if method == .head {
            words.append("--head")
        } else if method != (body == nil ? .get : .post) {
            words += ["-X", Self.quoted(revealingSecrets ? method.rawValue : method.description)]
        }
        words.append(Self.quoted(revealingSecrets ? url.absoluteString : Redaction.text(of: url)))
        for field in headers {
            let value = revealingSecrets ? field.value : Redaction.value(of: field)
            let name = revealingSecrets ? field.name.rawName : field.name.description
            words += ["-H", Self.quoted(value.isEmpty ? "\(name);" : "\(name): \(value)")]
        }
        guard let body else { return words.joined(separator: " ") }
        // curl would call the body a form where nothing says what it is.
        if !headers.contains(.contentType) { words += ["-H", "'Content-Type:'"] }
        let line = words.joined(separator: " ")
        guard revealingSecrets else {
            return "\(line) --data-binary " + Self.quoted("‹\(Redaction.text(of: body, headers: headers))›")
        }
        // What isn't in memory is read from standard input.
        guard let bytes = body.bytes else { return "\(line) --data-binary @-" }
        guard let text = String(bytes: bytes, encoding: .utf8), !text.hasPrefix("@"), !text.utf8.contains(0) else {
            return "printf %s '\(bytes.base64EncodedString())' | base64 -d | \(line) --data-binary @-"
        }
        return "\(line) --data-binary \(Self.quoted(text))"
    }

    /// Wraps a word in single quotes, inside which a shell reads everything as it stands.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte || byte == 45 || byte == 95
            }
        return isPlain
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }
}
