public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A link of a response to another resource, such as the next page of a list: one element of the field `Link`.
///
/// ```swift
/// // Link: <https://a.example/items?page=3>; rel="next"; title="Page 3"
/// if let next = response.links["next"] { print(next.url, next.title ?? "") }
/// ```
/// The service has chosen the URL: it may have any scheme and any host. A request that follows it is
/// `request.at(link)`.
///
/// Printing it shows no values of the URL's query.
///
/// [RFC 8288, section 3](https://www.rfc-editor.org/rfc/rfc8288#section-3)
public struct WebLink: Sendable, Hashable {
    /// An attribute of a link.
    private struct Attribute: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The text of ``url``, which can be parsed.
    package let urlText: String
    /// The relation types in lower case, such as `next`; at least one (section 3.3).
    public let relations: [String]
    /// The URL of the resource that has the link; `nil` if that is the resource of the response (section 3.2).
    public let context: URL?
    private let attributes: [Attribute]

    private static let noURL = URL(filePath: "/")

    package init(url: URL, relations: [String]) {
        urlText = url.absoluteString
        (self.relations, context, attributes) = (relations.map(\.asciiLowercased), nil, [])
    }

    fileprivate init(
        urlText: String,
        relations: [String],
        context: URL?,
        _ parameters: [LinkParser.Parameter],
    ) {
        (self.urlText, self.relations, self.context) = (urlText, relations, context)
        attributes = parameters.map { Attribute(name: $0.name, value: $0.value) }
    }

    /// The absolute URL of the target, without a fragment.
    ///
    /// Bytes that no URL may have are percent-encoded. Otherwise the path and the query are as the service wrote them.
    public var url: URL { URL(string: urlText, encodingInvalidCharacters: false) ?? Self.noURL }

    /// The first value of an attribute, such as `hreflang` (section 3.4); `nil` if there is none.
    ///
    /// - Parameter name: The name in lower case, with the `*` of a name like `title*`, whose value is decoded
    ///   (RFC 8187).
    public subscript(attribute name: String) -> String? {
        attributes.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The target's title for people: `title*` if it could be decoded, or `title`.
    public var title: String? { self[attribute: "title*"] ?? self[attribute: "title"] }
    /// The media type that the target probably has.
    public var mediaType: String? { self[attribute: "type"] }

    /// Whether it is a link of that type, whose case doesn't matter.
    package func hasRelation(_ relation: String) -> Bool {
        let relation = relation.asciiLowercased
        return relations.contains { $0.hasSameBytes(as: relation) }
    }
}

extension WebLink: Redacted {
    /// `next: https://a.example/items?page=…`.
    public var description: String {
        Redaction.printable("\(relations.joined(separator: " ")): \(Redaction.text(of: url))")
    }
}

/// The links of a response, in the order in which they were received.
///
/// [RFC 8288, section 3](https://www.rfc-editor.org/rfc/rfc8288#section-3)
public struct WebLinks: Sendable, Hashable, RandomAccessCollection {
    /// The maximum number of links that are read; the others are ignored.
    package static let countMax = 256
    /// The maximum size of a field in bytes; a larger one is ignored.
    package static let fieldBytesMax = 64 * 1024

    private var links: [WebLink] = []

    fileprivate init(fields: [String], base: String?) {
        for field in fields where field.utf8.count <= Self.fieldBytesMax {
            var parser = LinkParser(field)
            while links.count < Self.countMax, let element = parser.next() {
                if let link = element.link(from: base) { links.append(link) }
            }
        }
    }

    /// The index of the first link.
    public var startIndex: Int { 0 }
    /// One past the last link.
    public var endIndex: Int { links.count }
    /// The link at an index.
    public subscript(position: Int) -> WebLink { links[position] }

    /// The first link of the response's own resource with that relation type, such as `next`; its case doesn't matter.
    ///
    /// Links of other resources (``WebLink/context``) are not found: they don't say what follows this response.
    public subscript(relation: String) -> WebLink? {
        first { $0.context == nil && $0.hasRelation(relation) }
    }
}

extension HTTPHeaders {
    /// The links in the fields `Link`.
    ///
    /// What follows a syntax error in a field is ignored. So are links without a relation type, with a target that is
    /// not a URL, and relative ones without a base (section 3 and appendix B of RFC 8288).
    ///
    /// - Parameter base: The URL of the response, which relative targets are resolved against.
    /// - Returns: The links of all fields.
    public func links(relativeTo base: URL?) -> WebLinks {
        links(relativeTo: base?.absoluteString)
    }

