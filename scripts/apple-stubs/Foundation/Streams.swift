// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/corefoundation/cfreadstream
public typealias CFReadStream = InputStream
/// https://developer.apple.com/documentation/corefoundation/cfwritestream
public typealias CFWriteStream = OutputStream

// A subclass has to override what it uses, which isn't checked there either.
/// https://developer.apple.com/documentation/foundation/stream
open class Stream: NSObject {
    /// https://developer.apple.com/documentation/foundation/stream/propertykey
    public struct PropertyKey: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/stream/propertykey/rawvalue
        public let rawValue: String

        /// https://developer.apple.com/documentation/foundation/stream/propertykey/datawrittentomemorystreamkey
        public static let dataWrittenToMemoryStreamKey = Stream.PropertyKey(rawValue: "")
        /// https://developer.apple.com/documentation/foundation/stream/propertykey/filecurrentoffsetkey
        public static let fileCurrentOffsetKey = Stream.PropertyKey(rawValue: "")
        /// https://developer.apple.com/documentation/foundation/stream/propertykey/networkservicetype
        public static let networkServiceType = Stream.PropertyKey(rawValue: "")

        /// https://developer.apple.com/documentation/foundation/stream/propertykey/init(_:)
        public init(_ rawValue: String) { fatalError() }
        /// https://developer.apple.com/documentation/foundation/stream/propertykey/init(rawvalue:)
        public init(rawValue: String) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/stream/status
    public enum Status: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/stream/status/notopen
        case notOpen = 0
        /// https://developer.apple.com/documentation/foundation/stream/status/opening
        case opening = 1
        /// https://developer.apple.com/documentation/foundation/stream/status/open
        case open = 2
        /// https://developer.apple.com/documentation/foundation/stream/status/reading
        case reading = 3
        /// https://developer.apple.com/documentation/foundation/stream/status/writing
        case writing = 4
        /// https://developer.apple.com/documentation/foundation/stream/status/atend
        case atEnd = 5
        /// https://developer.apple.com/documentation/foundation/stream/status/closed
        case closed = 6
        /// https://developer.apple.com/documentation/foundation/stream/status/error
        case error = 7
    }

    /// https://developer.apple.com/documentation/foundation/stream/event
    public struct Event: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/foundation/stream/event/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/foundation/stream/event/opencompleted
        public static var openCompleted: Stream.Event { fatalError() }
        /// https://developer.apple.com/documentation/foundation/stream/event/hasbytesavailable
        public static var hasBytesAvailable: Stream.Event { fatalError() }
        /// https://developer.apple.com/documentation/foundation/stream/event/hasspaceavailable
        public static var hasSpaceAvailable: Stream.Event { fatalError() }
        /// https://developer.apple.com/documentation/foundation/stream/event/erroroccurred
        public static var errorOccurred: Stream.Event { fatalError() }
        /// https://developer.apple.com/documentation/foundation/stream/event/endencountered
        public static var endEncountered: Stream.Event { fatalError() }

        /// https://developer.apple.com/documentation/foundation/stream/event/init(rawvalue:)
        public init(rawValue: UInt) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/stream/getboundstreams(withbuffersize:inputstream:outputstream:)
    open class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?,
    ) {}
    /// https://developer.apple.com/documentation/foundation/stream/getstreamstohost(withname:port:inputstream:outputstream:)
    open class func getStreamsToHost(
        withName hostname: String,
        port: Int,
        inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?,
    ) {}

    /// https://developer.apple.com/documentation/foundation/stream/delegate
    weak open var delegate: (any StreamDelegate)?
    /// https://developer.apple.com/documentation/foundation/stream/streamstatus
    open var streamStatus: Stream.Status { fatalError() }
    /// https://developer.apple.com/documentation/foundation/stream/streamerror
    open var streamError: (any Error)? { fatalError() }

    /// https://developer.apple.com/documentation/foundation/stream/open()
    open func open() {}
    /// https://developer.apple.com/documentation/foundation/stream/close()
    open func close() {}
    /// https://developer.apple.com/documentation/foundation/stream/property(forkey:)
    open func property(forKey key: Stream.PropertyKey) -> Any? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/stream/setproperty(_:forkey:)
    open func setProperty(_ property: Any?, forKey key: Stream.PropertyKey) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/stream/schedule(in:formode:)
    open func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
    /// https://developer.apple.com/documentation/foundation/stream/remove(from:formode:)
    open func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
}

