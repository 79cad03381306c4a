public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The path of a request below its environment's base URL: `"/items/\(id)/comments"`.
///
/// ```swift
/// struct Comments: Shop.Request {
///     typealias Response = [String]
///     var dishName: String
///     var path: RequestPath { "/dishes/\(dishName)/comments" }  // a slash in the name stays in its segment
/// }
/// ```
/// An interpolated value always stays one segment: its `/`, `?`, `#` and `%` are percent-encoded. A value that is
/// several segments, such as the path of a file, is marked: `"/files/\(segments: name)"`. In literal parts, only
/// characters that are invalid in a path are percent-encoded; existing triplets are kept.
///
/// Mark a secret value: `"/hooks/\(secret: token)"`. It is sent like any other value, and hidden wherever the path or a
/// URL of the request is shown: in descriptions, errors, logs, redirects and cURL lines.
///
/// These are rejected as ``FailureReason/path`` when the request is built:
/// - A scheme at the beginning, `https://`: the base URL belongs in the environment.
/// - An interpolated value that is empty, since the path would name another resource.
/// - `.` and `..` as a segment, in any spelling, also after an encoded `/` or `\`, which many servers decode before
///   they look for such segments.
/// - `?` and `#` in a literal part, which belong to the query.
/// - A broken percent triplet, or a control character.
///
/// An absolute URL that the service has given, such as that of an image, is a path too: ``url(_:)-(URL)``.
///
/// [RFC 3986, section 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3)
public struct RequestPath: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The encoded path, which begins with `/` unless it is empty; of an absolute URL also the query.
    let encoded: String
    /// The origin of an absolute URL; `nil` for a path below the environment's base URL.
    let origin: HTTPOrigin?
    /// The values in the path that are hidden.
    let secrets: PathSecrets
    /// Why the path is invalid; it is reported when the request is built.
    let problem: Problem?

    /// Why a path is invalid.
    struct Problem: Sendable, Hashable {
        var cause = RequestCause.path
        let message: String

        var error: TransportError { cause.error(message) }
    }

    /// Creates a path from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Creates a path from text that is already a path, such as one from a response.
    public init(_ text: String) {
        var interpolation = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(text)
        self.init(stringInterpolation: interpolation)
    }

    /// Creates a path from literal parts and values.
    public init(stringInterpolation: StringInterpolation) {
        var path = stringInterpolation.path
        var scheme: String?
        if let first = path.utf8.first, first != UInt8(ascii: "/") {
            if Self.beginsWithScheme(path) { scheme = StringInterpolation.schemeProblem }
            path = "/" + path
        }
        encoded = path
        origin = nil
        secrets = stringInterpolation.secrets
        problem = (stringInterpolation.problem ?? scheme ?? URLPath.problem(in: path)).map { Problem(message: $0) }
    }

    /// Creates a path that is an absolute URL.
    init(absolute encoded: String, at origin: HTTPOrigin?, hiding secrets: PathSecrets, problem: Problem?) {
        (self.encoded, self.origin, self.secrets, self.problem) = (encoded, origin, secrets, problem)
    }

    /// Whether a text begins like an absolute URL (RFC 3986, section 3.1).
    fileprivate static func beginsWithScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return text.utf8[colon...].starts(with: "://".utf8) && URLReference.isScheme(text[..<colon])
    }

    /// Collects the parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path: String
        fileprivate var problem: String?
        fileprivate var secrets = PathSecrets()

        fileprivate static let schemeProblem =
            "the path begins with a scheme: put the base URL in the environment, and only what follows it in the path"

        /// Creates an empty collection.
        public init(literalCapacity: Int, interpolationCount: Int) {
            path = ""
            // Most values are short, and a path of up to 15 bytes needs no allocation.
            path.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        /// Adds a literal part.
        public mutating func appendLiteral(_ literal: String) {
            guard !PercentCoding.appendPlain(literal, to: &path, allowing: .path) else { return }
            if literal.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
                problem = problem ?? "the path contains ? or #: put query items in `query`"
            }
            if literal.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                problem = problem ?? "the path contains a control character"
            }
            PercentCoding.append(literal, to: &path, allowing: .path)
        }

        /// Adds a value as a part of one segment.
        public mutating func appendInterpolation(_ value: some PathComponent) {
            append(value.pathComponent)
        }

        /// Adds a value as a part of one segment, and hides it wherever the path is shown: `\(secret: token)`.
        public mutating func appendInterpolation(secret value: some PathComponent) {
            let component = value.pathComponent
            append(component)
            secrets.insert(component)
        }

        /// Adds a value of several segments, each of which is encoded by itself: `"/files/\(segments:
        /// "docs/menu.txt")"`.
        ///
        /// Its slashes divide segments. None of these may be empty, `.` or `..`.
        public mutating func appendInterpolation(segments value: some PathComponent) {
            for (index, segment) in value.pathComponent.byteSplit(separator: "/", omittingEmptySubsequences: false)
                .enumerated()
            {
                if index > 0 { path += "/" }
                append(String(segment))
            }
        }

        /// Adds a secret value as a part of one segment, and hides it wherever the path is shown.
        public mutating func appendInterpolation(secret value: Secret<some PathComponent>) {
            appendInterpolation(secret: value.reveal())
        }

        /// Adds a value of any type in an OpenAPI style: `"/dishes/\(ids, .simple())"`.
        ///
        /// A value that is `nil`, an empty list or an invalid number is rejected like an empty text, which only a
        /// matrix can write.
        public mutating func appendInterpolation(_ value: (any QueryValue)?, _ style: PathValueStyle) {
            let value = value?.queryItemValue ?? QueryItemValue(.none)
            do throws(TransportError) {
                let text = try style.text(of: value)
                guard !text.isEmpty else { return append("") }
                path += text
            } catch {
                problem = problem ?? "the value interpolated after \"\(shown)\" can't be written in a path"
            }
        }

        private mutating func append(_ component: String) {
            guard !component.isEmpty else {
                problem = problem ?? "the value interpolated after \"\(shown)\" is empty, which would change the path"
                return
            }
            guard !PercentCoding.appendPlain(component, to: &path, allowing: .unreserved) else { return }
            if component.utf8.contains(0) {
                problem = problem ?? "the value interpolated after \"\(shown)\" contains a NUL"
            } else if path.isEmpty, RequestPath.beginsWithScheme(component) {
                problem = problem ?? Self.schemeProblem
            }
            PercentCoding.append(component, to: &path, allowing: .unreserved)
        }

        private var shown: String { secrets.hidden(in: path) }
    }
}

