import Foundation

@testable import HikyakuOpenAPI

/// Reads documents of OpenAPI, overlays, paths into documents and configurations, and generates code of what is read.
func checkOpenAPI(_ input: FuzzInput) {
    switch input.choices[0] % 6 {
    case 0 where input.choices[3] & 1 == 1:
        let planted = Planted.document(
            Array(input.document),
            at: Int(input.choices[2]) << 7 | Int(input.choices[3]) >> 1,
        )
        generate(files: [planted], first: "a.json", input)
    case 0: generate(files: parts(of: input.document), first: "a.json", input)
    case 1:
        let files = [Array(overlaid.utf8), Array(input.document)]
        generate(files: files, first: "a.yaml", overlays: ["1.yaml"], input)
    case 2: find(String(decoding: input.document, as: UTF8.self))
    case 3: configure(Array(input.document))
    default: generate(files: parts(of: input.document), first: "a.yaml", input)
    }
}

/// The files of an input: what follows a record separator is the file `1.yaml`, and so on.
private func parts(of document: Data) -> [[UInt8]] {
    document.split(separator: 0x1E, maxSplits: 4, omittingEmptySubsequences: false).map { Array($0) }
}

private struct NoSuchFile: Error {}

private func options(_ files: [[UInt8]], _ first: String) -> ReadingOptions {
    var options = ReadingOptions()
    options.loader = { path in
        if path == first { return files.first ?? [] }
        guard let number = Int(path.prefix { $0 != "." }), files.indices.contains(number) else { throw NoSuchFile() }
        return files[number]
    }
    options.limits.nodesMax = 200_000
    return options
}

/// Generates code, which must have no unclosed literal and no unbalanced brace, and must always be the same.
private func generate(files: [[UInt8]], first: String, overlays: [String] = [], _ input: FuzzInput) {
    var reading = options(files, first)
    reading.overlays = overlays
    let result = APIDocument.read(path: first, options: reading)
    check(result.document != nil || !result.diagnostics.isEmpty, "nothing was read, and nothing says why")
    guard let document = result.document else { return }
    for named in document.schemas { _ = document.merged(named.schema) }
    let options = generatorOptions(input)
    let generated = Generator(options: options).generate(document)
    let paths = generated.files.map { $0.path.lowercased() }
    check(Set(paths).count == paths.count, "two files have one path: \(paths)")
    for file in generated.files {
        check(!file.path.hasPrefix("/") && !file.path.contains(".."), "the path \(file.path) leaves the folder")
        var code = GeneratedCode(file.text)
        if let fault = code.fault() { violation("\(file.path): \(fault)\n\(file.text)") }
    }
    check(result.counts.operations == generated.counts.requests || !options.filters.isEmpty, "an operation is lost")
    if input.choices[1] & 0x80 != 0 {
        let other = Generator(options: options).generate(document)
        check(other.files == generated.files, "the same document gives other code")
        _ = FileMerge(name: "API", count: 3).merged(generated.files)
    }
}

private func generatorOptions(_ input: FuzzInput) -> GeneratorOptions {
    var options = GeneratorOptions()
    options.access = [.internal, .package, .public][input.choice(1, of: 3)]
    if input.choices[1] & 0x10 != 0 {
        options.filters = ["tag:a", "path:/a"].compactMap(GeneratorOptions.Filter.init)
    }
    if input.choices[1] & 0x20 != 0 { (options.name, options.baseURL) = ("Shop", "https://a.example/b") }
    if input.choices[1] & 0x40 != 0 {
        (options.renames, options.typeMap) = (["A": "B", "A.a": "b"], ["date": "Day"])
    }
    return options
}

/// What overlays are applied to.
private let overlaid = """
    openapi: 3.1.0
    info: {title: T, version: '1'}
    tags: [{name: a}, {name: b}]
    paths: {/a: {get: {tags: [a], responses: {'200': {description: ok}}}}}
    components: {schemas: {A: {type: object, properties: {a: {type: string}, b: {type: integer}}}}}
    """

private let overlaidRoot: DocumentNode? = FileStore(
    path: "a.yaml",
    options: options([Array(overlaid.utf8)], "a.yaml"),
    findings: Findings(countMax: 10),
).readFirst()?.node

private func find(_ text: String) {
    guard let path = try? JSONPath(text), let root = overlaidRoot else { return }
    _ = path.locations(in: root, countMax: 1_000)
}

private func configure(_ bytes: [UInt8]) {
    var options = GeneratorOptions()
    _ = options.read(config: "a.yaml") { _ in bytes }
}
