/// Media types of files by their names, for those that forms carry most.
enum FileMediaType {
    private static let byExtension = [
        "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html",
        "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
        "m4a": "audio/mp4", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf",
        "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "wav": "audio/wav", "webp": "image/webp",
        "xml": "application/xml", "zip": "application/zip",
    ]

    /// The type of a file of that name; `application/octet-stream` where the name doesn't say.
    static func named(_ filename: String) -> String {
        let parts = filename.byteSplit(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let ending = parts.last?.asciiLowercased else { return "application/octet-stream" }
        return byExtension[ending] ?? "application/octet-stream"
    }
}
