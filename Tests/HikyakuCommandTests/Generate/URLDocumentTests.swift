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
