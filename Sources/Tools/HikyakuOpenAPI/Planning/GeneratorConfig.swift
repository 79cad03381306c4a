import HikyakuBase

extension GeneratorOptions {
    /// Reads a configuration in YAML or JSON into the options.
    ///
    /// ```yaml
    /// name: Petstore
    /// access: public
    /// baseURL: https://petstore.example.com
    /// filter: ['tag:pets']
    /// imports: [Money]
    /// types: {money: Money.Amount, date: CalendarDay}
    /// pages: {listPets: {parameter: after, next: meta.next_cursor}, listStores: none}
    /// names: {Error: PetstoreError, Pet.user_name: owner, listPets: All}
    /// document: openapi.yaml
    /// overlays: [corrections.yaml]
    /// output: Sources/PetstoreAPI
    /// allowURLs: true
    /// closedEnums: [PetStatus]
    /// synthesizedEquality: all
    /// checkScopes: true
    /// fake: true
    /// ```
    /// Paths are relative to the folder of the configuration.
    /// - Returns: What is wrong with it; empty if nothing is.
    package mutating func read(config path: String, loader: ReadingOptions.Loader? = nil) -> [Diagnostic] {
        let findings = Findings(countMax: 100)
        var reading = ReadingOptions()
        reading.loader = loader
        let store = FileStore(path: path, options: reading, findings: findings)
        if let root = store.readFirst()?.node {
            if let members = root.object {
                let folder = FilePath.folder(of: path)
                for member in members where !files.take(member, folder: folder, findings) { take(member, findings) }
            } else {
                findings.add(.error, .unexpectedType, at: root.position, "a configuration is an object", action: "")
            }
        }
        return findings.sorted()
    }

    /// The members of a configuration, apart from those of ``Files``.
    private enum Member: String, CaseIterable {
        case name, modelsModule, baseURL, access, imports, filter, closedEnums, synthesizedEquality, types, names, pages
        case checkScopes, fake
    }

    private mutating func take(_ member: DocumentMember, _ findings: Findings) {
        let value = member.value
        func reject(_ text: String) {
            findings.add(.error, .unknownValue, at: value.position, "\(member.key.quoted) \(text)", action: "")
        }
        switch Member(rawValue: member.key) {
        case .name: if let text = value.string { name = text } else { reject("takes a text") }
        case .modelsModule:
            guard let text = value.string, Code.isModule(text) else {
                return reject("takes the name of a module\(Self.instead(value))")
            }
            modelsModule = text
        case .baseURL:
            guard let text = value.string, Self.isBaseURL(text) else {
                return reject("takes a URL of http or https\(Self.instead(value))")
            }
            baseURL = text
        case .access:
            guard let access = value.string.flatMap(Access.init) else {
                let known = Access.allCases.map(\.rawValue)
                return reject("takes internal, package or public" + Self.question(about: value.string ?? "", known))
            }
            self.access = access
        case .imports:
            for text in Self.texts(value) {
                guard let module = Code(module: text) else {
                    return reject("takes names of modules, not \(text.quoted)")
                }
                imports.append(module)
            }
        case .filter:
            for text in Self.texts(value) {
                guard let filter = Filter(text) else { return reject("takes tag:…, path:… or operation:…") }
                filters.append(filter)
            }
        case .closedEnums: closedEnums.formUnion(Self.texts(value))
        case .synthesizedEquality: synthesizedEquality.formUnion(Self.texts(value))
        case .checkScopes:
            if let checks = value.bool { checksScopes = checks } else { reject("takes true or false") }
        case .fake:
            if let makes = value.bool { makesFake = makes } else { reject("takes true or false") }
        case .types:
            for (key, text) in Self.map(value) {
                guard let type = Code(type: text) else { return reject("takes types of Swift, not \(text.quoted)") }
                typeMap[key] = type
            }
        case .names:
            let names = Self.map(value)
            if let text = names.values.filter({ !SwiftName.isName($0) }).min() {
                return reject("takes names of Swift, not \(text.quoted)")
            }
            renames.merge(names) { _, new in new }
        case .pages:
            for member in value.object ?? [] {
                guard let rule = PageRule(member.value) else {
                    return reject("takes link, none, or an object with parameter, next, items and more")
                }
                pages[member.key] = rule
            }
        case nil:
            let known = Member.allCases.map(\.rawValue) + Files.Member.allCases.map(\.rawValue)
            let text = "there is no option \(member.key.quoted)\(Self.question(about: member.key, known))"
            findings.add(.error, .unknownValue, at: member.keyPosition, text, action: "")
        }
    }

    private static func question(about word: String, _ known: [String]) -> String {
        Spelling.suggestion(for: word, among: known).map { ": did you mean \($0.quoted)?" } ?? ""
    }

    /// `, not "…"`, if there is a text.
    private static func instead(_ value: DocumentNode) -> String { value.string.map { ", not \($0.quoted)" } ?? "" }

    private static func texts(_ value: DocumentNode) -> [String] {
        value.array?.compactMap(\.scalarText) ?? value.scalarText.map { [$0] } ?? []
    }

    private static func map(_ value: DocumentNode) -> [String: String] {
        let pairs = (value.object ?? []).compactMap { member in member.value.scalarText.map { (member.key, $0) } }
        return Dictionary(pairs) { _, last in last }
    }
}
