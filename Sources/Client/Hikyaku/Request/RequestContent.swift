import HikyakuBase
import HikyakuHTTP

// It is not generic, which costs less.
extension CallInformation {
    /// Adds the content: a body, or parameters if the method has a body.
    // A consumed request is not copied when it is returned, unlike a variable.
    func filled(
        _ built: consuming HTTPRequest,
        _ body: RequestBody?,
        _ parameters: RequestQuery?,
        by core: ClientCore,
    ) throws(TransportError) -> HTTPRequest {
        var body = body
        if let parameters {
            guard body == nil else {
                throw RequestCause.bodyAndParameters.error(
                    "the request has both a body and parameters that would become its body"
                )
            }
            // Rejects a value that neither a query nor JSON can represent, by its name.
            _ = try QueryWriter.text(of: parameters, encoding: .unreserved)
            body = .json(try RequestParameters(parameters))
        }
        guard let body else { return consume built }
        try body.check(built.method)
        let content = try body.content(by: choices.encoder ?? core.parts.options.encoder)
        built.body = content.body
        if let own = built.headers[.contentType] {
            if own != content.type { built.headers[.contentType] = try contentType(own, of: content.type) }
        } else {
            built.headers[.contentType] = content.type
        }
        for coding in content.codings { built.headers.append(.contentEncoding, coding.name) }
        if content.expectsContinue, content.body.count != 0, !built.headers.contains(.expect) {
            built.headers[.expect] = "100-continue"
        }
        if let upload = content.upload { self.upload = try UploadSession(upload, of: content.body) }
        return consume built
    }

    /// The `Content-Type` of a body beside which the request or its environment sets one.
    @inline(never)
    private func contentType(_ own: String, of type: String) throws(TransportError) -> String {
        // An environment can't know the bodies of all its requests.
        let isCommon = own == environment.headers[.contentType]
        if isCommon, !MediaType(own).isKind(of: MediaType(type)) { return type }
        if let both = MediaType(own).describing(MediaType(type), written: (own, type)) { return both }
        if isCommon { return type }
        let (written, ofBody) = (MediaType(own).essence, MediaType(type).essence)
        throw RequestCause.contentType.error(
            "Content-Type is \(Redaction.printable(written, scalarsMax: 100)), but the body is \(ofBody)"
        )
    }
}

extension MediaType {
    /// The field for a body whose own type is another one; `nil` if both can't be true.
    ///
    /// A type is usually more exact than that of the body: `application/vnd.api+json`. Only a body with a boundary, or
    /// a form, is what it is.
    ///
    /// - Parameters:
    ///   - other: The body's type.
    ///   - written: This type and the body's as they are written.
    /// - Returns: What is sent.
    fileprivate func describing(_ other: MediaType, written: (own: String, other: String)) -> String? {
        let (own, other) = (self, other)
        if other.isMultipart {
            guard own.isMultipart, let boundary = other.parameter("boundary") else { return nil }
            guard let ownBoundary = own.parameter("boundary") else { return "\(written.own); boundary=\(boundary)" }
            return ownBoundary == boundary ? written.own : nil
        }
        if other.isForm || own.isForm { return own.essence == other.essence ? written.own : nil }
        if other.isJSON, own.isXML { return nil }
        // Bytes may be parts that the app has written itself.
        return own.isMultipart && own.parameter("boundary") == nil ? nil : written.own
    }

    private var isMultipart: Bool { essence.hasBytePrefix("multipart/") }
    private var isForm: Bool { essence == "application/x-www-form-urlencoded" }
    private var isJSON: Bool { essence == "application/json" || essence.hasByteSuffix("+json") }
    private var isXML: Bool { essence.hasByteSuffix("/xml") || essence.hasByteSuffix("+xml") }

    /// Whether it is the same type, or one of the same syntax.
    fileprivate func isKind(of other: MediaType) -> Bool {
        essence == other.essence || isJSON && other.isJSON || isXML && other.isXML || isMultipart && other.isMultipart
    }
}
