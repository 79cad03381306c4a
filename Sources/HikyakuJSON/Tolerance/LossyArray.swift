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
