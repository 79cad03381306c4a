/// A value that writes itself in ways that can't be streamed, as the input says.
struct OutOfOrder: Encodable {
    let value: Anything
    let program: [UInt8]
    let depth: Int

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .array(let elements): try encode(elements, to: encoder)
        case .object(let members): try encode(members, to: encoder)
        default: try value.encodeScalar(to: encoder)
        }
    }

    private func inside(_ value: Anything) -> OutOfOrder {
        OutOfOrder(value: value, program: program, depth: depth + 1)
    }

    private func step(_ index: Int) -> UInt8 {
        program[(depth &* 13 &+ index) % program.count]
    }

    private func encode(_ elements: [Anything], to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var waiting: [(any Encoder, Anything)] = []
        for (index, element) in elements.enumerated() {
            switch (step(index) % 5, element) {
            case (0, _): waiting.append((container.superEncoder(), element))
            case (1, .array(let inner)):
                var nested = container.nestedUnkeyedContainer()
                for element in inner { try nested.encode(inside(element)) }
            case (2, .object(let inner)):
                var nested = container.nestedContainer(keyedBy: AnyKey.self)
                for (key, member) in inner { try nested.encode(inside(member), forKey: AnyKey(key)) }
            case (3, .null): try container.encodeNil()
            default: try container.encode(inside(element))
            }
        }
        for (encoder, element) in waiting { try inside(element).encode(to: encoder) }
    }

    private func encode(_ members: [String: Anything], to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        var other = encoder.container(keyedBy: AnyKey.self)
        var waiting: [(any Encoder, Anything)] = []
        for (index, (name, member)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            let key = AnyKey(name)
            switch (step(index) % 7, member) {
            case (0, _): waiting.append((container.superEncoder(forKey: key), member))
            case (1, _): try other.encode(inside(member), forKey: key)
            case (2, _):
                try container.encode("another", forKey: key)
                try container.encode(inside(member), forKey: key)
            case (3, .array(let inner)):
                var nested = container.nestedUnkeyedContainer(forKey: key)
                for element in inner { try nested.encode(inside(element)) }
            case (4, .object(let inner)):
                var nested = other.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                for (key, member) in inner { try nested.encode(inside(member), forKey: AnyKey(key)) }
            case (5, .null): try container.encodeNil(forKey: key)
            default: try container.encode(inside(member), forKey: key)
            }
        }
        for (encoder, member) in waiting { try inside(member).encode(to: encoder) }
    }
}
