/// A key or an index of a coding path.
///
/// It is small enough to be stored in an existential without an allocation. The text of an index is made on demand.
enum JSONCodingKey: CodingKey {
    case text(String)
    case index(Int)
    /// A key of a dictionary that has a text and a number; it is rare, and would make all others larger.
    indirect case numbered(String, Int)

    init(_ text: String) { self = .text(text) }

    init(_ index: Int) { self = .index(index) }

    init(_ key: any CodingKey) {
        self = if let number = key.intValue { .numbered(key.stringValue, number) } else { .text(key.stringValue) }
    }

    init(stringValue: String) { self = .text(stringValue) }

    init(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .text(let text), .numbered(let text, _): text
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        switch self {
        case .text: nil
        case .index(let index), .numbered(_, let index): index
        }
    }
}
