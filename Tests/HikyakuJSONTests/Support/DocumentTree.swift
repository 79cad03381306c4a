import TestSupport

@testable import HikyakuJSON

/// A document as a tree whose leaves are texts, to change one thing in it.
indirect enum DocumentTree: JSONReadable {
    case leaf(String)
    case array([DocumentTree])
    case object([(key: String, value: DocumentTree)])

    init(from reader: inout JSONReader) throws {
        do {
            var elements: [DocumentTree] = []
            try reader.readArray { elements.append(try $0.read(DocumentTree.self)) }
            self = .array(elements)
            return
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {}
        do {
            var members: [(String, DocumentTree)] = []
            try reader.readObject { members.append(($0, try $1.read(DocumentTree.self))) }
            self = .object(members)
            return
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {}
        let start = reader.place
        try reader.skip()
        self = .leaf(String(decoding: UnsafeBufferPointer(start: start, count: reader.place - start), as: UTF8.self))
    }

    /// The document again; keys have nothing to be escaped.
    var text: String {
        switch self {
        case .leaf(let text): text
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    /// Changes one value somewhere.
    mutating func mutate(_ random: inout SeededGenerator) {
        switch self {
        case .array(var elements) where !elements.isEmpty && !random.isOne(of: 4):
            let index = Int.random(in: elements.indices, using: &random)
            if random.isOne(of: 5) {
                elements.remove(at: index)
            } else {
                elements[index].mutate(&random)
            }
            self = .array(elements)
        case .object(var members) where !members.isEmpty && !random.isOne(of: 8):
            let index = Int.random(in: members.indices, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: members.remove(at: index)
            case 1: members[index].key += random.pick(["x", "0", "_"])
            default: members[index].value.mutate(&random)
            }
            self = .object(members)
        default:
            self = .leaf(random.pick(Self.others))
        }
    }

    private static let others = [
        "null", "true", "false", "1", "-1", "1.5", "300", "70000", "5000000000", "1e30", "1e99", #""x""#, #""""#, "[]",
        "{}", "[1]",
        #"["x"]"#, #"{"a":1}"#, #"[null]"#, #""2026-01-01T00:00:00Z""#,
    ]
}