    package func links(relativeTo base: String?) -> WebLinks {
        WebLinks(fields: values(for: .link), base: base)
    }
}

extension HTTPResponse {
    /// The links in the fields `Link`, such as that to the next page: `response.links["next"]`.
    ///
    /// Relative targets are resolved against ``url``.
    public var links: WebLinks { headers.links(relativeTo: requestURLText?.reveal()) }
}

// MARK: - Parsing

/// Reads the elements of one field by the algorithms of
/// [RFC 8288, appendix B](https://www.rfc-editor.org/rfc/rfc8288#appendix-B.2).
private struct LinkParser {
    struct Parameter {
        let name: String
        let value: String
    }

    struct Element {
        fileprivate let target: String
        fileprivate var parameters: [Parameter] = []
    }

    /// No link needs more; the others are read, but not kept.
    private static let parametersMax = 32

    private let bytes: [UInt8]
    private var index = 0

    init(_ field: String) {
        bytes = Array(field.utf8)
    }

    /// The next element; `nil` at the end, and at a syntax error.
    mutating func next() -> Element? {
        // A list may have empty elements (RFC 9110, section 5.6.1).
        while let byte = current, Self.isSpace(byte) || byte == UInt8(ascii: ",") { index += 1 }
        guard take("<") else { return end() }
        let target = text { $0 == UInt8(ascii: ">") }
        guard take(">") else { return end() }
        var element = Element(target: target)
        while takeSpaces(), take(";") {
            guard let parameter = parameter(), element.parameters.count < Self.parametersMax else { continue }
            element.parameters.append(parameter)
        }
        // After anything except a comma, the beginning of the next link would be a guess.
        if let byte = current, byte != UInt8(ascii: ",") { index = bytes.count }
        return element
    }

    /// Appendix B.3; `nil` for a parameter without a name, and for a value that can't be decoded.
    private mutating func parameter() -> Parameter? {
        takeSpaces()
        let name = text { Self.isSpace($0) || "=;,".utf8.contains($0) }.asciiLowercased
        takeSpaces()
        guard take("=") else { return name.isEmpty ? nil : Parameter(name: name, value: "") }
        takeSpaces()
        let value = take("\"") ? quotedText() : String(text { ";,".utf8.contains($0) }.trimmingSpaces)
        guard !name.isEmpty else { return nil }
        guard name.hasByteSuffix("*") else { return Parameter(name: name, value: value) }
        return Self.extendedText(value).map { Parameter(name: name, value: $0) }
    }

    /// Appendix B.4: the text of a quoted string, whose closing quote may be missing.
    private mutating func quotedText() -> String {
        var unquoted: [UInt8] = []
        while let byte = current {
            index += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\"), let escaped = current {
                unquoted.append(escaped)
                index += 1
            } else if byte != UInt8(ascii: "\\") {
                unquoted.append(byte)
            }
        }
        return String(decoding: unquoted, as: UTF8.self)
    }

    /// The text of `UTF-8'en'%e2%82%ac` (RFC 8187, section 3.2); `nil` for another charset or broken encoding.
    private static func extendedText(_ value: String) -> String? {
        let parts = value.byteSplit(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].asciiLowercased == "utf-8" else { return nil }
        return PercentCoding.text(of: parts[2].utf8)
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func end() -> Element? {
        index = bytes.count
        return nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    @discardableResult
    private mutating func takeSpaces() -> Bool {
        while let byte = current, Self.isSpace(byte) { index += 1 }
        return true
    }

    private mutating func text(until isEnd: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = current, !isEnd(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}

extension LinkParser.Element {
    /// The link; `nil` without a relation type or a URL.
    fileprivate func link(from base: String?) -> WebLink? {
        // The first one counts (RFC 8288, section 3.3).
        let relations = parameters.first { $0.name == "rel" }?.value ?? ""
        let types = relations.byteSplit(separator: " ").flatMap { $0.byteSplit(separator: "\t") }
        guard !types.isEmpty, let text = Self.urlText(target, from: base) else { return nil }
        var context: URL?
        if let anchor = parameters.first(where: { $0.name == "anchor" })?.value {
            guard let resolved = Self.urlText(anchor, from: base) else { return nil }
            // A part of the response's resource is another resource.
            let isOwn = !anchor.hasByte("#") && base.map { resolved.hasSameBytes(as: $0) } ?? false
            if !isOwn { context = URL(string: resolved, encodingInvalidCharacters: false) }
        }
        return WebLink(urlText: text, relations: types.map(\.asciiLowercased), context: context, parameters)
    }

    /// The text of an absolute URL that can be parsed.
    private static func urlText(_ reference: String, from base: String?) -> String? {
        guard let text = URLReference.text(of: String(reference.trimmingSpaces), from: base) else { return nil }
        // Parsing takes ten times as long, and most links are not followed.
        return text.isPlainURL || URL(string: text, encodingInvalidCharacters: false) != nil ? text : nil
    }
}
