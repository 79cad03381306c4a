import Foundation

@testable import HikyakuOpenAPI

/// Makes models of samples, and requests of cURL lines, as they are pasted from anywhere.
func checkSamples(_ input: FuzzInput) {
    switch input.choices[0] % 3 {
    case 0: makeModel(input)
    case 1: makeRequest(String(decoding: input.document, as: UTF8.self), input)
    default: makeRequest(words: input)
    }
}

extension FuzzInput {
    fileprivate var generatorOptions: GeneratorOptions {
        var options = GeneratorOptions()
        options.access = [.internal, .package, .public][choice(1, of: 3)]
        return options
    }

    fileprivate var isDirect: Bool { choices[1] & 0x10 != 0 }
}

/// What no code and no message may show; no input has it by chance.
private let secret = "S3same0pen7341"

/// Code ends no literal and no comment, has the same braces, and shows no value.
private func inOrder(_ text: String, _ isPlanted: Bool) {
    var code = GeneratedCode(text)
    if let fault = code.fault() { violation("\(fault)\n\(text)") }
    if isPlanted { check(!text.contains(secret), "the code shows a value:\n\(text)") }
}

/// A message is one line, and shows no value.
private func inOrder(_ message: String) {
    check(!message.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a message has a control character: \(message)")
    check(!message.contains(secret), "a message shows a value: \(message)")
}

private func makeModel(_ input: FuzzInput) {
    let isPlanted = input.choices[2] & 1 == 1
    var bytes = [UInt8](input.document)
    guard !String(decoding: bytes, as: UTF8.self).contains(secret) else { return }
    if input.choices[2] & 4 != 0 { bytes = Planted.document(bytes, at: Int(input.choices[3])) }
    if isPlanted { bytes = Array("{\"password\":\"\(secret)\",\"more\":".utf8) + bytes + Array("}".utf8) }
    let files = bytes.split(separator: 0x1E, maxSplits: 3, omittingEmptySubsequences: false).enumerated().map {
        SampleFile(path: "\($0.offset).json", bytes: Array($0.element))
    }
    let inference = ModelInference(name: "Item", options: input.generatorOptions, isDirect: input.isDirect)
    do throws(InferenceFailure) {
        let result = try inference.models(of: files)
        inOrder(result.text, isPlanted)
        check(result.typeCount > 0 && result.sampleCount > 0, "models of nothing")
        for diagnostic in result.diagnostics { inOrder(diagnostic.message) }
        if input.choices[2] & 2 != 0 {
            check(try inference.models(of: files).text == result.text, "the same samples have other models")
        }
    } catch {
        inOrder(error.message)
        check(!error.message.isEmpty && error.message.utf8.count <= 2_400, "a message: \(error.message)")
    }
}

private func makeRequest(_ text: String, _ input: FuzzInput) {
    guard !text.contains(secret) else { return }
    let starts = [
        "", "curl ", "curl https://a.example/v1/items?a=b ",
        "curl -u 'me:\(secret)' -H 'Authorization: Bearer \(secret)' https://a.example/v1/items ",
        "curl 'https://a.example/items/7?token=\(secret)' -b 'sid=\(secret)' ",
        "curl https://a.example/items -d 'password=\(secret)&' -H 'X-Api-Key: \(secret)' ",
    ]
    let start = starts[input.choice(2, of: starts.count)]
    made(input) { inference, responses throws(InferenceFailure) in
        try inference.request(line: start + text, responses: responses)
    }
}

private func makeRequest(words input: FuzzInput) {
    let words = input.document.split(separator: 0x0A, maxSplits: 40).map {
        String(decoding: $0, as: UTF8.self).replacing("\u{1}", with: Planted.text)
    }
    guard !words.contains(where: { $0.contains(secret) }) else { return }
    let starts = [[], ["curl", "https://a.example/v1/items"], ["curl", "-u", "me:\(secret)", "https://a.example/a"]]
    made(input) { inference, responses throws(InferenceFailure) in
        try inference.request(words: starts[input.choice(2, of: 3)] + words, responses: responses)
    }
}

private func made(
    _ input: FuzzInput,
    _ make: (RequestInference, [SampleFile]) throws(InferenceFailure) -> RequestInference.Result,
) {
    var choices = RequestInference.Choices()
    (choices.generator, choices.isDirect) = (input.generatorOptions, input.isDirect)
    if input.choices[3] & 1 != 0 { choices.environment = "shop" }
    let inference = RequestInference(choices) { _ in Array(#"{"a":1}"#.utf8) }
    let response = SampleFile(path: "r.json", bytes: Array(#"{"id":1,"name":"a"}"#.utf8))
    do throws(InferenceFailure) {
        let result = try make(inference, input.choices[3] & 2 != 0 ? [response] : [])
        inOrder(result.text, true)
        check(result.text.contains(": APIRequest {"), "no request:\n\(result.text)")
        check(ModelInference.isName(result.name), "\(result.name) is not a name")
        inOrder(result.provider?.text ?? "")
        for diagnostic in result.diagnostics {
            inOrder(diagnostic.message)
            inOrder(diagnostic.action)
        }
    } catch {
        inOrder(error.message)
        check(!error.message.isEmpty && error.message.utf8.count <= 2_400, "a message: \(error.message)")
    }
}
