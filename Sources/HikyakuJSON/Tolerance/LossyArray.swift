/// An array that is read as far as its elements can be: those that can't are left out.
///
/// ```swift
/// struct Page: Decodable {
///     let items: LossyArray<Item>
/// }
/// ```
/// Anything but an array in its place is still an error. ``HikyakuJSONDecoder/onDrift`` is told which elements were
/// lost and why; any other decoder gives the array and ``lostCount``.
///
/// It is a collection of its elements, and ``elements`` is the ordinary array. How many were lost counts for nothing
/// when two are compared, and isn't written.
public struct LossyArray<Element> {
    /// The elements that could be read, in the order of the document.
    public var elements: [Element]
    /// How many couldn't.
    public internal(set) var lostCount = 0

    /// Makes an array that has lost nothing.
    public init(_ elements: some Sequence<Element>) {
        self.elements = Array(elements)
    }

    /// Makes an empty array.
    public init() {
        elements = []
    }
}

extension LossyArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// The place of the first element.
    @inlinable public var startIndex: Int { elements.startIndex }
    /// The place behind the last element.
    @inlinable public var endIndex: Int { elements.endIndex }

    /// The element at a place, counted from 0 among those that are left.
    @inlinable
    public subscript(position: Int) -> Element {
        get { elements[position] }
        set { elements[position] = newValue }
    }

    /// Puts other elements in the place of some.
    @inlinable
    public mutating func replaceSubrange(_ range: Range<Int>, with newElements: some Collection<Element>) {
        elements.replaceSubrange(range, with: newElements)
    }
}

extension LossyArray: ExpressibleByArrayLiteral {
    /// Makes an array that has lost nothing.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension LossyArray: Equatable where Element: Equatable {
    /// Whether the elements are equal.
    public static func == (one: LossyArray, other: LossyArray) -> Bool { one.elements == other.elements }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Feeds the elements.
    public func hash(into hasher: inout Hasher) { elements.hash(into: &hasher) }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: CustomStringConvertible {
    /// The elements as an array shows them.
    public var description: String { elements.description }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Writes an array.
    public func encode(to encoder: any Encoder) throws {
        try elements.encode(to: encoder)
    }
}

extension LossyArray: Decodable where Element: Decodable {
    /// Reads an array, and leaves out each element that throws; the end of the thread's stack is an error in elements
    /// too.
    ///
    /// - Throws: `DecodingError` where no array stands.
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
    /// Reads an array, and leaves out each element that throws; what is no JSON is an error in elements too.
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
    /// Writes the elements that are left.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try elements.write(to: &writer)
    }
}
