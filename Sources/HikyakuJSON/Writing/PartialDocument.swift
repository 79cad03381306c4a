/// A document that isn't complete yet, as the writer has left it; looked at only to say where an error happened.
struct PartialDocument {
    private enum Container {
        case object(key: String?)
        case array(index: Int)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place: Int
    private var containers: [Container] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        self.bytes = bytes
        place = start
    }

    /// The keys and indices that lead to the end, which may be a place for an element whose comma isn't written yet.
    consuming func path(isBeforeElement: Bool) -> [any CodingKey] {
        var isKeyNext = false
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "{"):
                containers.append(.object(key: nil))
                isKeyNext = true
            case UInt8(ascii: "["): containers.append(.array(index: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                containers.removeLast()
                isKeyNext = false
            case UInt8(ascii: ","): isKeyNext = passComma()
            case UInt8(ascii: "\""):
                let text = passText()
                if isKeyNext { containers[containers.count - 1] = .object(key: text) }
                isKeyNext = false
            default: break
            }
        }
        if isBeforeElement { _ = passComma() }
        return containers.compactMap { container in
            switch container {
            case .object(let key): key.map { PathKey($0) }
            case .array(let index): PathKey(index)
            }
        }
    }

    /// - Returns: Whether a key comes next.
    private mutating func passComma() -> Bool {
        switch containers.last {
        case .array(let index):
            containers[containers.count - 1] = .array(index: index + 1)
            return false
        case .object:
            containers[containers.count - 1] = .object(key: nil)
            return true
        case nil: return false
        }
    }

    /// Passes the rest of a text and its quotation mark; the text is as it was before it was escaped.
    private mutating func passText() -> String {
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        let text = UnescapedText(UnsafeBufferPointer(rebasing: bytes[start..<min(place, bytes.count)]))
        place += 1
        return String(decoding: Array(text), as: UTF8.self)
    }
}

/// A member or an element on the way to an error.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(text: String, index: Int?) {
        stringValue = text
        intValue = index
    }

    init(stringValue: String) {
        self.init(stringValue)
    }

    init(intValue: Int) {
        self.init(intValue)
    }

    /// The key under which a superclass stands that has none of its own.
    static var superclass: PathKey { PathKey("super") }
}
