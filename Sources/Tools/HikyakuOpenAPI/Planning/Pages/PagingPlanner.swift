/// Finds the operations whose responses are pages of a list.
struct PagingPlanner {
    private let types: TypePlanner
    private let findings: Findings
    private let options: GeneratorOptions
    private let places: ResponsePlaces

    init(_ types: TypePlanner, _ plans: [TypePlan]) {
        self.types = types
        (findings, options, places) = (types.findings, types.options, ResponsePlaces(plans))
    }

    /// An operation with what its request has.
    private struct List {
        var operation: APIOperation
        var parameters: [ParameterPlan]
        var response: SwiftType
        var items: ItemsPlan

        func parameter(_ key: String) -> ParameterPlan? {
            parameters.first { $0.key == key && $0.place != .path && $0.place != .body }
        }
    }

    func plan(_ operation: APIOperation, _ request: RequestPlan) -> PagingPlan? {
        let rule = rule(for: operation)
        if let rule, rule.kind == .none { return nil }
        guard case .decoded(let response) = request.result, !response.isOptional,
            let items = items(in: response, rule?.items)
        else {
            if rule != nil { reject(operation, "its response has no list of items") }
            return nil
        }
        let list = List(operation: operation, parameters: request.parameters, response: response, items: items)
        if let rule {
            let plan = declared(rule, list)
            if plan == nil { reject(operation, "the parameter or the member is not in its request or response") }
            return plan
        }
        guard operation.method == "GET" || operation.method == "QUERY" else { return nil }
        return linked(list) ?? byLinkField(list) ?? recognized(list)
    }

    private func rule(for operation: APIOperation) -> PageRule? {
        if let id = operation.id, let rule = options.pages[id] { return rule }
        if let rule = options.pages["\(operation.method) \(operation.path.text)"] { return rule }
        if let node = operation.extensions.first(where: { $0.key == "x-hikyaku-pages" })?.value {
            guard let rule = PageRule(node) else {
                let message = "'x-hikyaku-pages' is neither link, none nor an object of texts"
                findings.warn(.unknownValue, at: node.position, message, action: "it is ignored")
                return nil
            }
            return rule
        }
        guard let node = operation.extensions.first(where: { $0.key == "x-ms-pageable" })?.value else { return nil }
        guard let next = node["nextLinkName"]?.string else { return nil }
        return PageRule(.url, next: [next], items: node["itemName"]?.string.map { [$0] })
    }

    private func reject(_ operation: APIOperation, _ reason: String) {
        findings.warn(
            .notGenerated,
            at: operation.position,
            "\((operation.id ?? operation.path.text).quoted) is declared as pages, but \(reason)",
            action: "it is an ordinary request",
        )
    }

    // MARK: Items

    private func items(in type: SwiftType, _ keys: [String]?) -> ItemsPlan? {
        if case .array = places.resolved(type) { return keys == nil || keys == [] ? ItemsPlan() : nil }
        guard case .model(let id) = places.resolved(type) else { return nil }
        func plan(_ place: ResponsePlace?) -> ItemsPlan? {
            guard let place, case .array(let element) = places.resolved(place.type) else { return nil }
            return ItemsPlan(model: id, path: place.path, element: element, isOptional: place.isOptional)
        }
        let properties = places.properties(of: type)
        // The page has a property of that name.
        guard !properties.contains(where: { $0.name == "pageItems" }) else { return nil }
        if let keys { return plan(places.place(at: keys, in: type)) }
        let lists = properties.map { places.place($0, in: nil) }.filter { plan($0) != nil }
        if lists.count == 1 { return plan(lists[0]) }
        for word in PageWords.items {
            if let place = lists.first(where: { $0.keys == [word] }) { return plan(place) }
        }
        return nil
    }

    // MARK: Declared

    private func declared(_ rule: PageRule, _ list: List) -> PagingPlan? {
        let next = rule.next.flatMap { places.place(at: $0, in: list.response) }
        let parameter = rule.parameter.flatMap(list.parameter)
        let more = rule.more.flatMap { places.place(at: $0, in: list.response) }
        if rule.more != nil, more?.type != .standard("Bool") { return nil }
        switch rule.kind {
        case .none: return nil
        case .link: return PagingPlan(function: ".link", items: list.items)
        case .url: return next.flatMap { url($0, list) }
        case .cursor: return next.flatMap { next in parameter.flatMap { cursor($0, next, list, more) } }
        case .number, .offset: return parameter.flatMap { counted(rule.kind, $0, list, more) }
        }
    }

