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

    /// Makes options of the defaults.
    public init() {
        decoder = WebJSON.decoder
        encoder = WebJSON.encoder
        timeout = .seconds(60)
        bodyBytesMax = TransportOptions.bodyBytesMaxDefault
        userAgent = "Hikyaku/0.1"
        clock = SystemClock()
    }
}
