#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes items as `name=value&…`, for queries and for forms.
struct QueryWriter {
    /// A nesting that no service asks for, so that a value that contains itself in effect is refused.
    static let depthMax = 32

    private let encoding: PercentEncoding.Allowed
    private var output = ""

    /// The items as text; empty where there is nothing to write.
    static func text(of query: RequestQuery, encoding: PercentEncoding.Allowed) throws(TransportError) -> String {
        var writer = QueryWriter(encoding: encoding)
        for item in query.items {
            try writer.write(item.value, named: PercentEncoding.encoded(item.name, allowing: encoding), depth: 1)
        }
        return writer.output
    }

    private init(encoding: PercentEncoding.Allowed) {
        self.encoding = encoding
    }

    private mutating func write(_ value: QueryItemValue, named name: String, depth: Int) throws(TransportError) {
        guard depth <= Self.depthMax else {
            throw TransportError(.query, "the value of \(name) is nested more than \(Self.depthMax) deep")
        }
        switch value {
        case .none:
            return
        case .values(let values, .commaSeparated):
            try writeJoined(values, named: name)
        case .values(let values, let style):
            let itemName = style == .bracketed ? name + "%5B%5D" : name
            for value in values { try write(value, named: itemName, depth: depth + 1) }
        case .items(let query):
            for item in query.items {
                let key = PercentEncoding.encoded(item.name, allowing: encoding)
                try write(item.value, named: "\(name)%5B\(key)%5D", depth: depth + 1)
            }
        case .text, .integer, .unsigned, .double, .decimal, .boolean:
            begin(name)
            PercentEncoding.append(try Self.scalar(value, named: name), to: &output, allowing: encoding)
        }
    }

    /// The commas between the values stand as they are; those inside are percent-encoded, so that none gets lost.
    private mutating func writeJoined(_ values: [QueryItemValue], named name: String) throws(TransportError) {
        let present = values.filter { $0 != .none }
        guard !present.isEmpty else { return }
        begin(name)
        for (index, value) in present.enumerated() {
            if index > 0 { output += "," }
            PercentEncoding.append(try Self.scalar(value, named: name), to: &output, allowing: encoding)
        }
    }

    private mutating func begin(_ name: String) {
        if !output.isEmpty { output += "&" }
        output += name
        output += "="
    }

    private static func scalar(_ value: QueryItemValue, named name: String) throws(TransportError) -> String {
        switch value {
        case .text(let text): return text
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .double(let number) where number.isFinite: return text(of: number)
        case .decimal(let number) where !number.isNaN: return number.description
        case .double, .decimal: throw TransportError(.query, "the value of \(name) is not a finite number")
        case .none, .values, .items:
            throw TransportError(.query, "the value of \(name) joins a list or an object with commas")
        }
    }

    /// `1` rather than `1.0`, as services expect whole numbers.
    private static func text(of number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