    /// A link of the response to the same operation, with one parameter from the response.
    private func linked(_ list: List) -> PagingPlan? {
        let links = list.operation.responses.filter(\.status.isSuccess).flatMap(\.links).filter { link in
            if let id = link.operationID { return id == list.operation.id }
            return link.operationReference.map { list.operation.pointer.hasSuffix($0.drop { $0 == "#" }) } ?? false
        }
        for link in links where link.parameters.count == 1 {
            guard let member = link.parameters.first, let source = member.value.string else { continue }
            let key = member.key.split(separator: ".", maxSplits: 1).last.map(String.init) ?? member.key
            guard let parameter = list.parameter(key) ?? list.parameter(member.key) else { continue }
            if source.hasPrefix("$response.body#/") {
                let keys = source.dropFirst(16).split(separator: "/").map(String.init)
                guard let next = places.place(at: keys, in: list.response) else { continue }
                if let plan = cursor(parameter, next, list, nil) { return plan }
            } else if source.hasPrefix("$response.header."), parameter.type == .optional(.text) {
                let name = Literal(String(source.dropFirst(17)))
                return PagingPlan(
                    function: ".cursor",
                    arguments: [Self.property(parameter)],
                    closure: "$0.headers[\(name)]",
                    items: list.items,
                )
            }
        }
        return nil
    }

    private func byLinkField(_ list: List) -> PagingPlan? {
        let headers = list.operation.responses.filter(\.status.isSuccess).flatMap(\.headers)
        guard headers.contains(where: { $0.name.lowercased() == "link" }) else { return nil }
        let known = PageWords.sizes.union(PageWords.numbers).union(PageWords.offsets).union(PageWords.cursors.keys)
        guard list.parameters.contains(where: { $0.place == .query && known.contains(PageWords.plain($0.key)) }) else {
            return nil
        }
        return PagingPlan(function: ".link", items: list.items)
    }

    // MARK: Recognized

    private func recognized(_ list: List) -> PagingPlan? {
        let all = places.all(in: list.response)
        let more = all.first { PageWords.more.contains($0.keys.last ?? "") && $0.type == .standard("Bool") }
        let query = list.parameters.filter { $0.place == .query }
        for parameter in query {
            if let plan = recognizedCursor(parameter, all, more, list) {
                return noted(plan, list, "the cursor \(parameter.key.quoted)")
            }
        }
        let hasPosition = query.contains {
            let word = PageWords.plain($0.key)
            return PageWords.numbers.contains(word) || PageWords.offsets.contains(word)
                || PageWords.sizes.contains(word)
                || PageWords.cursors[word] != nil || PageWords.lastIDs.contains(word)
        }
        if hasPosition, let next = all.first(where: isURL), let plan = url(next, list) {
            return noted(plan, list, "the URL in \(next.keys.joined(separator: ".").quoted)")
        }
        return recognizedNumber(query, all, more, list)
    }

    private func recognizedCursor(
        _ parameter: ParameterPlan,
        _ all: [ResponsePlace],
        _ more: ResponsePlace?,
        _ list: List,
    ) -> PagingPlan? {
        let word = PageWords.plain(parameter.key)
        for key in PageWords.cursors[word] ?? [] {
            guard let next = all.first(where: { $0.keys.last == key && !isURL($0) }) else { continue }
            if let plan = cursor(parameter, next, list, nil) { return plan }
        }
        guard PageWords.lastIDs.contains(word), let more else { return nil }
        if let last = all.first(where: { $0.keys == ["lastid"] }) { return cursor(parameter, last, list, more) }
        guard let element = list.items.element, list.items.model != nil,
            let id = places.properties(of: element).first(where: { $0.key == "id" }),
            .optional(id.type) == parameter.type
        else { return nil }
        let mark: Code = list.items.isOptional ? "?" : ""
        let last = ResponsePlace(
            path: "\(list.items.path)\(mark).last?.\(SwiftName.bare(id.name))",
            type: id.type,
            isOptional: true,
            keys: [],
        )
        return cursor(parameter, last, list, more)
    }

    private func recognizedNumber(
        _ query: [ParameterPlan],
        _ all: [ResponsePlace],
        _ more: ResponsePlace?,
        _ list: List,
    ) -> PagingPlan? {
        // With a position of another kind, a number is hardly enough.
        let hasOther =
            all.contains { $0.keys.last?.hasPrefix("next") == true && $0.type != parameterType(query) }
            || query.contains { parameter in
                let word = PageWords.plain(parameter.key)
                return ["token", "cursor", "marker"].contains { word.contains($0) }
            }
        guard !hasOther else { return nil }
        let hasSize = query.contains { PageWords.sizes.contains(PageWords.plain($0.key)) }
        for parameter in query {
            let word = PageWords.plain(parameter.key)
            let kind: PageRule.Kind =
                PageWords.numbers.contains(word) ? .number : PageWords.offsets.contains(word) ? .offset : .none
            guard kind != .none, hasSize || more != nil else { continue }
            let total = all.first { PageWords.totals.contains($0.keys.last ?? "") }
            guard let plan = counted(kind, parameter, list, more, kind == .number ? total : nil) else { continue }
            return noted(plan, list, "the \(kind == .number ? "number" : "offset") \(parameter.key.quoted)")
        }
        return nil
    }

