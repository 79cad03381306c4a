/// Divides what is planned into files.
struct FileRenderer {
    let plan: Plan
    let options: GeneratorOptions
    /// What the files say about the document.
    let origin: String
    /// A file with more types is halved, so that one has about 40.
    private static let typesMax = 80

    init(_ plan: Plan, _ options: GeneratorOptions, origin: String) {
        (self.plan, self.options, self.origin) = (plan, options, origin)
    }

    func files() -> [GeneratedFile] {
        var files = [GeneratedFile(path: plan.name + ".swift", code: apiFile())]
        let models = ModelRenderer(plan, options)
        for (label, types) in Self.divided(plan.types) {
            var text = SourceText()
            for type in types { models.render(type, to: &text) }
            let folder = label.isEmpty ? "" : "Models/"
            let path = "\(folder)\(plan.name)+Models\(label).swift"
            files.append(GeneratedFile(path: path, code: file(text), isOfModels: true))
        }
        let requests = RequestRenderer(plan, options)
        for group in plan.groups {
            var text = SourceText()
            requests.render(group, to: &text)
            let name = group.name.hasSuffix("API") ? String(group.name.dropLast(3)) : group.name
            let path = "Requests/\(name)+Requests.swift"
            files.append(GeneratedFile(path: path, code: file(text, modules: modules(of: text))))
        }
        return Self.distinct(files + partFiles())
    }

    /// Not every disk distinguishes capitals from small letters.
    private static func distinct(_ files: [GeneratedFile]) -> [GeneratedFile] {
        var used: Set<String> = []
        return files.map { file in
            var file = file
            let whole = file.path
            file.path = shortened(whole)
            while !used.insert(file.path.lowercased()).inserted {
                file.path = String(file.path.dropLast(6)) + SwiftName.suffix(whole) + ".swift"
            }
            return file
        }
    }

    /// The path with a file name that every disk has room for: 255 bytes, or as many UTF-16 units.
    private static func shortened(_ path: String) -> String {
        guard path.utf8.count > pathBytesMax, path.hasSuffix(".swift") else { return path }
        var scalars = path.unicodeScalars.dropLast(6)
        while scalars.reduce(0, { $0 + UTF8.width($1) }) > pathBytesMax { scalars.removeLast() }
        return String(Substring(scalars)) + SwiftName.suffix(path) + ".swift"
    }

    private static let pathBytesMax = 200

    /// Types by the beginnings of their names: a file that has too many is halved, so that a further type never moves
    /// those of other files.
    private static func divided(_ types: [TypePlan]) -> [(String, [TypePlan])] {
        guard types.count > typesMax else { return types.isEmpty ? [] : [("", types)] }
        return halved(types, "", letters).map { ("+" + $0, $1) }
    }

    /// The types whose names go on with one of the letters after a beginning.
    private static func halved(
        _ types: [TypePlan],
        _ beginning: String,
        _ range: Range<Int>,
    ) -> [(String, [TypePlan])] {
        guard types.count > typesMax, beginning.count < 40 else {
            return types.isEmpty ? [] : [(label(beginning, range), types)]
        }
        guard range.count > 1 else {
            let next = beginning + letter(range.lowerBound, isCapital: beginning.isEmpty)
            return range.lowerBound == 0 ? [(label(beginning, range), types)] : halved(types, next, letters)
        }
        let middle = (range.lowerBound + range.upperBound) / 2
        let count = beginning.count
        let first = types.filter { letterIndex(of: $0.name, at: count) < middle }
        let second = types.filter { letterIndex(of: $0.name, at: count) >= middle }
        return halved(first, beginning, range.lowerBound..<middle)
            + halved(second, beginning, middle..<range.upperBound)
    }

    /// Places for the end of a name, for the digits and letters, and for all others.
    private static let letters = 0..<38
    private static let digits = 1...10

    private static func letterIndex(of name: String, at count: Int) -> Int {
        guard let character = name.dropFirst(count).first else { return 0 }
        guard let value = character.lowercased().unicodeScalars.first?.value, value >= 0x30 else { return 0 }
        if value <= 0x39 { return Int(value) - 0x30 + digits.lowerBound }
        guard value > 0x60 else { return 0 }
        return value < 0x7B ? Int(value) - 0x61 + digits.upperBound + 1 : letters.upperBound - 1
    }

    private static func letter(_ index: Int, isCapital: Bool) -> String {
        if digits.contains(index), !isCapital { return String(index - digits.lowerBound) }
        let place = max(digits.upperBound + 1, min(letters.upperBound - 2, index)) - digits.upperBound - 1
        let letter = String(UnicodeScalar(UInt8(0x61 + place)))
        return isCapital ? letter.uppercased() : letter
    }

    private static func label(_ beginning: String, _ range: Range<Int>) -> String {
        let isCapital = beginning.isEmpty
        let first = range.lowerBound == 0 && !isCapital ? "" : letter(range.lowerBound, isCapital: isCapital)
        let last = letter(range.upperBound - 1, isCapital: isCapital)
        return first == last ? beginning + last : "\(beginning)\(first)-\(beginning)\(last)"
    }

    // MARK: The API's own file

