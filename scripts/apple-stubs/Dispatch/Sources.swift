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

/// https://developer.apple.com/documentation/dispatch/dispatchsource
open class DispatchSource: DispatchObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchsource/makesignalsource(signal:queue:)
    public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
        fatalError()
    }
}
