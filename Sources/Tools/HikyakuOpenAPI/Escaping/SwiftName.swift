/// Names of Swift for texts of a document.
///
/// A name depends only on the text itself, so that it stays when the document grows.
package enum SwiftName {
    /// A name of a type: `user-profile` becomes `UserProfile`.
    package static func type(_ text: String) -> String {
        let name = part(text)
        return name.unicodeScalars.first?.properties.isXIDStart == true ? name : "Type" + name
    }

    /// A name of a type as a part of a longer one.
    package static func part(_ text: String) -> String {
        let keepsCapitals = text.unicodeScalars.contains { $0.isSmall }
        return words(of: text).map { capitalized($0, keepsCapitals) }.joined()
    }

    /// A name of a property or case, without backticks: `user_id` becomes `userID`.
    package static func member(_ text: String) -> String {
        let words = words(of: text)
        guard let first = words.first else { return "empty" }
        let keepsCapitals = text.unicodeScalars.contains { $0.isSmall }
        let name = ([first.lowercased()] + words.dropFirst().map { capitalized($0, keepsCapitals) }).joined()
        let safe = name.unicodeScalars.first?.properties.isXIDStart == true ? name : "value" + capitalized(name, true)
        return impossibleMembers.contains(safe) ? safe + "Value" : safe
    }

    /// Whether a text can be a name in source code, as those that are given are.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        // Not even backticks make names of them everywhere.
        guard !["_", "init", "self", "Self", "subscript"].contains(text) else { return false }
        return text.utf8.count <= 1000
            && text.unicodeScalars.allSatisfy {
                $0.properties.isXIDContinue && !$0.properties.isDefaultIgnorableCodePoint
            }
    }

    /// Four digits that distinguish a text from others whose names are equal.
    package static func suffix(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String((hash ^ hash >> 32) & 0xFFFF, radix: 16)
        return "X" + String(repeating: "0", count: 4 - digits.count) + digits.uppercased()
    }

    /// The words of a text: at separators, and where a capital follows a small letter.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        let scalars = Array(spelled(text).unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            guard scalar.isPartOfName, scalar != "_" else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let isCapital = scalar.isCapital
            if isCapital, let last = word.unicodeScalars.last {
                let next = index + 1 < scalars.count ? scalars[index + 1] : " "
                if !last.isCapital || next.isSmall && !isPlural(scalars, index) {
                    words.append(word)
                    word = ""
                }
            }
            word.unicodeScalars.append(scalar)
        }
        if !word.isEmpty { words.append(word) }
        return words.count <= 24 ? words : Array(words.prefix(24))
    }

    /// Whether the last capital of an acronym is followed by a plural s: `IDs`.
    private static func isPlural(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        guard index + 1 < scalars.count, scalars[index + 1] == "s" else { return false }
        return index + 2 >= scalars.count || !scalars[index + 2].isSmall
    }

    /// The text with words for signs that make a difference: `+1` and `-1`.
    private static func spelled(_ text: String) -> String {
        let isPlain = text.unicodeScalars.contains { $0.isPartOfName && $0 != "_" }
        var result = ""
        for (index, scalar) in text.unicodeScalars.prefix(200).enumerated() {
            if let word = signs[scalar],
                index == 0 && scalar != "$" && scalar != "." || !isPlain || always.contains(scalar)
            {
                result += " \(word) "
            } else if !isPlain, !scalar.properties.isWhitespace {
                result += " u" + String(scalar.value, radix: 16, uppercase: true) + " "
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let signs: [Unicode.Scalar: String] = [
        "+": "plus", "-": "minus", "*": "star", "<": "less", ">": "greater", "=": "equal", "!": "not", "%": "percent",
        "@": "at", "#": "number", "&": "and", "|": "or", "$": "dollar", "/": "slash", ".": "dot", "_": "underscore",
        ",": "comma", ":": "colon", ";": "semicolon", "?": "question", "~": "tilde", "^": "caret",
    ]
    /// Signs that are spelled anywhere.
    private static let always: Set<Unicode.Scalar> = ["+", "<", ">", "=", "%", "&", "*"]

    private static func capitalized(_ word: String, _ keepsCapitals: Bool) -> String {
        let lower = word.lowercased()
        if let acronym = acronyms[lower] { return acronym }
        // In `OpenAI`, the last word is an acronym; in `NOT_FOUND`, none is.
        if keepsCapitals, word.utf8.count <= 4, word == word.uppercased() { return word }
        let rest = word.unicodeScalars.allSatisfy { !$0.isSmall } ? lower.dropFirst() : word.dropFirst()
        return (word.first.map { String($0).uppercased() } ?? "") + rest
    }

    private static let acronyms: [String: String] = {
        let names = [
            "id", "url", "uri", "api", "html", "http", "https", "json", "xml", "ip", "uuid", "ssh", "ssl", "tls", "css",
            "sql", "csv", "pdf", "dns", "cpu", "gpu", "os", "ui", "sha", "jwt", "vpc", "cdn", "sms", "iso", "utc",
            "gpg",
        ]
        let pairs = names.map { ($0, $0.uppercased()) } + names.map { ($0 + "s", $0.uppercased() + "s") }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// Names of Swift, Foundation and Hikyaku that generated or other code of a module uses.
    static let reservedTypes: Set<String> = [
        "Any", "AnyObject", "Array", "Body", "Bool", "Character", "Codable", "Data", "Date", "Decimal", "Decodable",
        "Decoder", "Dictionary", "Double", "Duration", "Encodable", "Encoder", "Equatable", "Error", "Float",
        "Hashable",
        "Identifiable", "Int", "Int64", "Never", "Optional", "Protocol", "Result", "Self", "Sendable", "Sequence",
        "Set",
        "String", "Task", "Type", "UInt", "URL", "UUID", "Void", "Actor", "MainActor", "Locale", "Calendar", "TimeZone",
        "Authorized", "AuthorizedIfPossible", "Boxed", "CalendarDate", "ClosedValue", "Cookie", "Decoded",
        "JSONChoice", "JSONCodable", "JSONLines", "JSONModel", "NumberText", "JSONReadable", "JSONReader",
        "JSONValue", "JSONWritable", "JSONWriter", "OpenValue", "Public", "Secret", "ServiceFailure", "Request",
        "APIClient", "APIModel", "AccessLevel",
        "APIEnvironment", "APIError", "APIRequest", "APIResponse", "EmptyResponse", "EventStream",
        "HTTPBody",
        "HTTPHeaders", "HTTPMethod", "HTTPRequest", "HTTPResponse", "HTTPStatus", "MultipartPart", "ProblemDetails",
        "RawResponse", "StaticString", "Swift", "Foundation", "Hikyaku", "CaseIterable", "RequestBody", "RequestPath",
        "RequestQuery", "Response", "StatusResponse", "StreamedResponse",
        "TextResponse", "EventStreamRequest", "BufferedResponse", "StatusResult", "StatusShape", "Definition",
        "ServerSentEvent",
        "Failure",
        "QueryItemValue", "Output", "BodyContent", "ResponseHeaders",
        "Int8", "Int16", "Int32", "Int128", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "Float16", "Float32",
        "Float64", "Substring", "ArraySlice", "TimeInterval", "DateComponents", "URLSession", "CodingKey", "APIKey",
        "CredentialPlacement", "TokenProvider", "ItemPage", "PagedRequest", "Paging", "EventStreamProxy",
        "EventStreamResponse", "EventStreamTerminator", "JSONLinesResponse",
        "FoundationEssentials",
    ]

    /// Further names that code of an app often uses.
    static let commonTypes: Set<String> = [
        "Access", "Event", "Circuit", "Ready", "Mirror", "Range", "Unicode", "Regex", "Published", "Observation",
        "UnsafePointer", "Comparable", "Iterator", "Process", "Thread", "Bundle", "Notification", "Operation", "Port",
        "Progress", "Scanner", "Stream", "Timer", "View", "Text", "Color", "Image", "State", "Binding", "Label", "Link",
        "Group", "Section", "List", "Button", "Form", "Menu", "Table", "Environment", "Font", "Path", "Shape", "Spacer",
    ]

    private static let impossibleMembers: Set<String> = [
        "self", "init", "hashValue", "rawValue", "subscript", "deinit",
    ]

    /// What can't be a name without backticks, and isn't one of the keywords, which get them.
    static let impossible: Set<String> = ["_", "self", "init", "subscript", "deinit"]

    static let keywords: Set<String> = [
        "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "do",
        "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout",
        "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
        "rethrows", "return", "static", "struct", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var",
        "where", "while", "Any",
    ]
}

/// What Unicode says of a scalar, without looking it up for those of ASCII, which most are.
extension Unicode.Scalar {
    fileprivate var isPartOfName: Bool {
        // A joiner that can't be seen would be a part of names otherwise.
        guard isASCII else { return properties.isXIDContinue && !properties.isDefaultIgnorableCodePoint }
        return isSmall || isCapital || (0x30...0x39).contains(value) || value == 0x5F
    }

    fileprivate var isCapital: Bool { isASCII ? (0x41...0x5A).contains(value) : properties.isUppercase }

    fileprivate var isSmall: Bool { isASCII ? (0x61...0x7A).contains(value) : properties.isLowercase }
}
