// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/corefoundation/cgfloat
@frozen
public struct CGFloat: Hashable, Sendable, BitwiseCopyable {
    /// https://developer.apple.com/documentation/corefoundation/cgfloat/nativetype
    public typealias NativeType = Double

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/native
    public var native: NativeType

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public init(_ value: Float) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public init(_ value: Double) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public init<Source: BinaryInteger>(_ value: Source) { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cgfloat
extension CGFloat: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(integerliteral:)
    public init(integerLiteral value: Int) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(floatliteral:)
    public init(floatLiteral value: Double) { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cgfloat
extension CGFloat: SignedNumeric, Comparable {
    /// https://developer.apple.com/documentation/corefoundation/cgfloat/magnitude
    public var magnitude: CGFloat { fatalError() }

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(exactly:)
    public init?<T: BinaryInteger>(exactly source: T) { fatalError() }

    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public static func < (left: CGFloat, right: CGFloat) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public static func + (left: CGFloat, right: CGFloat) -> CGFloat { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public static func - (left: CGFloat, right: CGFloat) -> CGFloat { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public static func * (left: CGFloat, right: CGFloat) -> CGFloat { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public static func / (left: CGFloat, right: CGFloat) -> CGFloat { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public static func *= (left: inout CGFloat, right: CGFloat) {}
}

/// https://developer.apple.com/documentation/swift/double
extension Double {
    /// https://developer.apple.com/documentation/swift/double/init(_:)
    public init(_ value: CGFloat) { fatalError() }
}

/// https://developer.apple.com/documentation/swift/binaryinteger
extension BinaryInteger {
    /// https://developer.apple.com/documentation/swift/binaryinteger/init(_:)
    public init(_ value: CGFloat) { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cgsize
public struct CGSize: Equatable, Sendable, BitwiseCopyable {
    /// https://developer.apple.com/documentation/corefoundation/cgsize/zero
    public static var zero: CGSize { fatalError() }

    /// https://developer.apple.com/documentation/corefoundation/cgsize/width
    public var width: CGFloat
    /// https://developer.apple.com/documentation/corefoundation/cgsize/height
    public var height: CGFloat

    /// https://developer.apple.com/documentation/corefoundation/cgsize/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgsize
    public init(width: CGFloat, height: CGFloat) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgsize
    public init(width: Int, height: Int) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgsize
    public init(width: Double, height: Double) { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cgpoint
public struct CGPoint: Equatable, Sendable, BitwiseCopyable {
    /// https://developer.apple.com/documentation/corefoundation/cgpoint/zero
    public static var zero: CGPoint { fatalError() }

    /// https://developer.apple.com/documentation/corefoundation/cgpoint/x
    public var x: CGFloat
    /// https://developer.apple.com/documentation/corefoundation/cgpoint/y
    public var y: CGFloat

    /// https://developer.apple.com/documentation/corefoundation/cgpoint/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgpoint
    public init(x: CGFloat, y: CGFloat) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgpoint
    public init(x: Int, y: Int) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgpoint
    public init(x: Double, y: Double) { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cgrect
public struct CGRect: Equatable, Sendable, BitwiseCopyable {
    /// https://developer.apple.com/documentation/corefoundation/cgrect/zero
    public static var zero: CGRect { fatalError() }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/origin
    public var origin: CGPoint
    /// https://developer.apple.com/documentation/corefoundation/cgrect/size
    public var size: CGSize

    /// https://developer.apple.com/documentation/corefoundation/cgrect/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgrect/init(origin:size:)
    public init(origin: CGPoint, size: CGSize) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgrect
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgrect
    public init(x: Int, y: Int, width: Int, height: Int) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cgrect
    public init(x: Double, y: Double, width: Double, height: Double) { fatalError() }
}
