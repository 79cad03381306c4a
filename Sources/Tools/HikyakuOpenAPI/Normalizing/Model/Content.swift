/// The body of a request.
package struct RequestBody: Sendable {
    package var isRequired: Bool
    package var description: String?
    /// The media types that the service accepts, in the order of the document.
    package var contents: [MediaType]
    /// The name of the component that it is, if operations share it.
    package var componentName: String?
    package var extensions: [DocumentMember]
    package var position: SourcePosition
}

/// A response of an operation.
package struct APIResponseDescription: Sendable {
    /// The statuses that it is for.
    package enum Status: Sendable, Hashable {
        case code(Int)
        /// The first digit: 4 for `4XX`.
        case range(Int)
        case `default`
    }

    package var status: Status
    package var description: String?
    package var headers: [ResponseHeader]
    /// The media types of the body, in the order of the document; empty if there is no body.
    package var contents: [MediaType]
    package var links: [Link]
    /// The name of the component that it is, if operations share it.
    package var componentName: String?
    package var extensions: [DocumentMember]
    package var position: SourcePosition
}

/// A field of a response or of a part of a multipart body.
package struct ResponseHeader: Sendable {
    package var name: String
    package var isRequired: Bool
    package var isDeprecated: Bool
    package var isExploded: Bool
    package var description: String?
    package var schema: Schema
    /// How the value is encoded, if by a media type.
    package var content: MediaType?
    package var componentName: String?
    package var position: SourcePosition
}

/// Another operation whose parameters a response has.
package struct Link: Sendable {
    package var name: String
    package var operationID: String?
    package var operationReference: String?
    package var parameters: [DocumentMember]
    package var description: String?
}

/// A body in a media type, with its schema.
package struct MediaType: Sendable {
    package var name: MediaTypeName
    /// `nil` if the document has none: any content.
    package var schema: Schema?
    /// The schema of each element of a stream, of an array or of a multipart body (3.2's `itemSchema`).
    package var itemSchema: Schema?
    package var encodings: [PropertyEncoding]
    package var examples: [NamedExample]
    package var extensions: [DocumentMember]
    package var position: SourcePosition
}

/// How a property of a form or of a multipart body is written.
package struct PropertyEncoding: Sendable {
    package var property: String
    /// The media types that the part may have.
    package var contentTypes: [String]
    package var headers: [ResponseHeader]
    package var style: Parameter.Style?
    package var isExploded: Bool?
    package var allowsReserved: Bool
    package var position: SourcePosition
}

/// An example with its name.
package struct NamedExample: Sendable {
    package var name: String?
    package var summary: String?
    package var value: DocumentNode
}

/// A media type or range: `application/vnd.github+json; charset=utf-8`.
package struct MediaTypeName: Sendable, Hashable {
    /// What a body of the media type is.
    package enum Kind: Sendable, Hashable {
        case json, form, multipart, text, xml, eventStream
        /// Values one after another: `application/jsonl` and its like.
        case jsonLines
        /// Any type by `*/*`, or any bytes.
        case any, binary
    }

    /// As the document writes it.
    package var text: String
    /// Type and subtype in lower case, without parameters.
    package var essence: String
    package var kind: Kind

    /// Whether its structure is left to the caller, who gets bytes: XML, and JSON text sequences (RFC 7464).
    package var isLeftAsBytes: Bool { kind == .xml || essence.hasSuffix("json-seq") }
}
