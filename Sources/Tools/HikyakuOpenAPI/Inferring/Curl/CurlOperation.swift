/// An operation of an API's document that is made of a cURL line, without any value of the line.
struct CurlOperation {
    private(set) var operation: APIOperation
    let server: Server
    /// The name of the request.
    let name: String
    private(set) var schemas: [NamedSchema] = []
    private(set) var notes: [CurlLine.Note]
    /// Takes what is wrong with samples.
    let findings = Findings(countMax: 100)
    /// The ids of the models that the request names, in the order in which one reads them.
    private(set) var firstTypes: [String] = []

    private let line: CurlLine
    private let choices: RequestInference.Choices
    private let loader: (String) -> [UInt8]?
    private let url: CurlURL
    private let path: CurlPath
    private var fields = CurlFields()
    private var query: [(name: String, value: String?)]
    private var used: Set<String>
    /// The kind of body of a form whose fields are not known, so that the whole of it is given.
    private var formKind: BodyPlan.Kind?
    /// Whether the body requests a stream: `"stream": true`.
    private var requestsStream = false

    init(
        _ line: CurlLine,
        _ choices: RequestInference.Choices,
        _ loader: @escaping (String) -> [UInt8]?,
    ) throws(InferenceFailure) {
        (self.line, self.choices, self.loader) = (line, choices, loader)
        url = try CurlURL(line.url ?? "")
        try Self.checkCount(url.segments.count, "segments of the path")
        try Self.checkCount(line.fields.count, "header fields")
        let method = try Self.method(of: line)
        path = CurlPath(url)
        name = choices.name ?? path.requestName(method)
        used = [name]
        server = Server(
            url: path.base,
            variables: [],
            extensions: [],
            position: SourcePosition(),
        )
        operation = APIOperation(
            method: method,
            path: path.template,
            id: name,
            tags: ["requests"],
            isDeprecated: false,
            parameters: path.parameters,
            responses: [],
            security: [],
            servers: [],
            callbacks: [],
            extensions: [],
            position: SourcePosition(),
            pointer: "#/request",
        )
        (notes, query) = (url.notes, url.items)
        fields.add(line.fields)
        if line.hasUser || url.hasUser { fields.credential(".basic(user: user, password: password)") }
        if line.hasBearer { fields.credential(".bearer(token)") }
        if line.hasCookie {
            note(
                "the line has a cookie, which is not in the code",
                "ClientOptions(cookies: MemoryCookieStore()) keeps cookies; '.apiKey(value, in: .cookie(name))' sends one",
            )
        }
        notes += fields.notes
    }

    /// The method: that of the line, or the one that curl uses for what the line has.
    private static func method(of line: CurlLine) throws(InferenceFailure) -> String {
        if let method = line.method {
            let isToken =
                !method.isEmpty && method.utf8.allSatisfy { 0x41...0x5A ~= $0 & 0xDF || $0 == UInt8(ascii: "-") }
            guard isToken else { throw InferenceFailure("the method of --request is not a word of letters") }
            return method.uppercased()
        }
        if line.isHead { return "HEAD" }
        if line.uploadsFile { return "PUT" }
        return !line.isGet && !(line.pieces.isEmpty && line.parts.isEmpty) ? "POST" : "GET"
    }

    // MARK: Results

    /// The provider that authorizes a client for the request.
    var provider: Code? { fields.provider }

    var generatorOptions: GeneratorOptions {
        var options = choices.generator
        options.name = url.serviceName
        var history = NameHistory()
        for schema in schemas { history.types[schema.key.text] = NameHistory.TypeEntry(name: schema.name) }
        options.history = history
        return options
    }

    /// Adds what no document says of a request.
    func finish(_ request: inout RequestPlan, _ environment: String) {
        request.fixedFields = fields.constants
        request.timeout = timeout
        if let formKind { request.body?.kind = formKind }
        if let provider {
            let call: Code = "client.authorized(by: \(provider), for: .\(SwiftName.quoted(environment)))"
            // A longer comment would be cut.
            let isShort = call.utf8Count <= 90
            request.documentation =
                isShort
                ? "Authorized by \(MarkdownText(code: call.text).text)."
                : "Authorized by `.all(…)`, with \(fields.providerCount) providers."
        }
    }

