extension Normalizer {
    /// Diagnoses what contradicts itself in `allOf`.
    func reportConflicts(in document: APIDocument) {
        var merge = SchemaMerge(document, effortMax: document.workMax.merges)
        // What operations share is only checked once.
        var seen: Set<String> = []
        for named in document.schemas { check(named.schema, &merge, 0) }
        for operation in document.operations { check(operation, &merge, &seen) }
        for webhook in document.webhooks {
            for operation in webhook.operations { check(operation, &merge, &seen) }
        }
        if merge.isSpent {
            findings.add(
                .note,
                .limitExceeded,
                at: root.position,
                "the schemas have too many parts to search all of them for contradictions",
                action: "the first part is used in each case",
            )
        }
        for conflict in merge.conflicts {
            findings.warn(.conflictingParts, at: conflict.position, conflict.message, action: conflict.action)
        }
    }

    private func check(_ operation: APIOperation, _ merge: inout SchemaMerge, _ seen: inout Set<String>) {
        let contents = (operation.requestBody?.contents ?? []) + operation.responses.flatMap(\.contents)
        var schemas = operation.parameters.map(\.schema)
        for content in contents { schemas += [content.schema, content.itemSchema].compactMap(\.self) }
        for schema in schemas where seen.insert(schema.origin.pointer).inserted { check(schema, &merge, 0) }
    }

    // The depth of a schema is limited; that of merged ones is limited here.
    private func check(_ schema: Schema, _ merge: inout SchemaMerge, _ depth: Int) {
        guard depth < 100, merge.take(1) else { return }
        if !schema.allOf.isEmpty || schema.hasSiblings {
            let merged = merge.merged(schema)
            for property in merged.properties where property.schema.allOf.count > 1 && depth < 8 {
                _ = merge.merged(property.schema)
            }
        }
        for property in schema.properties { check(property.schema, &merge, depth + 1) }
        for part in schema.allOf { check(part, &merge, depth + 1) }
        for part in schema.oneOf { check(part, &merge, depth + 1) }
        for part in schema.anyOf { check(part, &merge, depth + 1) }
        if let items = schema.items { check(items, &merge, depth + 1) }
        if case .schema(let values) = schema.additionalProperties { check(values, &merge, depth + 1) }
    }

    /// Notes components that nothing refers to: only schemas are a part of the model without it.
    func reportUnusedComponents() {
        let components = resolved(root["components"])
        let kinds: [(Cursor?, Set<String>)] = [
            (components?["parameters"] ?? root["parameters"], Set(parameters.keys)),
            (components?["responses"] ?? root["responses"], usedResponses),
            (components?["requestBodies"], Set(bodies.keys)),
            (components?["headers"], Set(headers.keys)),
        ]
        for (cursor, used) in kinds {
            guard let cursor else { continue }
            for member in map(cursor, "the components") where !member.key.hasPrefix("x-") {
                guard !used.contains(member.value.location), member.value.reference == nil else { continue }
                // A body of 2.0 is kept by its operations.
                if isBodyOfSwagger(member.value.node["in"]?.string ?? "") { continue }
                findings.add(
                    .note,
                    .unusedComponent,
                    at: member.keyPosition,
                    "nothing refers to the component \(member.key.quoted)",
                    action: "it is left out",
                )
            }
        }
    }
}