/// https://developer.apple.com/documentation/foundation/stream
@available(*, unavailable)
extension Stream: Sendable {}

/// https://developer.apple.com/documentation/foundation/inputstream
open class InputStream: Stream {
    /// https://developer.apple.com/documentation/foundation/inputstream/init(data:)
    public init(data: Data) {}
    /// https://developer.apple.com/documentation/foundation/inputstream/init(url:)
    public init?(url: URL) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/inputstream/init(fileatpath:)
    public convenience init?(fileAtPath path: String) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/inputstream/hasbytesavailable
    open var hasBytesAvailable: Bool { fatalError() }

    /// https://developer.apple.com/documentation/foundation/inputstream/read(_:maxlength:)
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/inputstream/getbuffer(_:length:)
    open func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>,
    ) -> Bool { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/outputstream
open class OutputStream: Stream {
    /// https://developer.apple.com/documentation/foundation/outputstream/init(tomemory:)
    public init(toMemory: ()) {}
    /// https://developer.apple.com/documentation/foundation/outputstream/init(tobuffer:capacity:)
    public init(toBuffer buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {}
    /// https://developer.apple.com/documentation/foundation/outputstream/init(url:append:)
    public init?(url: URL, append shouldAppend: Bool) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/outputstream/init(tofileatpath:append:)
    public convenience init?(toFileAtPath path: String, append shouldAppend: Bool) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/outputstream/hasspaceavailable
    open var hasSpaceAvailable: Bool { fatalError() }

    /// https://developer.apple.com/documentation/foundation/outputstream/write(_:maxlength:)
    open func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/streamdelegate
public protocol StreamDelegate: NSObjectProtocol {
    /// https://developer.apple.com/documentation/foundation/streamdelegate/stream(_:handle:)
    func stream(_ aStream: Stream, handle eventCode: Stream.Event)
}

// The method is optional there; a misspelled one isn't found.
/// https://developer.apple.com/documentation/foundation/streamdelegate
extension StreamDelegate {
    /// https://developer.apple.com/documentation/foundation/streamdelegate/stream(_:handle:)
    public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {}
}

/// https://developer.apple.com/documentation/corefoundation/cfstreameventtype
public struct CFStreamEventType: OptionSet, Sendable {
    /// https://developer.apple.com/documentation/corefoundation/cfstreameventtype/rawvalue
    public let rawValue: CFOptionFlags

    /// https://developer.apple.com/documentation/corefoundation/cfstreameventtype/opencompleted
    public static var openCompleted: CFStreamEventType { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cfstreameventtype/hasbytesavailable
    public static var hasBytesAvailable: CFStreamEventType { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cfstreameventtype/canacceptbytes
    public static var canAcceptBytes: CFStreamEventType { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cfstreameventtype/erroroccurred
    public static var errorOccurred: CFStreamEventType { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cfstreameventtype/endencountered
    public static var endEncountered: CFStreamEventType { fatalError() }

    /// https://developer.apple.com/documentation/corefoundation/cfstreameventtype/init(rawvalue:)
    public init(rawValue: CFOptionFlags) { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cfstreamstatus
public enum CFStreamStatus: CFIndex, Sendable {
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/notopen
    case notOpen = 0
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/opening
    case opening = 1
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/open
    case open = 2
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/reading
    case reading = 3
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/writing
    case writing = 4
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/atend
    case atEnd = 5
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/closed
    case closed = 6
    /// https://developer.apple.com/documentation/corefoundation/cfstreamstatus/error
    case error = 7
}

/// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext
public struct CFStreamClientContext {
    /// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext/version
    public var version: CFIndex
    /// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext/info
    public var info: UnsafeMutableRawPointer!
    /// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext/retain
    public var retain: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)!
    /// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext/release
    public var release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
    /// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext/copydescription
    public var copyDescription: (@convention(c) (UnsafeMutableRawPointer?) -> Unmanaged<AnyObject>?)!

    /// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext/init(version:info:retain:release:copydescription:)
    public init(
        version: CFIndex,
        info: UnsafeMutableRawPointer!,
        retain: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)!,
        release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!,
        copyDescription: (@convention(c) (UnsafeMutableRawPointer?) -> Unmanaged<AnyObject>?)!,
    ) { fatalError() }
}

// These are functions of C there, so their closures must not capture anything; here that isn't found.
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamclientcallback
public typealias CFReadStreamClientCallBack = (CFReadStream?, CFStreamEventType, UnsafeMutableRawPointer?) -> Void
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamclientcallback
public typealias CFWriteStreamClientCallBack = (CFWriteStream?, CFStreamEventType, UnsafeMutableRawPointer?) -> Void

/// https://developer.apple.com/documentation/corefoundation/cfreadstreamsetclient(_:_:_:_:)
public func CFReadStreamSetClient(
    _ stream: CFReadStream!,
    _ streamEvents: CFOptionFlags,
    _ clientCB: CFReadStreamClientCallBack!,
    _ clientContext: UnsafeMutablePointer<CFStreamClientContext>!,
) -> Bool { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamsetclient(_:_:_:_:)
public func CFWriteStreamSetClient(
    _ stream: CFWriteStream!,
    _ streamEvents: CFOptionFlags,
    _ clientCB: CFWriteStreamClientCallBack!,
    _ clientContext: UnsafeMutablePointer<CFStreamClientContext>!,
) -> Bool { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamsetdispatchqueue(_:_:)
public func CFReadStreamSetDispatchQueue(_ stream: CFReadStream!, _ q: DispatchQueue!) {}
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamsetdispatchqueue(_:_:)
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) {}
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamcopydispatchqueue(_:)
public func CFReadStreamCopyDispatchQueue(_ stream: CFReadStream!) -> DispatchQueue! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamcopydispatchqueue(_:)
public func CFWriteStreamCopyDispatchQueue(_ stream: CFWriteStream!) -> DispatchQueue! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamopen(_:)
public func CFReadStreamOpen(_ stream: CFReadStream!) -> Bool { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamopen(_:)
public func CFWriteStreamOpen(_ stream: CFWriteStream!) -> Bool { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamclose(_:)
public func CFReadStreamClose(_ stream: CFReadStream!) {}
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamclose(_:)
public func CFWriteStreamClose(_ stream: CFWriteStream!) {}
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamread(_:_:_:)
public func CFReadStreamRead(
    _ stream: CFReadStream!,
    _ buffer: UnsafeMutablePointer<UInt8>!,
    _ bufferLength: CFIndex,
) -> CFIndex { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamwrite(_:_:_:)
public func CFWriteStreamWrite(
    _ stream: CFWriteStream!,
    _ buffer: UnsafePointer<UInt8>!,
    _ bufferLength: CFIndex,
) -> CFIndex { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamhasbytesavailable(_:)
public func CFReadStreamHasBytesAvailable(_ stream: CFReadStream!) -> Bool { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamcanacceptbytes(_:)
public func CFWriteStreamCanAcceptBytes(_ stream: CFWriteStream!) -> Bool { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamgetstatus(_:)
public func CFReadStreamGetStatus(_ stream: CFReadStream!) -> CFStreamStatus { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamgetstatus(_:)
public func CFWriteStreamGetStatus(_ stream: CFWriteStream!) -> CFStreamStatus { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfreadstreamcopyerror(_:)
public func CFReadStreamCopyError(_ stream: CFReadStream!) -> CFError! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamcopyerror(_:)
public func CFWriteStreamCopyError(_ stream: CFWriteStream!) -> CFError! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfstreamcreateboundpair(_:_:_:_:)
public func CFStreamCreateBoundPair(
    _ alloc: CFAllocator!,
    _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>!,
    _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>!,
    _ transferBufferSize: CFIndex,
) {}