    /// The expression of a `Duration`.
    private var timeout: Code? {
        guard let text = line.timeout, let value = Double(text), value > 0, value < 1e6 else { return nil }
        return Int(exactly: value).map { ".seconds(\($0))" } ?? ".milliseconds(\(Int((value * 1000).rounded(.up))))"
    }

    private mutating func note(_ message: String, _ action: String) {
        notes.append(CurlLine.Note(message: message, action: action))
    }

    // MARK: Bodies

    /// Adds the parameters and the body.
    ///
    /// - Throws: ``InferenceFailure`` if the body should be JSON, and is none.
    mutating func addBody() throws(InferenceFailure) {
        findings.files = ["the body"]
        var reader = CurlBodyReader(loader: loader)
        query += reader.items(of: line.queryPieces)
        if line.isGet {
            query += reader.items(of: line.pieces)
        } else {
            let body = reader.body(of: line, type: fields.contentType)
            if let content = try content(of: body) {
                operation.requestBody = RequestBody(
                    isRequired: true,
                    contents: [content],
                    extensions: [],
                    position: SourcePosition(),
                )
            }
        }
        notes += reader.notes
        try Self.checkCount(query.count, "items of the query")
        let values = CurlQuery(query)
        for name in values.credentials { fields.credential(".apiKey(key, in: .query(\(Literal(name))))") }
        if values.hasNamelessValue { note("an item of the query is only a value", "it is left out") }
        operation.parameters += values.parameters + fields.parameters
        if provider != nil {
            let requirement = SecurityRequirement(scheme: "credential", scopes: [])
            operation.security = [SecurityAlternative(requirements: [requirement])]
        }
    }

    /// More than any request has; the work grows with the square of the count.
    private static let countMax = 500

    private static func checkCount(_ count: Int, _ what: String) throws(InferenceFailure) {
        guard count <= countMax else {
            throw InferenceFailure("the line has \(count) \(what); no more than \(countMax) are read")
        }
    }

    private mutating func content(of body: CurlBody) throws(InferenceFailure) -> MediaType? {
        switch body {
        case .none: return nil
        case .json(let bytes, let type):
            requestsStream = Self.requestsStream(bytes)
            return mediaType(type, try schema(ofBody: bytes, areElements: false))
        case .lines(let bytes, let type):
            var schema = Schema(origin: SchemaOrigin(position: SourcePosition(), pointer: "#/request/lines"))
            schema.types = .array
            schema.items = try self.schema(ofBody: bytes, areElements: true)
            return mediaType(type, schema)
        case .form(let items):
            try Self.checkCount(items.count, "fields of a form")
            return mediaType("application/x-www-form-urlencoded", CurlQuery(items).formSchema)
        case .multipart(let parts):
            try Self.checkCount(parts.count, "parts of a form")
            return try multipart(parts)
        case .text(let type):
            var schema = Schema(origin: SchemaOrigin(position: SourcePosition(), pointer: "#/request/text"))
            schema.types = .string
            // The planner makes fields of a form.
            if MediaTypeName(type).kind == .form { formKind = .text(type) }
            return mediaType(formKind == nil ? type : "text/plain", schema)
        case .bytes(let type):
            if MediaTypeName(type).kind == .form { formKind = .bytes(type) }
            return mediaType(formKind == nil ? type : "application/octet-stream", nil)
        }
    }

    /// Whether a document has a member `stream` that is true, as the chat services of many have it.
    private static func requestsStream(_ bytes: [UInt8]) -> Bool {
        let name = Array("\"stream\"".utf8)
        return bytes.indices.contains { start in
            guard bytes[start] == name[0], bytes[start...].starts(with: name) else { return false }
            let rest = bytes[(start + name.count)...].drop { $0 <= 0x20 }
            guard rest.first == UInt8(ascii: ":") else { return false }
            return rest.dropFirst().drop { $0 <= 0x20 }.starts(with: "true".utf8)
        }
    }

    private func mediaType(_ name: String, _ schema: Schema?) -> MediaType {
        MediaType(
            name: MediaTypeName(name),
            schema: schema,
            encodings: [],
            examples: [],
            extensions: [],
            position: SourcePosition(),
        )
    }