    /// The type of the parameter that has a number.
    private func parameterType(_ query: [ParameterPlan]) -> SwiftType? {
        query.first { PageWords.numbers.contains(PageWords.plain($0.key)) }?.type.withoutOptional
    }

    private func noted(_ plan: PagingPlan, _ list: List, _ way: String) -> PagingPlan {
        let operation = list.operation
        let message = "\((operation.id ?? operation.path.text).quoted) has pages that are requested by \(way)"
        let action = "it is a PagedRequest; 'x-hikyaku-pages: none', or 'pages' of a configuration, changes that"
        findings.add(.note, .recognizedPages, at: operation.position, message, action: action)
        return plan
    }

    private func isURL(_ place: ResponsePlace) -> Bool {
        guard let key = place.keys.last, PageWords.urls.contains(key) else { return false }
        // Only that of `links.next`, not that of the page itself.
        if key == "href", place.keys.dropLast().last != "next" { return false }
        if place.type == .standard("URL") { return true }
        guard place.type == .text else { return false }
        if key.hasSuffix("url") || key.hasSuffix("link") || key.hasSuffix("href")
            || key.hasSuffix("uri")
        {
            return true
        }
        if place.keys.dropLast().last == "links" { return true }
        let words = SwiftName.words(of: place.documentation ?? "").map { $0.lowercased() }
        return words.contains { ["url", "uri", "link", "href"].contains($0) }
    }

    // MARK: Ways

    private static func property(_ parameter: ParameterPlan) -> Code { "\\.\(SwiftName.quoted(parameter.name))" }

    private func url(_ next: ResponsePlace, _ list: List) -> PagingPlan? {
        guard next.type == .text || next.isOptional && next.type == .standard("URL") else { return nil }
        return PagingPlan(function: ".link", arguments: ["in: \\.\(next.path)"], items: list.items)
    }

    private func cursor(
        _ parameter: ParameterPlan,
        _ next: ResponsePlace,
        _ list: List,
        _ more: ResponsePlace?,
    ) -> PagingPlan? {
        let known: [SwiftType] = [.text, .standard("Int"), .standard("Int64")]
        guard parameter.type.isOptional, parameter.type.withoutOptional == next.type, known.contains(next.type) else {
            return nil
        }
        var plan = PagingPlan(function: ".cursor", arguments: [Self.property(parameter)], items: list.items)
        if let more {
            let condition: Code = more.isOptional ? "$0.value.\(more.path) == true" : "$0.value.\(more.path)"
            plan.closure = "\(condition) ? $0.value.\(next.path) : nil"
        } else if next.isOptional {
            plan.arguments.append("in: \\.\(next.path)")
        } else {
            plan.closure = "$0.value.\(next.path)"
        }
        return plan
    }

    private func counted(
        _ kind: PageRule.Kind,
        _ parameter: ParameterPlan,
        _ list: List,
        _ more: ResponsePlace?,
        _ total: ResponsePlace? = nil,
    ) -> PagingPlan? {
        guard case .standard(let type) = parameter.type.withoutOptional else { return nil }
        guard parameter.type.isOptional ? ["Int", "Int32", "Int64"].contains(type) : type == "Int" else { return nil }
        let usual = kind == .number ? 1 : 0
        let first = first(parameter, list.operation) ?? usual
        var arguments = [Self.property(parameter)]
        if first != usual, parameter.type.isOptional { arguments.append("from: \(first)") }
        let name = SwiftName.quoted(parameter.name)
        let property: Code = parameter.type.isOptional ? "$0.\(name) ?? \(first)" : "$0.\(name)"
        var closure: Code?
        if let more {
            closure = more.isOptional ? "$1.value.\(more.path) == false" : "!$1.value.\(more.path)"
        } else if let total, total.type == parameter.type.withoutOptional, first == 1 {
            let number: Code = parameter.type.isOptional ? "(\(property))" : property
            let last: Code = total.isOptional ? "($1.value.\(total.path) ?? .max)" : "$1.value.\(total.path)"
            closure = "\(number) >= \(last)"
        }
        return PagingPlan(
            function: ".\(SwiftName.bare(kind.rawValue))",
            arguments: arguments,
            closure: closure,
            items: list.items,
        )
    }

    /// The position of the first page, as the document says it.
    private func first(_ parameter: ParameterPlan, _ operation: APIOperation) -> Int? {
        guard let schema = operation.parameters.first(where: { $0.name == parameter.key })?.schema else { return nil }
        let resolved = types.resolved(schema)
        return resolved.defaultValue?.scalarText.flatMap { Int($0) }
            ?? resolved.constraints?.minimum.flatMap { Int($0) }.flatMap { $0 == 0 ? 0 : nil }
    }
}