extension RequestPath: Redacted {
    /// The path as it is sent, without its secrets.
    ///
    /// An invalid path is not shown, since it may contain a query.
    public var description: String {
        guard problem == nil else { return "an invalid path" }
        guard let origin, let url = URL(string: "\(origin)\(encoded)") else { return secrets.hidden(in: encoded) }
        return Redaction.text(of: url, without: secrets)
    }
}

/// How a list, an object or another value is written in a path: the expansions of RFC 6570 that OpenAPI uses.
///
/// ```swift
/// let ids = [3, 4, 5]
/// let simple: RequestPath = "/dishes/\(ids, .simple())"  // /dishes/3,4,5
/// let matrix: RequestPath = "/dishes\(ids, .matrix("id", exploded: true))"  // /dishes;id=3;id=4;id=5
/// ```
/// Each value is percent-encoded, so that it can't leave its segment.
///
/// [RFC 6570, section 3.2](https://www.rfc-editor.org/rfc/rfc6570#section-3.2)
public struct PathValueStyle: Sendable, Hashable {
    /// What begins the text, and what is between parts if they are exploded.
    private let prefix: String
    private let separator: String
    /// The name before the value, in a matrix.
    private let name: String?
    private let isExploded: Bool

    /// `1,2`; an object as `tag,swift`, or exploded as `tag=swift`.
    public static func simple(exploded: Bool = false) -> PathValueStyle {
        PathValueStyle(prefix: "", separator: ",", name: nil, isExploded: exploded)
    }

