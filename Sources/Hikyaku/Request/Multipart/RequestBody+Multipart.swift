extension RequestBody {
    /// Parts as HTML forms with files send them: `multipart/form-data`, one part after the other.
    ///
    /// ```swift
    /// .multipart([.text("title", "飛脚"), .file("photo", path: "/photos/1.jpg")])
    /// ```
    /// Nothing is written to a temporary file: files and streams are pulled while the body is sent. The length is
    /// announced where each part's is known, and the body can be sent again where each part can be read again.
    ///
    /// [RFC 7578](https://www.rfc-editor.org/rfc/rfc7578), with names escaped as browsers do it.
    ///
    /// - Parameters:
    ///   - parts: What is sent, in this order; names may repeat.
    ///   - generator: Where the boundary between parts comes from; a test fixes it by a generator of its own.
    /// - Returns: The body; a part that can't be sent is refused as ``FailureReason/body`` when the call begins.
    public static func multipart(
        _ parts: [MultipartPart],
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    ) -> RequestBody {
        RequestBody { encoder in
            var generator = generator
            let encoded = try parts.map { try $0.encoded(by: encoder) }
            let boundary = try MultipartBoundary.make(notIn: encoded, using: &generator)
            let body = try MultipartWriter(boundary: boundary).body(of: encoded)
            return (body, "multipart/form-data; boundary=\(boundary)")
        }
    }
}
