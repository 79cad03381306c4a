/// A call that an API offers.
package struct APIOperation: Sendable {
    /// The method in capitals: `GET`, `QUERY`, or one of `additionalOperations` as it is written there.
    package var method: String
    package var path: PathTemplate
    /// The `operationId`, if there is one; not necessarily unique, and any text.
    package var id: String?
    package var tags: [String]
    package var summary: String?
    package var description: String?
    package var isDeprecated: Bool
    /// Those of the path and of the operation, in this order; one of the operation replaces its namesake of the path.
    ///
    /// Each variable of the path has one.
    package var parameters: [Parameter]
    package var requestBody: RequestBody?
    /// In the order of the document.
    package var responses: [APIResponseDescription]
    /// The alternatives of authorization, with the document's where the operation has none of its own.
    ///
    /// It is empty if no authorization is needed. An alternative without requirements means that it is optional.
    package var security: [SecurityAlternative]
    /// The operation's or the path's own servers; empty if those of the document apply.
    package var servers: [Server]
    package var callbacks: [Callback]
    package var extensions: [DocumentMember]
    package var position: SourcePosition
    /// The file, if it is not the first one, and the JSON Pointer.
    package var pointer: String
}

/// A path with variables.
package struct PathTemplate: Sendable, Hashable {
    /// A part of a path.
    package enum Part: Sendable, Hashable {
        case literal(String)
        case variable(String)
    }

    /// The path as the document writes it: `/pets/{id}`.
    package var text: String
    package var parts: [Part]

    package var variables: [String] {
        parts.compactMap { if case .variable(let name) = $0 { name } else { nil } }
    }
}

/// Requests that the service sends to the app because of an operation.
package struct Callback: Sendable {
    package var name: String
    /// The URL as a runtime expression: `{$request.body#/url}`.
    package var expression: String
    package var operations: [APIOperation]
}

/// Requests that the service sends to the app by itself.
package struct Webhook: Sendable {
    package var name: String
    package var operations: [APIOperation]
}

/// A parameter of an operation.
package struct Parameter: Sendable {
    /// Where it is sent.
    package enum Location: String, Sendable, Hashable {
        case path, query, header, cookie
        /// The whole query string, encoded by the parameter's ``Parameter/content`` (3.2).
        case querystring
    }

    /// How its value is written.
    package enum Style: String, Sendable, Hashable {
        case simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject
        /// `tsv` of 2.0.
        case tabDelimited
        /// `cookie` of 3.2: pairs with a semicolon and a space between them, without percent-encoding.
        case cookie
    }

    package var name: String
    package var location: Location
    package var style: Style
    package var isExploded: Bool
    package var allowsReserved: Bool
    package var allowsEmptyValue: Bool
    package var isRequired: Bool
    package var isDeprecated: Bool
    package var description: String?
    /// The schema of the value; that of ``content`` if the value is encoded by a media type.
    package var schema: Schema
    /// How the value is encoded, if by a media type.
    package var content: MediaType?
    package var examples: [NamedExample]
    /// The name of the component that it is, if operations share it.
    package var componentName: String?
    /// Whether the document doesn't declare it: a variable of a path without a parameter.
    package var isImplied: Bool
    package var extensions: [DocumentMember]
    package var position: SourcePosition
}