    /// `.1,2`, or exploded `.1.2`; an object as `.tag,swift`, or exploded `.tag=swift`.
    public static func label(exploded: Bool = false) -> PathValueStyle {
        PathValueStyle(prefix: ".", separator: ".", name: nil, isExploded: exploded)
    }

    /// `;id=1,2`, or exploded `;id=1;id=2`; an object as `;id=tag,swift`, or exploded `;tag=swift`.
    public static func matrix(_ name: String, exploded: Bool = false) -> PathValueStyle {
        PathValueStyle(prefix: ";", separator: ";", name: name, isExploded: exploded)
    }

    /// The encoded text; empty for a value without parts.
    func text(of value: QueryItemValue) throws(TransportError) -> String {
        var parts: [String] = []
        switch value.content {
        case .none: return ""
        case .reserved(let value): return try text(of: value)
        case .values(let values, _):
            for value in values where value.content != .none { parts.append(try encoded(value)) }
            if isExploded, let name { parts = parts.map { "\(Self.encoded(name))=\($0)" } }
        case .items(let query, _):
            for item in query.items where item.value.content != .none {
                let (key, value) = (Self.encoded(item.name), try encoded(item.value))
                parts += isExploded ? ["\(key)=\(value)"] : [key, value]
            }
        default: parts = [try encoded(value)]
        }
        // An empty text is a name without a value in a matrix (RFC 6570, section 3.2.7), and nothing elsewhere.
        if let name, parts == [""], !value.isList, !value.isObject { return prefix + Self.encoded(name) }
        guard parts.contains(where: { !$0.isEmpty }) else { return "" }
        let isNamed = value.isList ? !isExploded : true
        let start = isNamed ? name.map { value.isObject && isExploded ? "" : "\(Self.encoded($0))=" } ?? "" : ""
        return prefix + start + parts.joined(separator: isExploded ? separator : ",")
    }

    private func encoded(_ value: QueryItemValue) throws(TransportError) -> String {
        Self.encoded(try value.scalarText(named: "a path parameter"))
    }

    private static func encoded(_ text: String) -> String { PercentCoding.encoded(text, allowing: .unreserved) }
}

extension QueryItemValue {
    fileprivate var isList: Bool { if case .values = content { true } else { false } }
    fileprivate var isObject: Bool { if case .items = content { true } else { false } }
}

/// A value that can be used in a path: `"/items/\(id)"`.
///
/// ```swift
/// struct DishID: RawRepresentable, PathComponent {
///     var rawValue: Int
/// }
/// let path: RequestPath = "/dishes/\(DishID(rawValue: 42))"
/// ```
/// Strings, integers and UUIDs conform. Your own enum or identifier with a raw value conforms with one line:
/// `extension ItemID: PathComponent {}`. An Optional does not conform, so that a missing value can't silently change
/// the path.
public protocol PathComponent: Sendable {
    /// The text before percent-encoding; it always stays inside its segment.
    var pathComponent: String { get }
}

extension PathComponent where Self: RawRepresentable, RawValue: PathComponent {
    /// The text of the raw value.
    public var pathComponent: String { rawValue.pathComponent }
}

extension PathComponent where Self: FixedWidthInteger {
    /// The decimal digits.
    public var pathComponent: String { String(self) }
}

extension String: PathComponent {
    /// The text itself.
    public var pathComponent: String { self }
}

extension Substring: PathComponent {
    /// The text itself.
    public var pathComponent: String { String(self) }
}

extension UUID: PathComponent {
    /// The 36 characters in upper case.
    public var pathComponent: String { uuidString }
}
