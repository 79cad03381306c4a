extension OperationPlanner {
    /// A property of the request for each field of a form.
    func fields(_ content: MediaType, _ body: RequestBody, _ owner: String) -> (BodyPlan, [ParameterPlan])? {
        let isMultipart = content.name.kind == .multipart
        if isMultipart, content.name.essence != "multipart/form-data", content.name.essence != "multipart/*" {
            let message = "the body is \(content.name.text)"
            findings.warn(.notGenerated, at: content.position, message, action: "it is sent as multipart/form-data")
        }
        let schema = content.schema.map { types.resolved($0) }
        guard let schema, !schema.properties.isEmpty, types.takeMembers(schema.memberTexts, at: schema)
        else {
            return wholeForm(content, body, owner)
        }
        var (fields, parameters): ([FieldPlan], [ParameterPlan]) = ([], [])
        for property in schema.properties where !property.schema.isReadOnly {
            let encoding = content.encodings.first { $0.property == property.name }
            let name = wish(owner, rank: 3).appending(property.name, property.name, "body \(property.name)")
            let type = written(types.type(of: property.schema, named: name))
            var field = FieldPlan(name: SwiftName.member(property.name), key: property.name, type: type, kind: .json)
            if isMultipart { setPart(&field, property, encoding) } else { setItem(&field, property, encoding) }
            if !property.isRequired || !body.isRequired { field.type = field.type.asOptional }
            created(field.type)
            parameters.append(
                ParameterPlan(
                    name: field.name,
                    key: "requestBody/" + property.name,
                    place: .body,
                    type: field.type,
                    documentation: types.line(property.schema.description),
                    isDeprecated: property.schema.isDeprecated,
                )
            )
            if encoding?.allowsReserved == true {
                note(property, "allows reserved characters", "they are percent-encoded")
            }
            if let encoding, !encoding.headers.isEmpty { setHeaders(&field, encoding, isMultipart, &parameters) }
            fields.append(field)
        }
        if case .schema = schema.additionalProperties {
            let message = "the form has further fields of any name"
            findings.warn(.notGenerated, at: content.position, message, action: "only the declared ones are sent")
        }
        noteUnusedEncodings(content, schema)
        let kind: BodyPlan.Kind = isMultipart ? .multipart(fields) : .form(fields)
        return (BodyPlan(kind: kind, isRequired: body.isRequired), parameters)
    }

    /// A form of a schema without properties: the members of a value, or whatever the caller gives.
    private func wholeForm(
        _ content: MediaType,
        _ body: RequestBody,
        _ owner: String,
    ) -> (BodyPlan, [ParameterPlan])? {
        let isMultipart = content.name.kind == .multipart
        if !isMultipart, let schema = content.schema {
            let own = body.componentName.map { NameWish($0, rank: 3) } ?? wish(owner, rank: 3)
            let name = own.appending("Body", "requestBody")
            var type = withoutSecrets(types.type(of: schema, named: name))
            if shape(of: type) == .object || !type.models.isEmpty && shape(of: type) == .other {
                created(type)
                if !body.isRequired { type = type.asOptional }
                let parameter = ParameterPlan(name: "content", key: "requestBody", place: .body, type: type)
                return (BodyPlan(kind: .encodedForm, property: "content", isRequired: body.isRequired), [parameter])
            }
        }
        let message = "the form has no properties"
        findings.warn(.notGenerated, at: content.position, message, action: "its fields are given as they are sent")
        let type = SwiftType.standard(isMultipart ? "[MultipartPart]" : "RequestQuery")
        let parameter = ParameterPlan(name: "fields", key: "requestBody", place: .body, type: type)
        let kind: BodyPlan.Kind = isMultipart ? .multipart([]) : .form([])
        return (BodyPlan(kind: kind, property: "fields", isRequired: true), [parameter])
    }

    // MARK: Items of a form

    private func setItem(_ field: inout FieldPlan, _ property: Schema.Property, _ encoding: PropertyEncoding?) {
        let shape = shape(of: field.type)
        if isJSON(encoding) {
            field.kind = .item(ValueForm(kind: .json))
            return
        }
        let style = encoding?.style
        if shape == .object, style == nil {
            // The usual media type of an object.
            field.kind = .item(ValueForm(kind: .json))
            return
        }
        if shape == .other, style == nil {
            if case .array(let element) = field.type.withoutOptional {
                let message = "is a list of \(Self.plural(element)) without a style"
                note(property, message, "each is written with the field's name")
            }
            field.kind = .item(ValueForm(kind: .encoded(nil)))
            return
        }
        let isExploded = encoding?.isExploded ?? ((style ?? .form) == .form)
        field.kind = .item(ValueForm(kind: itemKind(field.type, style ?? .form, isExploded)))
    }

    // MARK: Parts

    private func setPart(_ field: inout FieldPlan, _ property: Schema.Property, _ encoding: PropertyEncoding?) {
        let base = field.type.withoutOptional
        let contentType = encoding?.contentTypes.first
        if base == .standard("Data") || base == .array(.standard("Data")) {
            field.isRepeated = base != .standard("Data")
            field.type = .standard(field.isRepeated ? "[MultipartPart]" : "MultipartPart")
            field.kind = .parts
            if let encoding, let contentType {
                let kinds =
                    encoding.contentTypes.count == 1 ? contentType : "one of \(encoding.contentTypes.count) types"
                note(property, "is \(kinds)", "the caller gives the part its media type")
            }
            return
        }
        if isJSON(encoding) { return }
        let isWhole = encoding?.style != nil && encoding?.isExploded == false
        switch shape(of: base) {
        case .component, .scalar: field.kind = .value(valueType(encoding, property))
        case .list:
            field.kind = .value(valueType(encoding, property))
            field.isRepeated = !isWhole
            if isWhole, encoding?.style != .form {
                note(property, "has a style of queries", "it is separated by commas")
            }
        case .object, .other:
            if case .array = base { field.isRepeated = true }
            if encoding?.style != nil { note(property, "is an object with a style of queries", "it is sent as JSON") }
            if let contentType { note(property, "is \(contentType)", "it is sent as JSON") }
        }
    }

    /// The media type of a text, if the document gives exactly one.
    private func valueType(_ encoding: PropertyEncoding?, _ property: Schema.Property) -> String? {
        guard let encoding, let first = encoding.contentTypes.first else { return nil }
        guard encoding.contentTypes.count == 1, !first.contains("*") else {
            note(property, "may have several media types", "it is sent without one")
            return nil
        }
        return first
    }

    /// A property of the request for the header fields of a part.
    private func setHeaders(
        _ field: inout FieldPlan,
        _ encoding: PropertyEncoding,
        _ isMultipart: Bool,
        _ parameters: inout [ParameterPlan],
    ) {
        let names = encoding.headers.map(\.name).joined(separator: ", ")
        func note(_ action: String) {
            let message = "the field \(encoding.property.quoted) has the header fields \(names)"
            findings.add(.note, .notGenerated, at: encoding.position, message, action: action)
        }
        guard isMultipart else { return note("a form has none") }
        if case .parts = field.kind { return note("the caller adds them to the part") }
        let isOptional = field.type.isOptional || !encoding.headers.contains(where: \.isRequired)
        let type = SwiftType.standard("HTTPHeaders")
        let name = SwiftName.member(encoding.property + " headers")
        (field.headers, field.hasOptionalHeaders) = (name, isOptional)
        parameters.append(
            ParameterPlan(
                name: name,
                key: "requestBody/" + encoding.property + "/headers",
                place: .body,
                type: isOptional ? type.asOptional : type,
                documentation: Documentation.line("The header fields of the part: \(names)"),
            )
        )
    }

    // MARK: Findings

    private func isJSON(_ encoding: PropertyEncoding?) -> Bool {
        encoding?.contentTypes.first.map { MediaTypeName($0).kind == .json } ?? false
    }

    private func note(_ property: Schema.Property, _ message: String, _ action: String) {
        let message = "the field \(property.name.quoted) \(message)"
        findings.add(.note, .notGenerated, at: property.position, message, action: action)
    }

    private func noteUnusedEncodings(_ content: MediaType, _ schema: Schema) {
        for encoding in content.encodings where !schema.properties.contains(where: { $0.name == encoding.property }) {
            let message = "the encoding is for \(encoding.property.quoted), which is not a property"
            findings.warn(.notGenerated, at: encoding.position, message, action: "it is ignored")
        }
    }

    /// Takes over the names that the parameters were given.
    func renameFields(_ plan: inout BodyPlan, _ parameters: [ParameterPlan]) {
        let names = Dictionary(parameters.filter { $0.place == .body }.map { ($0.key, $0.name) }) { first, _ in first }
        func renamed(_ fields: [FieldPlan]) -> [FieldPlan] {
            fields.map { field in
                var field = field
                field.name = names["requestBody/" + field.key] ?? field.name
                field.headers = field.headers.map { names["requestBody/" + field.key + "/headers"] ?? $0 }
                return field
            }
        }
        switch plan.kind {
        case .form(let fields): plan.kind = .form(renamed(fields))
        case .multipart(let fields): plan.kind = .multipart(renamed(fields))
        case .json, .text, .bytes, .encodedForm, .lines, .choice: break
        }
    }
}
