/// The arguments of a contestant, as `name=value` words.
///
/// The program in C reads the same words, so that a load means the same to all.
public struct PeerArguments: Sendable {
    /// The mode: `small` requests one small body repeatedly, `http2` does so over one connection with TLS,
    /// `down` reads a large body piece by piece, and `up` sends one; `file` writes one to a file, which is then on the
    /// disk, and `upfile` sends a file; `item` requests one item and decodes it, `post`
    /// sends a draft for it, and `codable` and `direct` request a list of items and decode it; `waiting` measures the
    /// memory of silent requests.
    public var mode = "small"
    /// The URL of the requests.
    public var url = ""
    /// How many requests are in flight at once.
    public var width = 1
    /// How long to run before measuring, in seconds.
    public var warmUp = 0.5
    /// How long to measure, in seconds.
    public var seconds = 2.0
    /// How many requests to make instead, without a clock; 0 to go by time.
    public var requests = 0
    /// The length that every body must have, in bytes, or in items where they are decoded.
    public var bytes = 0
    /// The URL of one request before the measuring, so that what is loaded once isn't measured; empty for none.
    public var first = ""
    /// How many requests for ``silentURL`` are in flight meanwhile.
    public var silentCount = 0
    /// What is never answered.
    public var silentURL = ""
    /// The file with the certificate to trust; empty for those of the system.
    public var authorities = ""
    /// The header fields to send, in their order.
    public var fields: [(name: String, value: String)] = []
    /// The file that is written or sent.
    public var file = ""
    /// What to send as the body of a POST; empty for a GET.
    public var body = ""

    /// Reads the words behind the program's name.
    ///
    /// - Parameter words: `name=value` each.
    /// - Throws: ``Peer/Failure/arguments(_:)`` with the first word that can't be read.
    public init(_ words: some Sequence<String>) throws {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, take(parts[0], parts[1]) else { throw Peer.Failure.arguments(word) }
        }
        guard width > 0 else { throw Peer.Failure.arguments("width") }
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "mode": mode = value
        case "url": url = value
        case "first": first = value
        case "ca": authorities = value
        case "silent": return Self.set(&silentCount, Int(value))
        case "silenturl": silentURL = value
        case "body": body = value
        case "file": file = value
        case "field":
            let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return false }
            fields.append((parts[0], String(parts[1].drop { $0 == " " })))
        case "width": return Self.set(&width, Int(value))
        case "requests": return Self.set(&requests, Int(value))
        case "bytes": return Self.set(&bytes, Int(value))
        case "warmup": return Self.set(&warmUp, Double(value))
        case "seconds": return Self.set(&seconds, Double(value))
        default: return false
        }
        return true
    }

    private static func set<Value>(_ place: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }
}
