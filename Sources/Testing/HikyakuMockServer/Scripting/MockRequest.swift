import HikyakuBase
public import HikyakuHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request as a ``MockServer`` received it, for handlers and for assertions.
///
/// ```swift
/// server.route(.post, "/orders/:id/notes") { request in
///     guard request.headers[.authorization] == "Bearer t1" else { return .status(401) }
///     return .text("order \(request.parameters["id"] ?? ""), \(request.body.count) bytes")
/// }
/// #expect(server.requests.first?.query["lang"] == "ja")
/// ```
public struct MockRequest: Sendable {
    /// The method in the request line.
    public let method: HTTPMethod
    /// The target in the request line, byte for byte: `/items?page=2`.
    public let target: String
    /// The header fields in the received order.
    public let headers: HTTPHeaders
    /// The body, after chunked decoding.
    public let body: Data
    /// The trailers of a chunked body.
    public let trailers: HTTPHeaders
    /// The request line and the header lines with their line ends, as received.
    public let rawHead: Data
    /// The number of the request's connection, counted from 1.
    public let connectionNumber: Int
    /// The values of the named parts of the route's pattern, percent-decoded: `["id": "42"]` for `/items/:id`.
    public internal(set) var parameters: [String: String] = [:]

    /// The target without the query, still percent-encoded.
    public let path: String
    /// The path's segments, each percent-decoded: `/a%2Fb/c` has `a/b` and `c`, and `/` has none.
    public let pathSegments: [String]
    /// The items of the target's query, decoded.
    public let query: MockQuery

    init(
        _ method: HTTPMethod,
        target: String,
        headers: HTTPHeaders,
        rawHead: Data,
        body: Data,
        trailers: HTTPHeaders,
        connectionNumber: Int,
    ) {
        (self.method, self.target, self.headers, self.rawHead) = (method, target, headers, rawHead)
        (self.body, self.trailers) = (body, trailers)
        self.connectionNumber = connectionNumber
        let parts = RequestTarget(target)
        path = String(parts.path)
        pathSegments = parts.segments
        query = MockQuery(encoded: parts.query)
    }

    /// The body as UTF-8; invalid bytes become U+FFFD.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// ``rawHead`` as text, to compare it with the expected one.
    public var rawHeadText: String { String(decoding: rawHead, as: UTF8.self) }

    /// The items of a body of type `application/x-www-form-urlencoded`, decoded.
    public var form: MockQuery { MockQuery(encoded: bodyText) }

    /// Reads the body as JSON.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value.
    /// - Throws: `DecodingError` of `JSONDecoder`; a handler that rethrows it answers 500 with its text.
    public func json<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}

extension MockRequest: CustomStringConvertible, CustomReflectable {
    /// Method, path and the names of the query's items: `GET /items?page=…`.
    public var description: String {
        // A query without a value may be a secret, such as `aHVudGVyMg==`.
        let names = query.map { $0.value.allSatisfy { $0 == "=" } ? "…" : "\($0.name)=…" }
        let text = names.isEmpty ? "\(method) \(path)" : "\(method) \(path)?\(names.joined(separator: "&"))"
        return Redaction.printable(text, scalarsMax: .max)
    }

    /// The request without credentials, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "request": description, "headers": headers, "body": HTTPBody(body), "parameters": parameters,
                "connectionNumber": connectionNumber,
            ],
        )
    }
}

/// The parts of a request target, in any of its forms (RFC 9112, section 3.2).
struct RequestTarget {
    let path: Substring
    let query: Substring
    let segments: [String]

    init(_ target: String) {
        let local = Self.withoutAuthority(target[...])
        let mark = local.firstByteIndex(of: "?") ?? local.endIndex
        path = local[..<mark]
        query = mark == local.endIndex ? "" : local[local.utf8.index(after: mark)...]
        let parts = Substring(path.utf8.dropFirst()).byteSplit(separator: "/", omittingEmptySubsequences: false)
        guard path.hasBytePrefix("/") else {
            // `*` of OPTIONS, and the host and port of CONNECT.
            segments = [String(path)]
            return
        }
        segments = path == "/" ? [] : parts.map { PercentCoding.repairedText(of: $0.utf8) }
    }

    /// `/items` of `http://host/items`, the form for a proxy.
    private static func withoutAuthority(_ target: Substring) -> Substring {
        guard !target.hasBytePrefix("/"), let colon = target.firstByteIndex(of: ":"),
            target[colon...].hasBytePrefix("://")
        else {
            return target
        }
        let rest = target[target.utf8.index(colon, offsetBy: 3)...]
        let slashOrMark = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        guard let end = slashOrMark else { return "/" }
        return rest.utf8[end] == UInt8(ascii: "/") ? rest[end...] : "/" + rest[end...]
    }
}

/// The items of a query or a form, decoded, in the received order.
///
/// ```swift
/// _ = try await server.waitForRequests(1)
/// #expect(server.requests.first?.query == ["page": "2", "tag": "hot", "tag": "new"])
/// #expect(server.requests.first?.query.values(for: "tag") == ["hot", "new"])
/// ```
/// `+` is decoded as a space.
public struct MockQuery: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// A name with its value.
    ///
    /// ```swift
    /// let request = try await server.waitForRequests(1)[0]
    /// for item in request.query { print(item.name, item.value) }
    /// ```
    public struct Item: Sendable, Hashable {
        /// The text before the first `=`.
        public var name: String
        /// The text after it; empty if there is no `=`.
        public var value: String

        /// Compares by bytes.
        public static func == (left: Self, right: Self) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
        }

        /// Hashes the bytes of both texts.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ByteText(name))
            hasher.combine(ByteText(value))
        }

        /// Makes an item of decoded texts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var items: [Item]

    /// Makes items of a literal, for comparisons; names may repeat.
    public init(dictionaryLiteral elements: (String, String)...) {
        items = elements.map { Item(name: $0.0, value: $0.1) }
    }

    init(encoded text: some StringProtocol) {
        items = text.byteSplit(separator: "&").map { item in
            let parts = item.byteSplit(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                name: PercentCoding.repairedText(of: parts[0].utf8, plusIsSpace: true),
                value: parts.count > 1 ? PercentCoding.repairedText(of: parts[1].utf8, plusIsSpace: true) : "",
            )
        }
    }

    /// The first value of a name; `nil` if there is none.
    public subscript(name: String) -> String? {
        items.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Each value of a name, in order.
    public func values(for name: String) -> [String] {
        items.filter { $0.name.hasSameBytes(as: name) }.map(\.value)
    }

    /// The index of the first item.
    public var startIndex: Int { items.startIndex }
    /// The index after the last item.
    public var endIndex: Int { items.endIndex }
    /// The item at an index.
    public subscript(position: Int) -> Item { items[position] }
}
