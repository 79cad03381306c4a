/// `parameters` as the JSON object of a body: `["a": 1, "b": [2]]` gives `{"a":1,"b":[2]}`.
struct RequestParameters: Encodable, Sendable {
    let query: RequestQuery

    func encode(to encoder: any Encoder) throws {
        try Self.encode(query, to: encoder)
    }

    private struct Value: Encodable {
        let value: QueryItemValue

        func encode(to encoder: any Encoder) throws {
            guard encoder.codingPath.count <= QueryWriter.depthMax else {
                throw TransportError(.body, "parameters are nested more than \(QueryWriter.depthMax) deep")
            }
            switch value {
            case .none: try encoder.encodeNil()
            case .text(let text): try encoder.encode(text)
            case .integer(let number): try encoder.encode(number)
            case .unsigned(let number): try encoder.encode(number)
            case .double(let number): try encoder.encode(number)
            case .decimal(let number): try encoder.encode(number)
            case .boolean(let boolean): try encoder.encode(boolean)
            case .items(let query): try RequestParameters.encode(query, to: encoder)
            case .values(let values, _):
                var list = encoder.unkeyedContainer()
                for value in values { try list.encode(Value(value: value)) }
            }
        }
    }

    private static func encode(_ query: RequestQuery, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for item in query.items where item.value != .none {
            try container.encode(Value(value: item.value), forKey: Key(stringValue: item.name))
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }
}

extension Encoder {
    fileprivate func encode(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }

    fileprivate func encodeNil() throws {
        var container = singleValueContainer()
        try container.encodeNil()
    }
}
