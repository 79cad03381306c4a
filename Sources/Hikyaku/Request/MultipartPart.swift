#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One field or file of a ``RequestBody/multipart(_:using:)`` body.
///
/// Names are sent in UTF-8, with `"`, CR and LF as `%22`, `%0D` and `%0A`, which is how browsers write them; other
/// control characters are refused. Where no media type is given, the file name's extension says it for the common ones,
/// and all else is `application/octet-stream`.
///
/// [RFC 7578, section 4](https://www.rfc-editor.org/rfc/rfc7578#section-4)
public struct MultipartPart: Sendable {
    private let name: String
    private let filename: String?
    private let content: @Sendable (any RequestEncoder) throws -> (body: HTTPBody, type: String?)

    /// A text, a number or a Boolean as a form's field, in UTF-8 and without a media type.
    ///
    /// Line breaks in it stay as they are. A number that is not finite is refused.
    public static func text(_ name: String, _ value: some LosslessStringConvertible & Sendable) -> MultipartPart {
        MultipartPart(name: name) { _ in
            if let number = value as? any FloatingPoint, !number.isFinite {
                throw TransportError(.body, "a part contains a number that is not finite")
            }
            return (HTTPBody(value.description), nil)
        }
    }

    /// A value written by the request's encoder, with the encoder's media type: JSON unless another was chosen.
    public static func json(_ name: String, _ value: some Encodable & Sendable) -> MultipartPart {
        MultipartPart(name: name) { encoder in (HTTPBody(try encoder.encode(value)), encoder.mediaType) }
    }

    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - bytes: The content.
    ///   - filename: What the file is called; servers as a rule take a part without it for a plain field.
    ///   - type: The media type; `nil` has the file name decide.
    /// - Returns: The part.
    public static func bytes(
        _ name: String,
        _ bytes: Data,
        filename: String? = nil,
        type: String? = nil,
    ) -> MultipartPart {
        stream(name, HTTPBody(bytes), filename: filename, type: type)
    }

    /// A file, read piece by piece while it is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - path: Where it is; a file that can't be read is refused as ``FailureReason/body`` when the call begins.
    ///   - filename: What it is called to the server; `nil` takes the last part of `path`.
    ///   - type: The media type; `nil` has the file name decide.
    /// - Returns: The part.
    public static func file(
        _ name: String,
        path: String,
        filename: String? = nil,
        type: String? = nil,
    ) -> MultipartPart {
        let filename = filename ?? path.byteSplit(separator: "/").last.map(String.init) ?? ""
        return MultipartPart(name: name, filename: filename) { _ in
            (try HTTPBody.file(at: path), type ?? FileMediaType.named(filename))
        }
    }

    /// A body of one's own, a stream as a rule, pulled piece by piece while it is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - body: The content; one without a known length has the whole request go out in chunks.
    ///   - filename: What the file is called; servers as a rule take a part without it for a plain field.
    ///   - type: The media type; `nil` has the file name decide.
    /// - Returns: The part.
    public static func stream(
        _ name: String,
        _ body: HTTPBody,
        filename: String? = nil,
        type: String? = nil,
    ) -> MultipartPart {
        MultipartPart(name: name, filename: filename) { _ in (body, type ?? FileMediaType.named(filename ?? "")) }
    }

    private init(
        name: String,
        filename: String? = nil,
        content: @escaping @Sendable (any RequestEncoder) throws -> (body: HTTPBody, type: String?),
    ) {
        self.name = name
        self.filename = filename
        self.content = content
    }

    /// Header block and content, checked: neither can end the part early.
    func encoded(by encoder: any RequestEncoder) throws -> EncodedPart {
        let content = try content(encoder)
        var head = "Content-Disposition: form-data; name=\"\(try Self.escaped(name))\""
        if let filename { head += "; filename=\"\(try Self.escaped(filename))\"" }
        if let type = content.type {
            guard !type.isEmpty, type.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw TransportError(.body, "a part's media type is empty or has a control character")
            }
            head += "\r\nContent-Type: \(type)"
        }
        return EncodedPart(head: head, body: content.body)
    }

    /// A name as it stands between quotes.
    ///
    /// [WHATWG HTML, multipart form
    /// data](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data)
    private static func escaped(_ name: String) throws(TransportError) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped.append(contentsOf: "%22".unicodeScalars)
            case "\r": escaped.append(contentsOf: "%0D".unicodeScalars)
            case "\n": escaped.append(contentsOf: "%0A".unicodeScalars)
            case "\t": escaped.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                throw TransportError(.body, "a part's name or file name has a control character")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

/// A part as it goes out.
struct EncodedPart: Sendable {
    /// The lines of the header block, without the last line's end.
    let head: String
    let body: HTTPBody
}

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
