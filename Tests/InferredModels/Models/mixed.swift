import Hikyaku

/// Inferred from 3 objects; what is missing or null in one of them is Optional.
struct Mixed: APIModel, Codable, Hashable {
    var id: MixedID
    var value: MixedValueChoice
    var values: [MixedValueChoice2?]
    var extra: [JSONValue]
    var nothing: JSONValue?
    var empty: [String: JSONValue]
    var `switch`: MixedSwitch?
}

enum MixedID: JSONModel {
    case integer(Int)
    case text(String)
    /// Anything else.
    case unknown(JSONValue)

    init(from reader: inout JSONReader) throws {
        if let value: Int = reader.readIfPossible() {
            self = .integer(value)
        } else if let value: String = reader.readIfPossible() {
            self = .text(value)
        } else {
            self = .unknown(try reader.read())
        }
    }

    func write(to writer: inout JSONWriter) throws {
        switch self {
        case .integer(let value): try writer.write(value)
        case .text(let value): try writer.write(value)
        case .unknown(let value): try writer.write(value)
        }
    }
}

enum MixedValueChoice: JSONModel {
    case integer(Int)
    case text(String)
    case value(Value)
    /// Anything else.
    case unknown(JSONValue)

    init(from reader: inout JSONReader) throws {
        if let value: Int = reader.readIfPossible() {
            self = .integer(value)
        } else if let value: Value = reader.readIfPossible() {
            self = .value(value)
        } else if let value: String = reader.readIfPossible() {
            self = .text(value)
        } else {
            self = .unknown(try reader.read())
        }
    }

    func write(to writer: inout JSONWriter) throws {
        switch self {
        case .integer(let value): try writer.write(value)
        case .text(let value): try writer.write(value)
        case .value(let value): try writer.write(value)
        case .unknown(let value): try writer.write(value)
        }
    }
}

struct Value: JSONModel {
    var nested: Nested
}

extension Value {
    init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        self.init(nested: try reader.member("nested"))
        try reader.endObject()
    }

    func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("nested", nested)
        try writer.endObject()
    }
}

struct Nested: JSONModel {
    var deep: Int
}

extension Nested {
    init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        self.init(deep: try reader.member("deep"))
        try reader.endObject()
    }

    func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("deep", deep)
        try writer.endObject()
    }
}

enum MixedValueChoice2: JSONModel {
    case boolean(Bool)
    case number(Double)
    case text(String)
    case texts([String])
    case mixedValue(MixedValue)
    /// Anything else.
    case unknown(JSONValue)

    init(from reader: inout JSONReader) throws {
        if let value: Bool = reader.readIfPossible() {
            self = .boolean(value)
        } else if let value: Double = reader.readIfPossible() {
            self = .number(value)
        } else if let value: MixedValue = reader.readIfPossible() {
            self = .mixedValue(value)
        } else if let value: [String] = reader.readIfPossible() {
            self = .texts(value)
        } else if let value: String = reader.readIfPossible() {
            self = .text(value)
        } else {
            self = .unknown(try reader.read())
        }
    }

    func write(to writer: inout JSONWriter) throws {
        switch self {
        case .boolean(let value): try writer.write(value)
        case .number(let value): try writer.write(value)
        case .text(let value): try writer.write(value)
        case .texts(let value): try writer.write(value)
        case .mixedValue(let value): try writer.write(value)
        case .unknown(let value): try writer.write(value)
        }
    }
}

struct MixedValue: JSONModel {
    var three: Int
}

extension MixedValue {
    init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        self.init(three: try reader.member("three"))
        try reader.endObject()
    }

    func write(to writer: inout JSONWriter) throws {
        try writer.beginObject()
        try writer.member("three", three)
        try writer.endObject()
    }
}

enum MixedSwitch: JSONModel {
    case boolean(Bool)
    case text(String)
    /// Anything else.
    case unknown(JSONValue)

    init(from reader: inout JSONReader) throws {
        if let value: Bool = reader.readIfPossible() {
            self = .boolean(value)
        } else if let value: String = reader.readIfPossible() {
            self = .text(value)
        } else {
            self = .unknown(try reader.read())
        }
    }

    func write(to writer: inout JSONWriter) throws {
        switch self {
        case .boolean(let value): try writer.write(value)
        case .text(let value): try writer.write(value)
        case .unknown(let value): try writer.write(value)
        }
    }
}
