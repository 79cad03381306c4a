import Foundation
import Testing

@testable import Hikyaku

/// The reasons of all modules by their names; a test finds one in the sources that isn't here.
let knownReasons: [String: FailureReason] = [
    "ambiguousLength": .ambiguousLength, "baseURL": .baseURL, "body": .body, "bodyConsumed": .bodyConsumed,
    "bodyTooDeep": .bodyTooDeep, "bodyTooLarge": .bodyTooLarge, "byteOrderMark": .byteOrderMark,
    "cancelled": .cancelled, "certificateExpired": .certificateExpired,
    "certificateHostMismatch": .certificateHostMismatch, "certificatePinMismatch": .certificatePinMismatch,
    "certificateSelfSigned": .certificateSelfSigned, "certificateUntrusted": .certificateUntrusted,
    "circuitOpen": .circuitOpen, "compressionRatio": .compressionRatio,
    "conflictingContentLength": .conflictingContentLength, "connectTimeout": .connectTimeout,
    "connectionClosed": .connectionClosed, "connectionFailed": .connectionFailed,
    "connectionRefused": .connectionRefused, "connectionReset": .connectionReset, "cookieStore": .cookieStore,
    "deadline": .deadline, "decoder": .decoder, "defect": .defect, "definition": .definition,
    "digestMismatch": .digestMismatch, "diskFull": .diskFull, "duplicateKey": .duplicateKey, "emptyBody": .emptyBody,
    "emptyToken": .emptyToken, "encoder": .encoder, "eventTooLarge": .eventTooLarge, "expiredToken": .expiredToken,
    "fileInUse": .fileInUse, "fileNotWritten": .fileNotWritten, "firstByteTimeout": .firstByteTimeout,
    "header": .header, "headersTooLarge": .headersTooLarge, "hostNotFound": .hostNotFound, "htmlBody": .htmlBody,
    "idleTimeout": .idleTimeout, "insecureOrigin": .insecureOrigin, "insufficientLevel": .insufficientLevel,
    "invalidValue": .invalidValue, "malformedBody": .malformedBody, "malformedChunk": .malformedChunk,
    "malformedContentCoding": .malformedContentCoding, "malformedContentLength": .malformedContentLength,
    "malformedCredential": .malformedCredential, "malformedResponse": .malformedResponse, "method": .method,
    "missingKey": .missingKey, "missingLastChunk": .missingLastChunk, "missingScopes": .missingScopes,
    "missingToken": .missingToken, "missingValue": .missingValue, "networkUnreachable": .networkUnreachable,
    "noStub": .noStub, "notAnEventStream": .notAnEventStream, "notProcessed": .notProcessed, "other": .other,
    "otherOrigin": .otherOrigin, "outOfMemory": .outOfMemory, "outOfRange": .outOfRange, "pageCursor": .pageCursor,
    "pageLoop": .pageLoop, "path": .path, "plainTextBody": .plainTextBody, "prepare": .prepare,
    "proxyFailed": .proxyFailed, "query": .query, "queueFull": .queueFull, "rateLimited": .rateLimited,
    "readerTooSlow": .readerTooSlow, "redirectInsecure": .redirectInsecure, "redirectInvalid": .redirectInvalid,
    "redirectLoop": .redirectLoop, "refreshNeedsItself": .refreshNeedsItself, "refreshTimeout": .refreshTimeout,
    "rejectedClient": .rejectedClient, "service": .service, "shutDown": .shutDown, "substitution": .substitution,
    "tlsFailed": .tlsFailed, "tokenStore": .tokenStore, "tooManyPages": .tooManyPages,
    "tooManyRedirects": .tooManyRedirects, "transportFailed": .transportFailed, "truncatedBody": .truncatedBody,
    "truncatedHeaders": .truncatedHeaders, "truncatedResponse": .truncatedResponse, "typeMismatch": .typeMismatch,
    "unacceptableStatus": .unacceptableStatus, "unexpectedPart": .unexpectedPart,
    "unexpectedUpgrade": .unexpectedUpgrade, "unknownContentCoding": .unknownContentCoding,
    "unknownTransferCoding": .unknownTransferCoding, "uploadInvalid": .uploadInvalid, "uploadLost": .uploadLost,
    "uploadResponseLost": .uploadResponseLost, "uploadTooLarge": .uploadTooLarge, "url": .url,
    "wrongCharset": .wrongCharset, "xmlBody": .xmlBody,
]

/// The reasons that the sources declare, with their comments.
struct DeclaredReason {
    let name: String
    let comment: Substring

    /// The reason itself, which has the text; `nil` for one that `knownReasons` lacks.
    var reason: FailureReason? { knownReasons[name] }

    static func all() throws -> [DeclaredReason] {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path()).filter {
            $0.hasSuffix(".swift")
        }
        let declaration =
            #/
            ((?:\x20{4}\/\/\/\x20[^\n]*\n(?:\x20{4}\/\/\/\n)?)+)
            \x20{4}public\x20static\x20let\x20(\w+)\x20=\x20FailureReason\(\s*\.\w+,\s*
            (?:"\w+"|DecodingDiagnosis\.Kind\.\w+\.rawValue)
            /#
        return try paths.sorted().flatMap { path in
            try String(contentsOf: sources.appending(path: path), encoding: .utf8).matches(of: declaration)
                .map { DeclaredReason(name: String($0.2), comment: $0.1) }
        }
    }
}

struct KnownReasonTests {
    @Test func noReasonIsMissing() throws {
        let declared = try DeclaredReason.all().map(\.name)
        #expect(Set(declared) == Set(knownReasons.keys) && declared.count > 90)
    }
}
