import Foundation
import HikyakuGenerate
import HikyakuMockServer
import HikyakuOpenAPI
import TestSupport
import Testing

@testable import HikyakuCommand

@Suite struct URLDocumentTests {
    private static let schemas = #"{"Dish": {"type": "object", "properties": {"price": {"type": "integer"}}}}"#

    /// A document whose schema is at a URL.
    private static func document(_ reference: String) -> String {
        """
        {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://shop.example.com"}],
        "paths": {"/dishes": {"get": {"operationId": "listDishes", "tags": ["dishes"], "responses": {"200": {
        "description": "ok", "content": {"application/json": {"schema": {"$ref": "\(reference)"}}}}}}}}}
        """
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func generate(_ document: String, _ words: String...) async throws -> String {
        let output = folder.appending(path: "API").path
        try await HikyakuCommand.run(["generate", document, "--output", output, "--quiet"] + words)
        return try String(contentsOfFile: output + "/Shop+Models.swift", encoding: .utf8)
    }

    @Test func referencesToURLsAreLoadedIfTheyAreAllowed() async throws {
        let server = try MockServer { request in
            request.pathSegments == ["schemas.json"] ? .json(Self.schemas) : .status(.notFound)
        }
        defer { server.stop() }
        let file = folder.appending(path: "api.json")
        try Data(Self.document("\(server.baseURL)/schemas.json#/Dish").utf8).write(to: file)
        _ = try? await generate(file.path)
        #expect(server.requests.isEmpty)
        let models = try await generate(file.path, "--allow-urls")
        #expect(models.contains("var price: Int?"))
    }
}

extension URLDocumentTests {
    /// Loads URLs on a thread that may wait, one after another, and returns why they failed.
    private func failures(_ urls: [String], limits: URLDocuments.Limits) async -> [String?] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let documents = URLDocuments(limits: limits)
                let reasons = urls.map { url -> String? in
                    do throws(LoadingFailure) { _ = try documents.bytes(of: url) } catch { return error.reason }
                    return nil
                }
                continuation.resume(returning: reasons)
            }
        }
    }

    @Test func sizeNumberAndTimeAreLimited() async throws {
        let server = try MockServer { request in
            switch request.pathSegments.first {
            case "large": .json(String(repeating: " ", count: 2_000) + "{}")
            case "slow": .raw([.stall])
            case "none": .status(.notFound)
            default: .json("{}")
            }
        }
        defer { server.stop() }
        let limits = URLDocuments.Limits(urlsMax: 3, bytesMax: 1_000)
        let urls = ["small", "large", "none", "small"].map { "\(server.baseURL)/\($0)" }
        let reasons = await failures(urls, limits: limits)
        #expect(reasons.count == 4)
        #expect(reasons[0] == nil)
        #expect(reasons[1] != nil)
        #expect(reasons[2]?.contains("404") == true)
        #expect(reasons[3] == "a run loads at most 3 URLs")
        // The shorter time is for this one alone: on a busy machine, the others may take longer.
        let slow = await failures(["\(server.baseURL)/slow"], limits: URLDocuments.Limits(timeout: .milliseconds(300)))
        #expect(slow[0] != nil)
        let late = await failures(urls, limits: URLDocuments.Limits(totalTime: .zero))
        #expect(late.allSatisfy { $0?.hasPrefix("the URLs took longer than") == true })
    }

    @Test(arguments: ["file:///etc/hosts", "ftp://a.example/b", "https:", "data:,x"])
    func otherURLsAreNotLoaded(_ url: String) async {
        #expect(await failures([url], limits: URLDocuments.Limits()) == ["only http and https are loaded"])
    }
}
