/// All that is generated from a document, with names.
package struct Plan: Sendable {
    /// The name of the API: of its namespace, its request protocol and its environments.
    package var name: String
    /// A line about the API.
    package var summary: String?
    /// Sorted by name.
    package var types: [TypePlan] = []
    /// Sorted by name.
    package var groups: [GroupPlan] = []
    package var environments: [EnvironmentPlan] = []
    /// The failure that the request protocol fixes; `nil` if there is none, or more than one.
    package var failure: String?
    package var failures: [FailurePlan] = []
    /// How calls are authorized, in the order of the document.
    package var security: [SecurityPlan] = []
    /// Sorted by name.
    package var headers: [HeadersPlan] = []
    package var payloads: [PayloadsPlan] = []
    /// The models that are pages, with their items, sorted by name.
    package var pages: [ItemsPlan] = []
    /// The names of types by their ids.
    package var typeNames: [String: String] = [:]
    /// The names that the next run is to keep.
    package var history = NameHistory()
    /// What was done for it.
    package var work = Work()
}

/// A generated type.
package struct TypePlan: Sendable {
    package enum Kind: Sendable {
        case object([PropertyPlan], others: OthersPlan?)
        /// A set of values.
        case values(rawType: Code, [ValuePlan])
        case tuple(TuplePlan)
        case union(UnionPlan)
        case alias(SwiftType)
    }

    /// Identifies the type: the pointer of its schema.
    package var id: String
    package var name: String
    package var kind: Kind
    package var position = SourcePosition()
    package var documentation: String?
    package var isDeprecated = false
    /// Whether a user creates values, for a request.
    package var isCreated = false
    /// Whether an enum must be indirect.
    package var isIndirect = false
    /// Whether a set of values has no other ones.
    package var isClosed = false
    /// Whether the compiler synthesizes `==` and `hash(into:)`.
    package var isCompared = false
}

/// A property of a generated type.
package struct PropertyPlan: Sendable {
    package var name: String
    /// The key in documents.
    package var key: String
    package var type: SwiftType
    package var documentation: String?
    package var isDeprecated = false
    /// Whether its value is stored outside of the type, since it may contain another value of the type.
    package var isBoxed: Bool { boxName != nil }
    /// The name of the property that has the box.
    package var boxName: String?
    /// Whether it has only one value.
    package var isConstant = false
    /// Whether only the service writes it.
    package var isReadOnly = false
    /// Whether the service never sends it.
    package var isWriteOnly = false
    /// Whether each document has it.
    package var isRequired = false
    /// Whether documents have it also without a value, as null.
    package var isNullable: Bool { isRequired && allowsNull }
    /// Whether it is left out of the bodies of requests.
    package var isLeftOut = false
    /// Whether the initializer has no default for it, though it is optional.
    package var hasNoDefault = false
    /// Whether its value may be null.
    package var allowsNull = false
    /// The document's default, or its only value.
    package var defaultNode: DocumentNode?
    /// The default in Swift, which the initializer shows.
    package var defaultValue: Code?
    /// Whether a missing member is the default.
    package var isDefaulted = false
}

/// An array whose elements have types of their own.
package struct TuplePlan: Sendable {
    package var elements: [PropertyPlan]
    /// The elements after these, if there may be any.
    package var others: OthersPlan?
    /// How many elements each document has at least.
    package var countMin: Int
}

/// The members of an object that no property is for.
package struct OthersPlan: Sendable {
    package var name: String
    package var type: SwiftType
}

/// A known value of an open set.
package struct ValuePlan: Sendable {
    package var name: String
    /// The literal.
    package var literal: Code
    package var documentation: String?
}

/// A type with a case for each of several schemas.
package struct UnionPlan: Sendable {
    /// The key whose text says which case it is.
    package var discriminator: String?
    /// Whether the discriminator may be a number or a boolean.
    package var hasLiteralTags = false
    package var cases: [UnionCasePlan]
    /// Whether it is an alternative of another union, which tries it.
    package var isNested = false
}

/// A case of a union.
package struct UnionCasePlan: Sendable {
    package var name: String
    package var type: SwiftType
    /// The texts of the discriminator.
    package var tags: [String] = []
    /// The kind of the value in JSON, if it is known.
    package var kind: JSONKind?
    /// The keys that each object has.
    package var requiredKeys: [String] = []
    /// The keys that an object may have.
    package var keys: [String] = []
    /// The texts of members that have one text only.
    package var fixedTexts: [String: String] = [:]
    /// Whether the type is a union itself.
    package var isUnion = false
    /// The text of the discriminator that is written, since the type has no property for it.
    package var writtenTag: String?
    /// Whether it is for objects whose discriminator has no known text.
    package var isFallback = false
}

/// The kinds of values in JSON.
package enum JSONKind: String, Sendable, Hashable {
    case object, array, string, number, boolean
}

/// A namespace for requests.
package struct GroupPlan: Sendable {
    package var name: String
    package var documentation: String?
    package var requests: [RequestPlan]
}

/// A place of the service.
package struct EnvironmentPlan: Sendable {
    /// A part of the URL that the caller may choose.
    package struct Variable: Sendable {
        package var name: String
        /// The enum of its allowed values; `nil` if it is any text.
        package var type: String?
        package var values: [ValuePlan]
        /// The expression.
        package var defaultValue: Code
        /// What the default is in the URL.
        package var defaultText: String
        package var documentation: String?
    }

    package enum URLPart: Sendable, Hashable {
        case text(String)
        /// An index of ``variables``.
        case variable(Int)
    }

    package var name: String
    /// The URL, as texts and names of variables.
    package var url: [URLPart]
    package var variables: [Variable]
    package var documentation: String?
}

/// A way to authorize calls.
package struct SecurityPlan: Sendable {
    /// The function of a provider, and the placement of its token.
    package struct Provider: Sendable {
        package var name: String
        /// The expression of a `CredentialPlacement`.
        package var placement: Code
        package var documentation: String?
    }

    /// What an app needs for OAuth 2.0 or OpenID Connect.
    package struct Endpoints: Sendable {
        package var name: String
        /// Names and URLs.
        package var urls: [(name: String, url: String)]
        package var scopes: [ValuePlan]
    }

    package var documentation: String
    package var provider: Provider?
    package var endpoints: Endpoints?
}

/// The models of what the service sends by itself.
package struct PayloadsPlan: Sendable {
    package struct Payload: Sendable {
        package var name: String
        package var type: SwiftType
        package var documentation: String?
    }

    package var name: String
    package var documentation: String
    package var types: [Payload]
}

/// The typed fields of responses.
package struct HeadersPlan: Sendable, Hashable {
    /// A field with its property.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var key: String
        package var type: SwiftType
        package var documentation: String?
        package var isDeprecated = false
    }

    package var name: String
    package var fields: [Field]
}

/// The error of a set of responses.
package struct FailurePlan: Sendable {
    /// Types with the statuses that they are declared for.
    package typealias Statuses = [SwiftType: Set<APIResponseDescription.Status>]

    package var name: String
    /// The types, in the order in which they are tried where their statuses don't distinguish them.
    package var types: [SwiftType]
    package var statuses: Statuses
    /// The names of the cases; empty if the only type conforms itself.
    package var cases: [String] = []
}