    private mutating func schema(ofBody bytes: [UInt8], areElements: Bool) throws(InferenceFailure) -> Schema {
        let file = SampleFile(path: "the body", bytes: bytes)
        let samples = try SampleReader(limits: choices.limits).samples(of: [file], areElements: areElements)
        return try schema(of: samples, named: name + "Body", isInline: true)
    }

    /// The schema of samples; a model by itself is given as it is, so that its property is not named after it.
    private mutating func schema(
        of samples: [DocumentNode],
        named name: String,
        isInline: Bool,
    ) throws(InferenceFailure) -> Schema {
        let inferred = try InferredSchemas(of: samples, named: name, besides: used, findings)
        used.formUnion(inferred.schemas.map(\.name) + [name])
        schemas += inferred.schemas
        if let subject = inferred.subject { firstTypes.append(subject.text) }
        guard isInline, let key = inferred.root.reference else { return inferred.root }
        return inferred.schemas.first { $0.key == key }?.schema ?? inferred.root
    }

    private mutating func multipart(_ parts: [CurlPart]) throws(InferenceFailure) -> MediaType {
        var schema = Schema(origin: SchemaOrigin(position: SourcePosition(), pointer: "#/request/parts"))
        schema.types = .object
        var content = mediaType("multipart/form-data", nil)
        for (index, part) in parts.enumerated() where !parts[..<index].contains(where: { $0.name == part.name }) {
            let isRepeated = parts.count { $0.name == part.name } > 1
            var value = CurlQuery.schema(of: [nil], name: part.name, at: "#/request/parts/\(index)")
            switch part.content {
            case .file: value.format = "binary"
            case .text(let text):
                value = CurlQuery.schema(of: [text], name: part.name, at: "#/request/parts/\(index)")
            case .json(let bytes):
                let file = SampleFile(path: "the part", bytes: bytes)
                let samples = try SampleReader(limits: choices.limits).samples(of: [file], areElements: false)
                value = try self.schema(of: samples, named: name + SwiftName.part(part.name), isInline: false)
                content.encodings.append(Self.encoding(part.name, "application/json"))
            }
            if isRepeated {
                var list = Schema(
                    origin: SchemaOrigin(position: SourcePosition(), pointer: "#/request/lists/\(index)")
                )
                (list.types, list.items) = (.array, value)
                value = list
            }
            schema.properties.append(
                Schema.Property(name: part.name, isRequired: true, position: SourcePosition(), schema: value)
            )
        }
        content.schema = schema
        return content
    }

    private static func encoding(_ property: String, _ type: String) -> PropertyEncoding {
        PropertyEncoding(
            property: property,
            contentTypes: [type],
            headers: [],
            allowsReserved: false,
            position: SourcePosition(),
        )
    }

    // MARK: Responses

    private static let events = "text/event-stream"

    /// Adds what the request gets.
    ///
    /// - Throws: ``InferenceFailure`` for samples that can't be read.
    mutating func addResponse(_ files: [SampleFile]) throws(InferenceFailure) {
        var content: MediaType?
        let isStream = requestsStream || line.isUnbuffered
        if !files.isEmpty {
            findings.files = files.map(\.path)
            let samples = try SampleReader(limits: choices.limits).samples(of: files, areElements: false)
            var model = choices.responseName ?? path.modelName
            if used.contains(model) { model += "Response" }
            let type = isStream ? Self.events : fields.jsonType
            content = mediaType(type, try schema(of: samples, named: model, isInline: false))
        } else if isStream {
            content = mediaType(Self.events, nil)
            note("the line requests a stream of events", "--response with the data of one event gives it a model")
        } else if operation.method != "DELETE", operation.method != "HEAD" {
            content = mediaType(fields.acceptedType, nil)
            if content?.name.kind == .json {
                note("there is no sample of the response", "it is a JSONValue; --response gives it a model")
            }
        }
        operation.responses = [
            APIResponseDescription(
                status: .range(2),
                headers: [],
                contents: content.map { [$0] } ?? [],
                links: [],
                extensions: [],
                position: SourcePosition(),
            )
        ]
    }
}
