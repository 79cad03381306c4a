// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/characterset
public struct CharacterSet: Hashable, Sendable, SetAlgebra {
    /// https://developer.apple.com/documentation/foundation/characterset/element
    public typealias Element = Unicode.Scalar
    /// https://developer.apple.com/documentation/foundation/characterset/decimaldigits
    public static var decimalDigits: CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/letters
    public static var letters: CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/newlines
    public static var newlines: CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/symbols
    public static var symbols: CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/whitespaces
    public static var whitespaces: CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/whitespacesandnewlines
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }

    /// https://developer.apple.com/documentation/foundation/characterset/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset
    public init(charactersIn string: String) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset
    public init(charactersIn range: Range<Unicode.Scalar>) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset
    public init(charactersIn range: ClosedRange<Unicode.Scalar>) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/characterset/inverted
    public var inverted: CharacterSet { fatalError() }

    /// https://developer.apple.com/documentation/foundation/characterset/contains(_:)
    public func contains(_ member: Unicode.Scalar) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/insert(_:)
    @discardableResult
    public mutating func insert(
        _ character: Unicode.Scalar
    ) -> (inserted: Bool, memberAfterInsert: Unicode.Scalar) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/insert(charactersin:)
    public mutating func insert(charactersIn string: String) {}
    /// https://developer.apple.com/documentation/foundation/characterset/update(with:)
    @discardableResult
    public mutating func update(with character: Unicode.Scalar) -> Unicode.Scalar? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/remove(_:)
    @discardableResult
    public mutating func remove(_ character: Unicode.Scalar) -> Unicode.Scalar? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/remove(charactersin:)
    public mutating func remove(charactersIn string: String) {}
    /// https://developer.apple.com/documentation/foundation/characterset/union(_:)
    public func union(_ other: CharacterSet) -> CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/formunion(_:)
    public mutating func formUnion(_ other: CharacterSet) {}
    /// https://developer.apple.com/documentation/foundation/characterset/intersection(_:)
    public func intersection(_ other: CharacterSet) -> CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/formintersection(_:)
    public mutating func formIntersection(_ other: CharacterSet) {}
    /// https://developer.apple.com/documentation/foundation/characterset/subtracting(_:)
    public func subtracting(_ other: CharacterSet) -> CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/symmetricdifference(_:)
    public func symmetricDifference(_ other: CharacterSet) -> CharacterSet { fatalError() }
    /// https://developer.apple.com/documentation/foundation/characterset/formsymmetricdifference(_:)
    public mutating func formSymmetricDifference(_ other: CharacterSet) {}
    /// https://developer.apple.com/documentation/foundation/characterset/issuperset(of:)
    public func isSuperset(of other: CharacterSet) -> Bool { fatalError() }
}

/// https://developer.apple.com/documentation/swift/stringprotocol
extension StringProtocol {
    /// https://developer.apple.com/documentation/swift/stringprotocol/capitalized
    public var capitalized: String { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/removingpercentencoding
    public var removingPercentEncoding: String? { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/compare(_:options:range:locale:)
    public func compare<T: StringProtocol>(
        _ aString: T,
        options mask: String.CompareOptions = [],
        range: Range<Index>? = nil,
        locale: Locale? = nil,
    ) -> ComparisonResult { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/components(separatedby:)
    public func components(separatedBy separator: CharacterSet) -> [String] { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/contains(_:)
    public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/lowercased(with:)
    public func lowercased(with locale: Locale?) -> String { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/padding(tolength:withpad:startingat:)
    public func padding<T: StringProtocol>(
        toLength newLength: Int,
        withPad padString: T,
        startingAt padIndex: Int,
    ) -> String { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/range(of:options:range:locale:)
    public func range<T: StringProtocol>(
        of aString: T,
        options mask: String.CompareOptions = [],
        range searchRange: Range<Index>? = nil,
        locale: Locale? = nil,
    ) -> Range<Index>? { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/replacingcharacters(in:with:)
    public func replacingCharacters<T: StringProtocol, R: RangeExpression>(
        in range: R,
        with replacement: T,
    ) -> String where R.Bound == Index { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/replacingoccurrences(of:with:options:range:)
    public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
        of target: Target,
        with replacement: Replacement,
        options: String.CompareOptions = [],
        range searchRange: Range<Index>? = nil,
    ) -> String { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/trimmingcharacters(in:)
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/uppercased(with:)
    public func uppercased(with locale: Locale?) -> String { fatalError() }
}

/// https://developer.apple.com/documentation/swift/string
extension String {
    /// https://developer.apple.com/documentation/swift/string/init(format:_:)
    public init(format: String, _ arguments: any CVarArg...) { fatalError() }
    /// https://developer.apple.com/documentation/swift/string/init(format:arguments:)
    public init(format: String, arguments: [any CVarArg]) { fatalError() }
    /// https://developer.apple.com/documentation/swift/string/init(format:locale:_:)
    public init(format: String, locale: Locale?, _ args: any CVarArg...) { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/nsrange
public struct NSRange: Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/nsrange/location
    public var location: Int
    /// https://developer.apple.com/documentation/foundation/nsrange/length
    public var length: Int

    /// https://developer.apple.com/documentation/foundation/nsrange/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsrange/init(location:length:)
    public init(location: Int, length: Int) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsrange/init(_:in:)
    public init<R: RangeExpression, S: StringProtocol>(_ region: R, in target: S) where R.Bound == S.Index {
        fatalError()
    }
}

/// https://developer.apple.com/documentation/swift/range
extension Range where Bound == String.Index {
    /// https://developer.apple.com/documentation/swift/range/init(_:in:)
    public init?(_ range: NSRange, in string: __shared String) { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/scanner
open class Scanner: NSObject {
    /// https://developer.apple.com/documentation/foundation/scanner/init(string:)
    public init(string: String) {}

    /// https://developer.apple.com/documentation/foundation/scanner/string
    open var string: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/scanner/isatend
    open var isAtEnd: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/scanner/currentindex
    public var currentIndex: String.Index {
        get { fatalError() }
        set {}
    }
}
