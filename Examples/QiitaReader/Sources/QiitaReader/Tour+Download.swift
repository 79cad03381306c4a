import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// MARK: - Files

extension Tour {
    /// Downloads a file over a connection that is cut, and shows what was requested.
    func showDownload() async throws {
        output.heading("14. A download that goes on after a cut")
        guard let embedded = service.embedded else {
            return output.line("Left out: the real service has no file to download.")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "QiitaReader-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "items.csv").path(percentEncoded: false)

        embedded.cutNextExport()
        let file = try await service.client.send(Qiita.Export(destination: .resumable(at: path)))
        let requests = embedded.exportRanges.map { $0.map { "Range: \($0)" } ?? "the whole file, which was cut" }
        output.line("Qiita.Export(destination: .resumable(at: …/items.csv)) → \(file.count) bytes")
        output.fields(requests.enumerated().map { ("request \($0 + 1)", $1) })
    }
}
