// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/os/ossignpostid
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public struct OSSignpostID: Comparable, Sendable {
    /// https://developer.apple.com/documentation/os/ossignpostid/rawvalue
    public let rawValue: UInt64

    /// https://developer.apple.com/documentation/os/ossignpostid/exclusive
    public static let exclusive = OSSignpostID(0)
    /// https://developer.apple.com/documentation/os/ossignpostid/invalid
    public static let invalid = OSSignpostID(0)
    /// https://developer.apple.com/documentation/os/ossignpostid/null
    public static let null = OSSignpostID(0)

    /// https://developer.apple.com/documentation/os/ossignpostid/init(log:)
    public init(log: OSLog) { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignpostid/init(log:object:)
    public init(log: OSLog, object: AnyObject) { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignpostid/init(_:)
    public init(_ value: UInt64) { fatalError() }

    /// https://developer.apple.com/documentation/os/ossignpostid
    public static func < (a: OSSignpostID, b: OSSignpostID) -> Bool { fatalError() }
}

/// https://developer.apple.com/documentation/os/ossignpostintervalstate
@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
public class OSSignpostIntervalState: @unchecked Sendable, Codable {
    /// https://developer.apple.com/documentation/os/ossignpostintervalstate/beginstate(id:)
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { fatalError() }

    /// https://developer.apple.com/documentation/os/ossignpostintervalstate/init()
    init() {}
    /// https://developer.apple.com/documentation/os/ossignpostintervalstate/init(from:)
    public required init(from decoder: any Decoder) throws {}

    /// https://developer.apple.com/documentation/os/ossignpostintervalstate/encode(to:)
    public func encode(to encoder: any Encoder) throws {}
}

/// https://developer.apple.com/documentation/os/signpostmetadata
@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
public struct SignpostMetadata: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    /// https://developer.apple.com/documentation/os/signpostmetadata/init(stringinterpolation:)
    public init(stringInterpolation: OSLogInterpolation) { fatalError() }
    /// https://developer.apple.com/documentation/os/signpostmetadata/init(stringliteral:)
    public init(stringLiteral value: String) { fatalError() }
}

/// https://developer.apple.com/documentation/os/ossignposter
@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
public struct OSSignposter: @unchecked Sendable {
    /// https://developer.apple.com/documentation/os/ossignposter/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignposter
    public init(subsystem: String, category: String) { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignposter
    public init(subsystem: String, category: OSLog.Category) { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignposter/init(loghandle:)
    public init(logHandle: OSLog) { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignposter/init(logger:)
    public init(logger: Logger) { fatalError() }

    /// https://developer.apple.com/documentation/os/ossignposter/isenabled
    public var isEnabled: Bool { fatalError() }

    /// https://developer.apple.com/documentation/os/ossignposter/makesignpostid()
    public func makeSignpostID() -> OSSignpostID { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignposter/makesignpostid(from:)
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignposter/begininterval(_:id:)
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        fatalError()
    }
    /// https://developer.apple.com/documentation/os/ossignposter/begininterval(_:id:_:)
    public func beginInterval(
        _ name: StaticString,
        id: OSSignpostID = .exclusive,
        _ message: SignpostMetadata,
    ) -> OSSignpostIntervalState { fatalError() }
    /// https://developer.apple.com/documentation/os/ossignposter/endinterval(_:_:)
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
    /// https://developer.apple.com/documentation/os/ossignposter/endinterval(_:_:_:)
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {}
    /// https://developer.apple.com/documentation/os/ossignposter/emitevent(_:id:)
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
    /// https://developer.apple.com/documentation/os/ossignposter/emitevent(_:id:_:)
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {}
}
