#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One field or file of a ``RequestBody/multipart(_:using:)`` body.
///
/// ```swift
/// struct AddPhoto: Shop.Request {
///     typealias Response = Photo
///     var file: String
///     var method: HTTPMethod { .post }
///     var path: RequestPath { "/photos" }
///     var body: RequestBody? {
///         .multipart([
///             .text("title", "Ramen"),
///             .json("tags", ["noodles", "pork"]),
///             .file("photo", path: file, type: "image/jpeg"),
///         ])
///     }
/// }
/// ```
/// Names are sent in UTF-8, with `"`, CR and LF as `%22`, `%0D` and `%0A`, as browsers write them. Other control
/// characters are rejected. If no media type is given, the extension of the file name determines it for common types;
/// all other files are `application/octet-stream`.
///
/// [RFC 7578, section 4](https://www.rfc-editor.org/rfc/rfc7578#section-4)
public struct MultipartPart: Sendable {
    private var name: String
    private var filename: String?
    private var headers = HTTPHeaders()
    private let content: @Sendable (any RequestEncoder) throws -> (body: HTTPBody, type: String?)

    /// Text, a number or a Boolean as a form field, in UTF-8 and without a media type.
    ///
    /// Line breaks stay as they are. A number that is not finite is rejected.
    public static func text(_ name: String, _ value: some LosslessStringConvertible & Sendable) -> MultipartPart {
        MultipartPart(name: name) { _ in
            if let number = value as? any FloatingPoint, !number.isFinite {
                throw RequestCause.bodyPart.error("a part contains a number that is not finite")
            }
            return (HTTPBody(value.description), nil)
        }
    }

    /// A value as a query would have it: a date, an enum, a number and so on; a list is separated by commas.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The value; one that can't be written, such as a number that is not finite, is rejected.
    ///   - type: The media type; `nil` for none, as for form fields.
    /// - Returns: The part.
    public static func value(_ name: String, _ value: some QueryValue, type: String? = nil) -> MultipartPart {
        let value = value.queryItemValue
        return MultipartPart(name: name) { _ in (HTTPBody(try value.fieldText(named: name)), type) }
    }

    /// A value written by the request's encoder, with the encoder's media type: JSON by default.
    public static func json(_ name: String, _ value: some Encodable & Sendable) -> MultipartPart {
        MultipartPart(name: name) { encoder in (HTTPBody(try encoder.encodeOrDiagnose(value)), encoder.mediaType) }
    }

    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - bytes: The content.
    ///   - filename: The name of the file; most servers treat a part without one as a plain field.
    ///   - type: The media type; `nil` derives it from the file name.
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
    ///   - path: The path of the file. A file that can't be read is rejected as ``FailureReason/body`` when the call
    ///     begins.
    ///   - filename: The file name for the server; `nil` uses the last component of `path`.
    ///   - type: The media type; `nil` derives it from the file name.
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

    /// A file by its URL: see ``file(_:path:filename:type:)``.
    public static func file(_ name: String, url: URL, filename: String? = nil, type: String? = nil) -> MultipartPart {
        file(name, path: url.filePath, filename: filename, type: type)
    }

    /// A custom body, usually a stream, pulled piece by piece while it is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - body: The content; if its length is unknown, the whole request is sent in chunks.
    ///   - filename: The name of the file; most servers treat a part without one as a plain field.
    ///   - type: The media type; `nil` derives it from the file name.
    /// - Returns: The part.
    public static func stream(
        _ name: String,
        _ body: HTTPBody,
        filename: String? = nil,
        type: String? = nil,
    ) -> MultipartPart {
        MultipartPart(name: name, filename: filename) { _ in (body, type ?? FileMediaType.named(filename ?? "")) }
    }

    /// The same part with further header fields, of which `Content-Disposition` and `Content-Type` are ignored.
    public func adding(_ headers: HTTPHeaders) -> MultipartPart {
        var part = self
        part.headers = self.headers.replacing(with: headers)
        return part
    }

    /// The same part with another name.
    public func named(_ name: String) -> MultipartPart {
        var part = self
        part.name = name
        return part
    }

    /// Header block and content, checked: neither can end the part early.
    ///
    /// - Throws: An error that names the part.
    func encoded(by encoder: any RequestEncoder) throws -> EncodedPart {
        do {
            return try checked(by: encoder)
        } catch var error as TransportError {
            error.message = "\(title): \(error.message)"
            throw error
        } catch {
            throw PartError(part: title, error: error)
        }
    }

    private var title: String { "part \"\(Redaction.printable(name, scalarsMax: 100))\"" }

    private func checked(by encoder: any RequestEncoder) throws -> EncodedPart {
        let content = try content(encoder)
        var head = "Content-Disposition: form-data; name=\"\(try Self.escaped(name))\""
        if let filename { head += "; filename=\"\(try Self.escaped(filename))\"" }
        if let type = content.type {
            guard !type.isEmpty, type.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw RequestCause.bodyPart.error("its media type is empty or has a control character")
            }
            head += "\r\nContent-Type: \(type)"
        }
        for field in headers where field.name != .contentType && field.name != "Content-Disposition" {
            do throws(TransportError) {
                try field.checkForWire()
            } catch {
                throw RequestCause.bodyPart.error("invalid header field: \(error.message)", underlyingError: error)
            }
            head += "\r\n\(field.name.rawName): \(field.value)"
        }
        return EncodedPart(head: head, body: content.body)
    }

    /// A name escaped for a quoted string.
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
                throw RequestCause.bodyPart.error("its name or its file name has a control character")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

/// An error of a part's content, with the name of the part.
struct PartError: Error {
    let part: String
    let error: any Error
}

/// An encoded part, ready to send.
struct EncodedPart: Sendable {
    /// The lines of the header block, without the final line break.
    let head: String
    let body: HTTPBody
}

/// Media types by file name extension, for common types.
enum FileMediaType {
    private static let byExtension = [
        "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html",
        "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
        "m4a": "audio/mp4", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf",
        "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "wav": "audio/wav", "webp": "image/webp",
        "xml": "application/xml", "zip": "application/zip",
    ]

    /// The media type for a file name; `application/octet-stream` if the extension is unknown.
    static func named(_ filename: String) -> String {
        let parts = filename.byteSplit(separator: ".", omittingEmptySubsequences: false)
        return byExtension[parts.dropFirst().last?.asciiLowercased ?? ""] ?? "application/octet-stream"
    }
}