    private func apiFile() -> Code {
        let access = options.access.modifier
        let isPublic = options.access == .public
        var text = SourceText()
        text.document(plan.summary ?? "The API \(plan.name).")
        if !plan.security.isEmpty {
            text.line("///")
            text.line("/// Calls are authorized by:")
            for scheme in plan.security { text.document("- " + scheme.documentation) }
        }
        let failure: Code = plan.failure.map { " where Failure == \(SwiftName.bare($0))" } ?? ""
        text.block("\(access)enum \(SwiftName.bare(plan.name))") { text in
            text.line("/// What all requests of the API share.")
            text.line("\(access)nonisolated protocol Request: APIRequest\(failure) {}")
        }
        guard let first = plan.environments.first else { return file(text, modules: modules(of: text)) }
        text.gap()
        text.block("nonisolated extension \(SwiftName.bare(plan.name)).Request") { text in
            if isPublic { text.line("/// The API's first server.") }
            let call: Code = first.variables.isEmpty ? "" : "()"
            text.line("\(access)var environment: APIEnvironment { .\(SwiftName.quoted(first.name))\(call) }")
        }
        EnvironmentRenderer(plan, options).render(to: &text)
        let responses = ResponseRenderer(plan, options)
        if options.modelsModule == nil { for failure in plan.failures { responses.render(failure, &text) } }
        responses.renderPayloads(to: &text)
        return file(text, modules: modules(of: text))
    }

    /// What the API has beside its models and requests.
    private func partFiles() -> [GeneratedFile] {
        var files: [GeneratedFile] = []
        func add(_ label: String, _ isNeeded: Bool, isOfModels: Bool = false, _ render: (inout SourceText) -> Void) {
            guard isNeeded else { return }
            var text = SourceText()
            render(&text)
            let path = "\(plan.name)+\(label).swift"
            // A conformance alone is not a use of a module in the package's declarations, for the compiler.
            let access = label == "Pages" && options.access == .package ? .internal : options.access
            let content = file(text, modules: isOfModels ? [] : modules(of: text), access: access)
            files.append(GeneratedFile(path: path, code: content, isOfModels: isOfModels))
        }
        let (security, responses) = (SecurityRenderer(plan, options), ResponseRenderer(plan, options))
        add("Authorization", security.isNeeded) { security.render(to: &$0) }
        let fake = FakeRenderer(plan, options)
        add("Fake", fake.isNeeded) { fake.render(to: &$0) }
        add("Headers", !plan.headers.isEmpty) { responses.renderHeaders(to: &$0) }
        // A conformance belongs beside the type.
        add("Pages", !plan.pages.isEmpty, isOfModels: true) { responses.renderPages(to: &$0) }
        add("Failures", options.modelsModule != nil && !plan.failures.isEmpty, isOfModels: true) { text in
            for failure in plan.failures { responses.render(failure, &text) }
        }
        return files
    }

    // MARK: Whole files

    private func file(
        _ body: SourceText,
        modules: [Code] = [],
        access: GeneratorOptions.Access? = nil,
    ) -> Code {
        let prefix = (access ?? options.access).modifier
        var text = SourceText()
        let origin = Comment.cut(origin + ".", to: 80)
        let mark = "Generated by `hikyaku generate` from \(origin) Changes are overwritten."
        for line in Comment(mark, width: text.width).code(.plain) { text.line(line) }
        text.line()
        for module in (options.imports + ["Hikyaku"] + modules).sorted() { text.line("\(prefix)import \(module)") }
        text.line()
        if Self.uses(Self.foundationTypes, body) {
            text.line("#if canImport(FoundationEssentials)")
            text.line("\(prefix)import FoundationEssentials")
            text.line("#else")
            text.line("\(prefix)import Foundation")
            text.line("#endif")
            text.line()
        }
        return "\(text.code)\(body.code)"
    }

    /// The module of the models, if a file uses one of them: an import without use is a warning.
    private func modules(of text: SourceText) -> [Code] {
        guard let module = options.modelsModule else { return [] }
        let names = Set((plan.typeNames.values + plan.failures.map(\.name)).map { Substring($0) })
        return Self.uses(names, text) ? ["\(SwiftName.bare(module))"] : []
    }

    static let foundationTypes: Set<Substring> = ["Date", "URL", "UUID", "Data", "Decimal"]

    /// Whether a declaration has one of the names outside of quotation marks, between which are texts of the document.
    ///
    /// It looks at bytes: characters would take most of the time of a large document.
    static func uses(_ names: Set<Substring>, _ text: SourceText) -> Bool {
        text.lines.contains { code in
            let line = code.text
            guard declarations.contains(where: line.has(text:)), !line.has(text: "///") else { return false }
            var isQuoted = false
            var start: String.Index?
            let bytes = line.utf8
            for index in bytes.indices {
                let byte = bytes[index]
                if !isQuoted, byte >= 0x80 || byte == UInt8(ascii: "_") || isLetterOrDigit(byte) {
                    if start == nil { start = index }
                    continue
                }
                if let first = start, names.contains(line[first..<index]) { return true }
                start = nil
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            }
            return start.map { names.contains(line[$0...]) } ?? false
        }
    }

    private static let declarations: [StaticString] = ["var ", "case ", "typealias ", "protocol "]

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF
    }
}
