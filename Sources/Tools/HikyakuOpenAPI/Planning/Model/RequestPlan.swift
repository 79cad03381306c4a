/// A generated request.
package struct RequestPlan: Sendable {
    package enum Access: Sendable {
        case `public`, authorized, authorizedIfPossible
    }

    /// How the response is read.
    package enum Result: Sendable, Hashable {
        case nothing
        case decoded(SwiftType)
        case text
        case stream
        case events(SwiftType)
        /// Values in JSON one after another, as lines.
        case lines(SwiftType)
        /// Several types by status, as an enum.
        case statuses(name: String, [StatusCase])

        /// The types that are read.
        var types: [SwiftType] {
            switch self {
            case .nothing, .text, .stream: []
            case .decoded(let type), .events(let type), .lines(let type): [type]
            case .statuses(_, let cases): cases.flatMap(\.result.types)
            }
        }
    }

    package struct StatusCase: Sendable, Hashable {
        package var name: String
        /// A status, or a range of them: `200`, `200...299`.
        package var status: Code
        package var result: Result
    }

    package var name: String
    package var method: String
    package var documentation: String?
    package var isDeprecated = false
    package var access = Access.public
    package var scopes: [String] = []
    /// What authorizes it, in words, if that is not what most requests have.
    package var authorization: String?
    /// Required ones first.
    package var parameters: [ParameterPlan] = []
    /// The path as a string literal with interpolations.
    package var path: Code
    /// Items of the query that are always sent, as they are written in a dictionary.
    package var fixedItems: [Code] = []
    /// Header fields that are always sent, beside ``accepted``.
    package var fixedFields: [(name: String, value: String)] = []
    /// The expression of the duration that a call may take.
    package var timeout: Code?
    package var body: BodyPlan?
    package var result: Result
    /// The media type of a response in JSON, if it is a special one.
    package var accepted: String?
    /// The failure, if the request protocol doesn't fix it.
    package var failure: String?
    /// Identifies the operation: the method and path.
    package var id: String
    /// The URL of the operation's own server.
    package var server: String?
    /// The type of the events that the service may send instead of the response.
    package var events: SwiftType?
    /// The data of the event that ends a stream.
    package var terminator: String?
    /// How the next page is requested, if the response is a page.
    package var paging: PagingPlan?
    /// The name of the type of the response's fields.
    package var headers: String?
    /// Whether the document calls the operation as Swift does.
    package var isExact = false
    /// Whether the user chose the name.
    package var isChosen = false

    static func id(of operation: APIOperation) -> String { "\(operation.method) \(operation.path.text)" }
}

/// A property of a request.
package struct ParameterPlan: Sendable {
    package enum Place: Sendable {
        case path, query, header, cookie, body
    }

    package var name: String
    /// The name on the wire.
    package var key: String
    package var place: Place
    package var type: SwiftType
    package var form = ValueForm()
    package var documentation: String?
    package var isDeprecated = false
    /// The only allowed value, as an expression.
    package var defaultValue: Code?

    package var isRequired: Bool { !type.isOptional && defaultValue == nil }

    /// What distinguishes it from the other parameters of a request.
    var identity: String { "\(place) \(key)" }
}

/// The body of a request.
package struct BodyPlan: Sendable {
    package enum Kind: Sendable {
        case json, form([FieldPlan]), multipart([FieldPlan]), text(String), bytes(String)
        /// A form whose items are the members of a value.
        case encodedForm
        /// Values in JSON one after another, of a media type, as lines.
        case lines(String)
        /// A case of an enum for each of several media types.
        indirect case choice([BodyChoice])
    }

    package var kind: Kind
    /// The property that holds it, if it is one.
    package var property: String?
    package var isRequired: Bool
    /// The media type of JSON, if it is a special one.
    package var mediaType: String?
    /// The property that has the media type of bytes, if the document leaves it to the caller.
    package var typeProperty: String?
}

/// A case of the body of a request that may have several media types.
package struct BodyChoice: Sendable {
    package var name: String
    package var mediaType: String
    package var body: BodyPlan
    /// What the case has: a value, or the fields of a form.
    package var parameters: [ParameterPlan]
}

/// A field of a form or a part of a multipart body.
package struct FieldPlan: Sendable {
    package enum Kind: Sendable {
        /// An item of a form.
        case item(ValueForm)
        /// A part, or several, that the caller makes.
        case parts
        /// A part with a text, of a media type.
        case value(String?)
        /// A part in JSON.
        case json
    }

    package var name: String
    package var key: String
    package var type: SwiftType
    package var kind: Kind
    /// Whether each element of a list is a part of its own.
    package var isRepeated = false
    /// The property that has the part's header fields, and whether it may be `nil`.
    package var headers: String?
    package var hasOptionalHeaders = true
}
