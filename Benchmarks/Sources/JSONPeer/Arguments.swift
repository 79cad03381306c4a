import JSONDocuments

/// What is to be done, as `name=value` words.
struct Arguments {
    enum Mode: String {
        /// Repeats a piece of work and prints the CPU time it took.
        case speed
        /// Decodes one document and prints how far memory grew.
        case memory
        /// Decodes a document that is large or hostile.
        case shape
    }

    enum Coder: String {
        case foundation
        case hikyaku
    }

    enum Size: String {
        case small
        case medium
        case large
    }

    enum Failure: Error {
        /// A word that can't be read, or names nothing.
        case word(String)
        /// What was made is not what the document holds.
        case wrongResult(String)
    }

    var mode = Mode.speed
    var coder = Coder.foundation
    var size = Size.medium
    /// Which piece of work or shape.
    var name = ""
    /// How much CPU time to spend, in seconds.
    var seconds = 1.0
    /// How many documents instead; 0 to go by time.
    var count = 0
    /// How large a shape is to be.
    var bytes = 0
    /// How deep a nested shape goes.
    var depth = 0
    /// The file that holds the document whose memory is measured.
    var file = ""

    init(_ words: some Sequence<String>) throws {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, take(parts[0], parts[1]) else { throw Failure.word(word) }
        }
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "mode": Self.set(&mode, Mode(rawValue: value))
        case "coder": Self.set(&coder, Coder(rawValue: value))
        case "size": Self.set(&size, Size(rawValue: value))
        case "name": Self.set(&self.name, value)
        case "seconds": Self.set(&seconds, Double(value))
        case "count": Self.set(&count, Int(value))
        case "bytes": Self.set(&bytes, Int(value))
        case "file": Self.set(&file, value)
        case "depth": Self.set(&depth, Int(value))
        default: false
        }
    }

    private static func set<Value>(_ place: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }
}

extension Document {
    /// The document of a size.
    static func of(_ size: Arguments.Size, _ keys: Keys = .camel) -> Document {
        switch size {
        case .small: small(keys)
        case .medium: medium(keys)
        case .large: large(keys)
        }
    }
}
