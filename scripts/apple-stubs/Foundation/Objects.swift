// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import CoreFoundation
@_exported public import Darwin
@_exported public import Dispatch
@_exported public import FoundationEssentials
@_exported public import Security

/// https://developer.apple.com/documentation/foundation/nsobjectprotocol
public protocol NSObjectProtocol: AnyObject {
    /// https://developer.apple.com/documentation/foundation/nsobjectprotocol/hash
    var hash: Int { get }
    /// https://developer.apple.com/documentation/foundation/nsobjectprotocol/description
    var description: String { get }

    /// https://developer.apple.com/documentation/foundation/nsobjectprotocol/isequal(_:)
    func isEqual(_ object: Any?) -> Bool
}

/// https://developer.apple.com/documentation/foundation/nsobject
open class NSObject: NSObjectProtocol, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CVarArg {
    /// https://developer.apple.com/documentation/foundation/nsobject/init()
    public init() {}

    /// https://developer.apple.com/documentation/foundation/nsobject/hash
    open var hash: Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsobject/description
    open var description: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsobject/debugdescription
    open var debugDescription: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsobject/_cvarargencoding
    public var _cVarArgEncoding: [Int] { fatalError() }

    /// https://developer.apple.com/documentation/foundation/nsobject/isequal(_:)
    open func isEqual(_ object: Any?) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsobject/copy()
    open func copy() -> Any { fatalError() }

    /// https://developer.apple.com/documentation/foundation/nsobject
    public static func == (left: NSObject, right: NSObject) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsobject/hash(into:)
    public func hash(into hasher: inout Hasher) {}
}

// A C type's Boolean in Objective-C.
/// https://developer.apple.com/documentation/foundation/objcbool
@frozen
public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    /// https://developer.apple.com/documentation/foundation/objcbool/init(_:)
    public init(_ value: Bool) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/objcbool/init(booleanliteral:)
    public init(booleanLiteral value: Bool) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/objcbool/boolvalue
    public var boolValue: Bool { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/nsvalue
open class NSValue: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/nsnumber
open class NSNumber: NSValue, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public init(value: Int) {}
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public init(value: Double) {}
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public init(value: Bool) {}
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public init(value: Int32) {}
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public init(value: Int64) {}
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public init(value: UInt64) {}
    /// https://developer.apple.com/documentation/foundation/nsnumber/boolvalue
    open var boolValue: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsnumber/intvalue
    open var intValue: Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsnumber/stringvalue
    open var stringValue: String { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/progress
open class Progress: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/progress/init(totalunitcount:)
    public init(totalUnitCount unitCount: Int64) {}
    /// https://developer.apple.com/documentation/foundation/progress/iscancelled
    open var isCancelled: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/progress/isfinished
    open var isFinished: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/progress/localizeddescription
    open var localizedDescription: String! {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/progress/cancel()
    open func cancel() {}
    /// https://developer.apple.com/documentation/foundation/progress/pause()
    open func pause() {}
}

/// https://developer.apple.com/documentation/foundation/nssize
public typealias NSSize = CGSize
/// https://developer.apple.com/documentation/foundation/nsrect
public typealias NSRect = CGRect
