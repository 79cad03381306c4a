// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/corefoundation/cfwritestream
public typealias CFWriteStream = OutputStream

// A subclass has to override what it uses, which isn't checked there either.
/// https://developer.apple.com/documentation/foundation/stream
open class Stream: NSObject {
    /// https://developer.apple.com/documentation/foundation/stream/propertykey
    public struct PropertyKey: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/stream/propertykey/rawvalue
        public let rawValue: String
        /// https://developer.apple.com/documentation/foundation/stream/propertykey/networkservicetype
        public static let networkServiceType = Stream.PropertyKey(rawValue: "")

        /// https://developer.apple.com/documentation/foundation/stream/propertykey/init(_:)
        public init(_ rawValue: String) { fatalError() }
        /// https://developer.apple.com/documentation/foundation/stream/propertykey/init(rawvalue:)
        public init(rawValue: String) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/stream/status
    public enum Status: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/stream/status/opening
        case opening = 1
        /// https://developer.apple.com/documentation/foundation/stream/status/open
        case open = 2
        /// https://developer.apple.com/documentation/foundation/stream/status/reading
        case reading = 3
        /// https://developer.apple.com/documentation/foundation/stream/status/writing
        case writing = 4
        /// https://developer.apple.com/documentation/foundation/stream/status/closed
        case closed = 6
        /// https://developer.apple.com/documentation/foundation/stream/status/error
        case error = 7
    }

    /// https://developer.apple.com/documentation/foundation/stream/event
    public struct Event: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/foundation/stream/event/rawvalue
        public let rawValue: UInt
        /// https://developer.apple.com/documentation/foundation/stream/event/hasspaceavailable
        public static var hasSpaceAvailable: Stream.Event { fatalError() }

        /// https://developer.apple.com/documentation/foundation/stream/event/init(rawvalue:)
        public init(rawValue: UInt) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/stream/getboundstreams(withbuffersize:inputstream:outputstream:)
    open class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?,
    ) {}

    /// https://developer.apple.com/documentation/foundation/stream/delegate
    weak open var delegate: (any StreamDelegate)?
    /// https://developer.apple.com/documentation/foundation/stream/streamstatus
    open var streamStatus: Stream.Status { fatalError() }

    /// https://developer.apple.com/documentation/foundation/stream/open()
    open func open() {}
    /// https://developer.apple.com/documentation/foundation/stream/close()
    open func close() {}
    /// https://developer.apple.com/documentation/foundation/stream/property(forkey:)
    open func property(forKey key: Stream.PropertyKey) -> Any? { fatalError() }
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

    /// https://developer.apple.com/documentation/foundation/inputstream/read(_:maxlength:)
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { fatalError() }
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
/// https://developer.apple.com/documentation/corefoundation/cfwritestreamsetdispatchqueue(_:_:)
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) {}
