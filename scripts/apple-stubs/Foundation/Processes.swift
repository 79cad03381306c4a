// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/filehandle
open class FileHandle: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/filehandle/asyncbytes
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// https://developer.apple.com/documentation/foundation/filehandle/asyncbytes/iterator
        public struct Iterator: AsyncIteratorProtocol {
            /// https://developer.apple.com/documentation/foundation/filehandle/asyncbytes/iterator/element
            public typealias Element = UInt8

            /// https://developer.apple.com/documentation/foundation/filehandle/asyncbytes/iterator/next()
            public mutating func next() async throws -> UInt8? { fatalError() }
        }

        /// https://developer.apple.com/documentation/foundation/filehandle/asyncbytes/element
        public typealias Element = UInt8

        /// https://developer.apple.com/documentation/foundation/filehandle/asyncbytes/makeasynciterator()
        public func makeAsyncIterator() -> FileHandle.AsyncBytes.Iterator { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/filehandle/standardinput
    open class var standardInput: FileHandle { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/standardoutput
    open class var standardOutput: FileHandle { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/standarderror
    open class var standardError: FileHandle { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/nulldevice
    open class var nullDevice: FileHandle { fatalError() }

    /// https://developer.apple.com/documentation/foundation/filehandle/init(filedescriptor:closeondealloc:)
    public init(fileDescriptor fd: Int32, closeOnDealloc closeopt: Bool) {}
    /// https://developer.apple.com/documentation/foundation/filehandle/init(filedescriptor:)
    public convenience init(fileDescriptor fd: Int32) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/init(forreadingatpath:)
    public convenience init?(forReadingAtPath path: String) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/init(forwritingatpath:)
    public convenience init?(forWritingAtPath path: String) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/init(forupdatingatpath:)
    public convenience init?(forUpdatingAtPath path: String) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/init(forreadingfrom:)
    public convenience init(forReadingFrom url: URL) throws { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/init(forwritingto:)
    public convenience init(forWritingTo url: URL) throws { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/init(forupdating:)
    public convenience init(forUpdating url: URL) throws { fatalError() }

    /// https://developer.apple.com/documentation/foundation/filehandle/filedescriptor
    open var fileDescriptor: Int32 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/availabledata
    open var availableData: Data { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/bytes
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public var bytes: FileHandle.AsyncBytes { fatalError() }

    /// https://developer.apple.com/documentation/foundation/filehandle/readtoend()
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func readToEnd() throws -> Data? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/read(uptocount:)
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func read(upToCount count: Int) throws -> Data? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/write(contentsof:)
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func write<T: DataProtocol>(contentsOf data: T) throws {}
    /// https://developer.apple.com/documentation/foundation/filehandle/offset()
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
    public func offset() throws -> UInt64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/seek(tooffset:)
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open func seek(toOffset offset: UInt64) throws {}
    /// https://developer.apple.com/documentation/foundation/filehandle/truncate(atoffset:)
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open func truncate(atOffset offset: UInt64) throws {}
    /// https://developer.apple.com/documentation/foundation/filehandle/synchronize()
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open func synchronize() throws {}
    /// https://developer.apple.com/documentation/foundation/filehandle/close()
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open func close() throws {}
    /// https://developer.apple.com/documentation/foundation/filehandle/readdatatoendoffile()
    open func readDataToEndOfFile() -> Data { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/readdata(oflength:)
    open func readData(ofLength length: Int) -> Data { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/write(_:)
    open func write(_ data: Data) {}
    /// https://developer.apple.com/documentation/foundation/filehandle/seektoendoffile()
    @discardableResult
    open func seekToEndOfFile() -> UInt64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filehandle/closefile()
    open func closeFile() {}
}

/// https://developer.apple.com/documentation/foundation/pipe
open class Pipe: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/pipe/filehandleforreading
    open var fileHandleForReading: FileHandle { fatalError() }
    /// https://developer.apple.com/documentation/foundation/pipe/filehandleforwriting
    open var fileHandleForWriting: FileHandle { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/process
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
open class Process: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/process/terminationreason
    public enum TerminationReason: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/process/terminationreason/exit
        case exit = 1
        /// https://developer.apple.com/documentation/foundation/process/terminationreason/uncaughtsignal
        case uncaughtSignal = 2
    }

    /// https://developer.apple.com/documentation/foundation/process/run(_:arguments:terminationhandler:)
    open class func run(
        _ url: URL,
        arguments: [String],
        terminationHandler: (@Sendable (Process) -> Void)? = nil,
    ) throws -> Process { fatalError() }

    /// https://developer.apple.com/documentation/foundation/process/executableurl
    open var executableURL: URL? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/process/arguments
    open var arguments: [String]? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/process/environment
    open var environment: [String: String]? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/process/currentdirectoryurl
    open var currentDirectoryURL: URL? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/process/standardinput
    open var standardInput: Any? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/process/standardoutput
    open var standardOutput: Any? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/process/standarderror
    open var standardError: Any? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/process/processidentifier
    open var processIdentifier: Int32 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/process/isrunning
    open var isRunning: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/process/terminationstatus
    open var terminationStatus: Int32 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/process/terminationreason
    open var terminationReason: Process.TerminationReason { fatalError() }
    /// https://developer.apple.com/documentation/foundation/process/terminationhandler
    open var terminationHandler: (@Sendable (Process) -> Void)? {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/process/run()
    open func run() throws {}
    /// https://developer.apple.com/documentation/foundation/process/interrupt()
    open func interrupt() {}
    /// https://developer.apple.com/documentation/foundation/process/terminate()
    open func terminate() {}
    /// https://developer.apple.com/documentation/foundation/process/suspend()
    open func suspend() -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/process/resume()
    open func resume() -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/process/waituntilexit()
    open func waitUntilExit() {}
}
