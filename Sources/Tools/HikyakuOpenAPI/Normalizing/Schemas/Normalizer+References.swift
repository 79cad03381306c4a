extension Normalizer {
    // MARK: Named schemas

    /// Registers the schemas of the components, so that they come first, in their order.
    func registerComponents() {
        let components = resolved(root["components"])?["schemas"]
        let all = map(components, "'schemas'") + map(root["definitions"], "'definitions'")
        // Those that only refer to another file give their names to what is there.
        for (name, _, value) in all { registerAlias(name, value) }
        for (name, _, value) in all {
            let key = SchemaKey(value.location)
            guard aliases[key] == nil, named[key] == nil else { continue }
            guard isUsable(value) else { continue }
            register(key, value, name: name, isComponent: true)
        }
    }

    private func registerAlias(_ name: String, _ component: Cursor) {
        guard isMere(component), let text = component.reference else { return }
        guard let target = mereTarget(of: text, in: component), !isComponent(target.location) else { return }
        let key = SchemaKey(target.location)
        aliases[SchemaKey(component.location)] = key
        guard aliasNames[key] == nil else { return }
        aliasNames[key] = name
        register(key, target, name: name, isComponent: true)
    }

    /// Whether a component can be read; one that refers to itself alone is read as any value.
    private func isUsable(_ component: Cursor) -> Bool {
        guard component.reference != nil, resolver.resolved(component) == nil else { return true }
        let key = SchemaKey(component.location)
        let origin = SchemaOrigin(position: component.position, pointer: component.location)
        add(key, Schema(origin: origin), name: names(of: component.location).first ?? "", isComponent: true)
        return false
    }

    /// The key of the schema that a reference names, which will be read.
    ///
    /// - Returns: `nil` if there is none; a diagnostic says so.
    func key(of text: String, in cursor: Cursor) -> SchemaKey? {
        guard let target = mereTarget(of: text, in: cursor) else { return nil }
        let key = SchemaKey(target.location)
        if let alias = aliases[key] { return alias }
        guard named[key] == nil else { return key }
        guard target.node.object != nil || target.node.bool != nil else {
            let message = "the reference \(text.quoted) leads to \(target.node.kindName), not to a schema"
            report(.unexpectedTarget, cursor, message, action: "it is read as any value")
            return nil
        }
        register(key, target, name: names(of: target.location).first ?? "", isComponent: isComponent(target.location))
        return key
    }

    /// The target of a reference, past targets that only refer to something else and aren't components.
    private func mereTarget(of text: String, in cursor: Cursor) -> Cursor? {
        var (text, current) = (text, cursor)
        var seen: Set<String> = []
        while true {
            guard let target = resolver.target(of: text, in: current) else { return nil }
            guard isMere(target), !isComponent(target.location), let further = target.reference else { return target }
            guard seen.insert(target.location).inserted else {
                report(
                    .referenceCycle,
                    cursor,
                    "the reference \(text.quoted) leads back to itself",
                    action: "it is read as any value",
                )
                return nil
            }
            (current, text) = (target, further)
        }
    }

    /// Whether a schema has nothing but a reference.
    private func isMere(_ cursor: Cursor) -> Bool {
        cursor.node.object?.count == 1 && cursor.reference != nil
    }

    private func isComponent(_ location: String) -> Bool {
        for prefix in ["#/components/schemas/", "#/definitions/"] where location.begins(with: prefix) {
            return !location.utf8.dropFirst(prefix.utf8.count).contains(UInt8(ascii: "/"))
        }
        return false
    }

    private func register(_ key: SchemaKey, _ cursor: Cursor, name: String, isComponent: Bool) {
        add(
            key,
            Schema(origin: SchemaOrigin(position: cursor.position, pointer: cursor.location)),
            name: name,
            isComponent: isComponent,
        )
        queue.append((key, cursor))
    }

    private func add(_ key: SchemaKey, _ schema: Schema, name: String, isComponent: Bool) {
        named[key] = NamedSchema(
            key: key,
            name: name,
            outerNames: names(of: key.text).filter { $0 != name },
            isComponent: isComponent,
            schema: schema,
        )
        order.append(key)
    }

    /// Reads the schemas that references named, and those that these name.
    func readQueue() {
        var index = 0
        while index < queue.count {
            let (key, cursor) = queue[index]
            index += 1
            let schema = schema(cursor)
            named[key]?.schema = schema
        }
        queue = []
    }

    /// The components in the order of the document, and then the others by their keys.
    func namedSchemas() -> [NamedSchema] {
        let all = order.compactMap { named[$0] }
        return all.filter(\.isComponent) + all.filter { !$0.isComponent }.sorted { $0.key < $1.key }
    }

    // MARK: Discriminators

    func discriminator(_ value: Cursor) -> Schema.Discriminator? {
        guard let cursor = resolved(value) else { return nil }
        if let name = cursor.node.string {
            if version != .v2_0 {
                note(
                    .invalidDiscriminator,
                    cursor,
                    "'discriminator' is a string",
                    action: "it is read as a property's name",
                )
            }
            return Schema.Discriminator(propertyName: name, mapping: [], defaultMapping: nil)
        }
        guard cursor.node.object != nil, let name = text(cursor["propertyName"], "'propertyName'") else {
            report(.invalidDiscriminator, cursor, "'discriminator' has no 'propertyName'", action: "it is ignored")
            return nil
        }
        let mapping = map(cursor["mapping"], "'mapping'").compactMap { value, _, target in
            mapped(target).map { (value: value, key: $0) }
        }
        return Schema.Discriminator(
            propertyName: name,
            mapping: mapping,
            defaultMapping: cursor["defaultMapping"].flatMap { mapped($0) },
        )
    }

    /// The schema that a discriminator maps a value to: a reference, or the name of a component.
    private func mapped(_ cursor: Cursor) -> SchemaKey? {
        guard let text = text(cursor, "a mapping") else { return nil }
        let component = SchemaKey("#/components/schemas/" + Pointer.escaped(text))
        if let alias = aliases[component] { return alias }
        if named[component] != nil { return component }
        guard text.has("#") || text.has("/") || text.has(".") else {
            report(
                .invalidDiscriminator,
                cursor,
                "no component is called \(text.quoted)",
                action: "the value is not mapped",
            )
            return nil
        }
        return key(of: text, in: cursor)
    }
}
