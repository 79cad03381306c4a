import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// MARK: - Uploads

extension Tour {
    private static let uploadedBytes = 900 * 1024

    /// Uploads a file in parts, whose connection breaks once, and shows what was sent.
    func showUpload() async throws {
        output.heading("16. An upload that continues after a cut")
        guard let embedded = service.embedded else {
            return output.line("Left out: Qiita's API has no uploads.")
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "hikyaku-tour-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 0x61, count: Self.uploadedBytes).write(to: file)

        let received = embedded.requestCount
        let call = service.client.call(Qiita.AddFile(file: file.path))
        for await progress in call.progress where progress.direction == .up { output.progress(progress) }
        try await call.value
        output.line("Qiita.AddFile(file:) was sent in parts. The connection broke in the second one:")
        output.fields([
            ("file", "\(Self.uploadedBytes) bytes"),
            ("received", "\(embedded.uploadedFile.count) bytes"),
            ("requests", "\(embedded.requestCount - received)"),
        ])
    }
}
