// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol
public protocol DispatchSourceProtocol: DispatchObject {
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/handle
    var handle: UInt { get }
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/mask
    var mask: UInt { get }
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/data
    var data: UInt { get }
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/iscancelled
    var isCancelled: Bool { get }

    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/cancel()
    func cancel()
}

/// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol
extension DispatchSourceProtocol {
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/dispatchsourcehandler
    public typealias DispatchSourceHandler = @convention(block) () -> Void

    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/seteventhandler(qos:flags:handler:)
    public func setEventHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: Self.DispatchSourceHandler?,
    ) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/seteventhandler(handler:)
    public func setEventHandler(handler: DispatchWorkItem) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/setcancelhandler(qos:flags:handler:)
    public func setCancelHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: Self.DispatchSourceHandler?,
    ) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/setregistrationhandler(qos:flags:handler:)
    public func setRegistrationHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: Self.DispatchSourceHandler?,
    ) {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchsourcesignal
public protocol DispatchSourceSignal: DispatchSourceProtocol {}

/// https://developer.apple.com/documentation/dispatch/dispatchsourcetimer
public protocol DispatchSourceTimer: DispatchSourceProtocol {}

/// https://developer.apple.com/documentation/dispatch/dispatchsourcetimer
extension DispatchSourceTimer {
    /// https://developer.apple.com/documentation/dispatch/dispatchsourcetimer
    public func schedule(
        deadline: DispatchTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0),
    ) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchsourcetimer
    public func schedule(
        deadline: DispatchTime,
        repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0),
    ) {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchsourceread
public protocol DispatchSourceRead: DispatchSourceProtocol {}

/// https://developer.apple.com/documentation/dispatch/dispatchsourcewrite
public protocol DispatchSourceWrite: DispatchSourceProtocol {}

/// https://developer.apple.com/documentation/dispatch/dispatchsource
open class DispatchSource: DispatchObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchsource/timerflags
    public struct TimerFlags: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/dispatch/dispatchsource/timerflags/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/dispatch/dispatchsource/timerflags/strict
        public static let strict = DispatchSource.TimerFlags(rawValue: 1)

        /// https://developer.apple.com/documentation/dispatch/dispatchsource/timerflags/init(rawvalue:)
        public init(rawValue: UInt) { fatalError() }
    }

    /// https://developer.apple.com/documentation/dispatch/dispatchsource/makesignalsource(signal:queue:)
    public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
        fatalError()
    }
    /// https://developer.apple.com/documentation/dispatch/dispatchsource/maketimersource(flags:queue:)
    public class func makeTimerSource(
        flags: DispatchSource.TimerFlags = [],
        queue: DispatchQueue? = nil,
    ) -> any DispatchSourceTimer { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchsource/makereadsource(filedescriptor:queue:)
    public class func makeReadSource(
        fileDescriptor: Int32,
        queue: DispatchQueue? = nil,
    ) -> any DispatchSourceRead { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchsource/makewritesource(filedescriptor:queue:)
    public class func makeWriteSource(
        fileDescriptor: Int32,
        queue: DispatchQueue? = nil,
    ) -> any DispatchSourceWrite { fatalError() }
}
