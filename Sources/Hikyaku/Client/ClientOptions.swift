/// What holds for all calls of a client, each with a default that needs no thought.
public struct ClientOptions: Sendable {
    /// What decodes responses whose request names no decoder.
    ///
    /// Default: JSON with dates in ISO 8601.
    public var decoder: any ResponseDecoder
    /// What encodes bodies whose request names no encoder.
    ///
    /// Default: JSON with dates in ISO 8601.
    public var encoder: any RequestEncoder
    /// How long a call may take whose request says nothing else.
    ///
    /// Default: 60 seconds; `nil` for ever.
    public var timeout: Duration?
    /// The largest body that is collected, in bytes; a larger one ends the call as `.limit`.
    ///
    /// Default: 64 MiB.
    public var bodyBytesMax: Int
    /// The `User-Agent` of requests that say nothing else.
    ///
    /// Default: `Hikyaku/` and its version.
    public var userAgent: String
    /// The time by which deadlines are kept.
    ///
    /// Default: the machine's.
    public var clock: any HTTPClock

    /// Makes options; what isn't given has its default.
    public init(
        decoder: (any ResponseDecoder)? = nil,
        encoder: (any RequestEncoder)? = nil,
        timeout: Duration? = .seconds(60),
        bodyBytesMax: Int = TransportOptions.bodyBytesMaxDefault,
        userAgent: String = "Hikyaku/0.1",
        clock: any HTTPClock = SystemClock(),
    ) {
        self.decoder = decoder ?? WebJSON.decoder
        self.encoder = encoder ?? WebJSON.encoder
        self.timeout = timeout
        self.bodyBytesMax = bodyBytesMax
        self.userAgent = userAgent
        self.clock = clock
    }
}
