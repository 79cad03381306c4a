/// An array that leaves out the elements that can't be decoded.
///
/// ```swift
/// struct Page: APIModel, Decodable {
///     let items: LossyArray<Item>
/// }
/// ```
/// A value that is not an array is still an error. ``HikyakuJSONDecoder/onDrift`` reports which elements were lost
/// and why. With any other decoder, only the array and ``lostCount`` are available.
///
/// It is a collection of its elements, and ``elements`` is the ordinary array. Equality ignores the number of lost
/// elements, and they are not encoded.
public struct LossyArray<Element> {
    /// The elements that were decoded, in document order.
    public var elements: [Element]
    /// The number of elements that could not be decoded.
    public internal(set) var lostCount = 0

    /// Creates an array without lost elements.
    public init(_ elements: some Sequence<Element>) {
        self.elements = Array(elements)
    }

    /// Creates an empty array.
    public init() {
        elements = []
    }
}

extension LossyArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// The index of the first element.
    @inlinable public var startIndex: Int { elements.startIndex }
    /// The index after the last element.
    @inlinable public var endIndex: Int { elements.endIndex }

    /// The element at an index, counted from 0 among the elements that are left.
    @inlinable
    public subscript(position: Int) -> Element {
        get { elements[position] }
        set { elements[position] = newValue }
    }

    /// Replaces the elements in a range with other elements.
    @inlinable
    public mutating func replaceSubrange(_ range: Range<Int>, with newElements: some Collection<Element>) {
        elements.replaceSubrange(range, with: newElements)
    }
}

extension LossyArray: ExpressibleByArrayLiteral {
    /// Creates an array without lost elements.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension LossyArray: Equatable where Element: Equatable {
    /// Whether the elements are equal.
    public static func == (one: LossyArray, other: LossyArray) -> Bool { one.elements == other.elements }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { elements.hash(into: &hasher) }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: CustomStringConvertible {
    /// The description of the array of elements.
    public var description: String { elements.description }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Writes an array.
    public func encode(to encoder: any Encoder) throws {
        try elements.encode(to: encoder)
    }
}

extension LossyArray: Decodable where Element: Decodable {
    /// Reads an array and leaves out each element that throws.
    ///
    /// If the thread's stack has no more room, this is an error even inside an element.
    ///
    /// - Throws: `DecodingError` if the value is not an array.
    public init(from decoder: any Decoder) throws {
        self.init()
        if let decoder = decoder as? ValueDecoder {
            try decode(decoder)
        } else {
            try decode(decoder.unkeyedContainer())
        }
    }

    private mutating func decode(_ decoder: ValueDecoder) throws {
        // Throws if it is not an array.
        _ = try decoder.unkeyedContainer()
        let session = decoder.session
        let plan = session.tools.plan(for: Element.self)
        let count = session.index.members(of: decoder.place)
        let end = session.index.end(of: decoder.place)
        var place = decoder.place + 2
        elements = try ArrayFilling.array(upTo: count) { elements, initialized in
            guard let start = elements.baseAddress else { return }
            while initialized < elements.count, place < end {
                do {
                    (start + initialized).initialize(to: try plan.decode(session, at: place))
                    initialized += 1
                } catch {
                    // The document was checked, so this is the end of the thread's stack and not a fault of the
                    // element.
                    if error is JSONSyntaxError { throw error }
                    session.drift(.lossyElement, at: session.offset(of: place), Element.self, error)
                }
                place = session.index.next(after: place)
            }
        }
        lostCount = count - elements.count
    }

    private mutating func decode(_ container: any UnkeyedDecodingContainer) throws {
        var container = container
        if let count = container.count { elements.reserveCapacity(Swift.min(count, 1024)) }
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                if let element = try container.decode(Attempt.self).element {
                    elements.append(element)
                } else {
                    lostCount += 1
                }
            } catch {
                if error is JSONSyntaxError { throw error }
                // If the decoder does not advance past the failed element, the loop would be endless.
                guard container.currentIndex > index || (try? container.decodeNil()) == true else { throw error }
                lostCount += 1
            }
        }
    }

    /// An element, or `nil` if it could not be decoded.
    ///
    /// Decoding this never throws for an invalid element, so every decoder advances past it.
    private struct Attempt: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws {
            do {
                // Through a container, since decoders handle some types specially there.
                element = try decoder.singleValueContainer().decode(Element.self)
            } catch {
                if error is JSONSyntaxError { throw error }
                element = nil
            }
        }
    }
}

extension LossyArray: JSONReadable where Element: JSONReadable {
    /// Reads an array and leaves out each element that throws; a syntax error is thrown even inside an element.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        self.init()
        guard try reader.beginArray() else { return }
        repeat {
            let (start, depth) = (reader.place, reader.depthLeft)
            do {
                elements.append(try Element(from: &reader))
            } catch {
                try reader.skipLost(from: start, depth, Element.self, error)
                noteLost()
            }
        } while try reader.nextElement()
    }

    @usableFromInline
    mutating func noteLost() { lostCount += 1 }
}

extension JSONReader {
    /// Skips an element that failed.
    @usableFromInline
    mutating func skipLost(
        from start: UnsafePointer<UInt8>,
        _ depth: Int,
        _ type: any Any.Type,
        _ error: any Error,
    ) throws {
        if error is JSONSyntaxError { throw error }
        try skip(from: start, depth)
        context.drift(.lossyElement, at: start - context.bytes, type, error)
    }
}

extension LossyArray: JSONWritable where Element: JSONWritable {
    /// Writes the remaining elements.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try elements.write(to: &writer)
    }
}
