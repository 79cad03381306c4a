/// The path of a request below its environment's base URL: `"/items/\(id)/comments"`.
///
/// An interpolated value stays one segment whatever it holds: its `/`, `?`, `#` and `%` are percent-encoded. Literal
/// parts go out as they stand, with characters that no path may hold percent-encoded; triplets in them are kept.
///
/// Refused as ``FailureReason/path`` when the request is built: an interpolated value that is empty, since the path
/// would name something else; `.` and `..` as a segment, in any spelling, also behind an encoded `/` or `\`, which many
/// servers decode before they look for such segments; `?` and `#` in a literal part, which belong to the query; a
/// broken percent triplet; a control character.
///
/// [RFC 3986, section 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3)
public struct RequestPath: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The path, encoded, and beginning with `/` unless it is empty.
    let encoded: String
    /// What makes the path unfit; it is reported when the request is built.
    let problem: String?

    /// Makes a path of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Makes a path of a text that is a path already, such as one that a service has answered with.
    public init(_ text: String) {
        var interpolation = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(text)
        self.init(stringInterpolation: interpolation)
    }

    /// Makes a path of literal parts and values.
    public init(stringInterpolation: StringInterpolation) {
        var path = stringInterpolation.path
        if !path.isEmpty, !path.hasBytePrefix("/") { path = "/" + path }
        encoded = path
        problem = stringInterpolation.problem ?? URLPath.problem(in: path)
    }

    /// Collects the parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path: String
        fileprivate var problem: String?

        /// Makes an empty collection.
        public init(literalCapacity: Int, interpolationCount: Int) {
            path = ""
            path.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Adds a part that was written into the source.
        public mutating func appendLiteral(_ literal: String) {
            if literal.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
                problem = problem ?? "the path holds ? or #: items of the query belong into `query`"
            }
            if literal.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                problem = problem ?? "the path holds a control character"
            }
            PercentEncoding.append(literal, to: &path, allowing: .path)
        }

        /// Adds a value as a part of one segment.
        public mutating func appendInterpolation(_ value: some PathComponent) {
            let component = value.pathComponent
            if component.isEmpty {
                problem = problem ?? "a value interpolated behind \"\(path)\" is empty, which would name another path"
            } else if component.utf8.contains(0) {
                problem = problem ?? "a value interpolated behind \"\(path)\" holds a NUL"
            }
            PercentEncoding.append(component, to: &path, allowing: .unreserved)
        }
    }
}

extension RequestPath: CustomStringConvertible, CustomReflectable {
    /// The path as it is sent; of one that can't be sent, only that: a query may have slipped into it.
    public var description: String { problem == nil ? encoded : "a path that can't be sent" }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["path": description]) }
}
