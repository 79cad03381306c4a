import Foundation
import Hikyaku
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// The options of `hikyaku download`.
struct DownloadOptions: Equatable, Sendable {
    /// What is downloaded; an `http` or `https` URL with a host.
    var url = URL(filePath: "/")
    /// The file.
    var output = ""
    /// The SHA-256 digest that the file must have, in hexadecimal.
    var sha256: String?
    /// The fields of the request, in their order.
    var fields: [Field] = []
    /// Whether a file that is there already is replaced, whoever has made it.
    var replaces = false
    var isQuiet = false
    var showsHelp = false

    struct Field: Equatable, Sendable {
        let name: String
        let value: String
    }

    /// Reads the words after `download`.
    ///
    /// - Throws: A usage failure for invalid words.
    init(_ words: [String]) throws(CommandFailure) {
        let read = try OptionReader(
            words,
            of: "hikyaku download",
            options: ["output", "sha256", "header"],
            flags: ["force", "quiet"],
        )
        showsHelp = read.hasHelp
        guard !showsHelp else { return }
        guard let text = read.operands.first else { throw Self.usage("a URL is missing") }
        guard read.operands.count == 1 else { throw Self.usage("\(read.operands[1]) is an unexpected argument") }
        url = try Self.url(text)
        replaces = read.flags.contains("force")
        isQuiet = read.flags.contains("quiet")
        fields = try Self.fields(read.values(of: "header"))
        sha256 = try read.value(of: "sha256")
        if let sha256, sha256.utf8.count != 64 || !sha256.utf8.allSatisfy({ Self.digits.contains($0) }) {
            throw Self.usage("--sha256 takes 64 hexadecimal digits")
        }
        if let output = try read.value(of: "output") {
            self.output = output
        } else {
            output = try Self.name(in: url)
        }
    }

    private static let digits = Array("0123456789abcdefABCDEF".utf8)

    private static func usage(_ message: TerminalText) -> CommandFailure {
        .usage(message, command: "hikyaku download")
    }

    private static func url(_ text: String) throws(CommandFailure) -> URL {
        // The text may contain a password or a token, so it isn't shown.
        guard ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) }) else {
            throw usage("the URL must begin with http:// or https://")
        }
        guard let url = URL(string: text), HTTPOrigin(url)?.host.isURLHost == true else {
            throw usage("the URL is malformed, or its host is missing or malformed")
        }
        guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
            throw usage("the URL contains a user name; use --header 'Authorization: …'")
        }
        return url
    }

    /// Reads `Name: value`.
    private static func fields(_ texts: [String]) throws(CommandFailure) -> [Field] {
        var fields: [Field] = []
        for text in texts {
            let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Substring(parts[0])
            guard parts.count == 2, !name.isEmpty, !name.utf8.contains(UInt8(ascii: " ")) else {
                throw usage("--header takes 'Name: value'")
            }
            let value = Substring(parts[1].drop { $0 == UInt8(ascii: " ") })
            fields.append(Field(name: String(name), value: String(value)))
        }
        return fields
    }

    /// The last segment of the URL's path, as the name of a file in the current folder.
    ///
    /// The author of the URL may have chosen it: so it is not a hidden file, such as one that a shell runs, and shows
    /// what it is.
    private static func name(in url: URL) throws(CommandFailure) -> String {
        let segment = url.path(percentEncoded: true).utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false,
        ).last
        let name = segment.flatMap { String(Substring($0)).removingPercentEncoding } ?? ""
        guard !name.isEmpty, name.utf8.count <= 255, name.unicodeScalars.allSatisfy(isPlain) else {
            throw usage("the URL doesn't end in a file's name; use --output")
        }
        guard name.utf8.first != UInt8(ascii: ".") else {
            throw usage("the name in the URL begins with a dot; use --output")
        }
        return name
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: scalar != "/"
        }
    }
}
