import Foundation

@testable import Hikyaku
@testable import HikyakuBase
@testable import HikyakuEngine
@testable import HikyakuHTTP
@testable import HikyakuJSON

/// Reads files that anybody may have changed since they were written: of downloads, tokens, uploads and cookies.
func checkStored(_ input: FuzzInput) {
    switch input.choices[0] % 4 {
    case 0: readRecord(input)
    case 1: readToken(input)
    case 2: readUpload(input)
    default: readCookies(input)
    }
}

/// A record never makes a request that can't be sent, or trusts bytes that aren't there.
private func readRecord(_ input: FuzzInput) {
    guard let record = try? HikyakuJSONDecoder().decode(DownloadRecord.self, from: input.document) else { return }
    let copy = (try? HikyakuJSONEncoder().encode(record)).flatMap {
        try? HikyakuJSONDecoder().decode(DownloadRecord.self, from: $0)
    }
    check(copy == record, "a record is written as another")
    let bytesMax = 1 << 40
    guard record.isUsable(for: record.resource, bytesMax: bytesMax), let validator = record.validator else { return }
    check(!record.isUsable(for: record.resource + "0", bytesMax: bytesMax), "a record is of any resource")
    check(validator.fieldValue.utf8.count <= RangeValidator.bytesMax, "a validator is too long")
    for size in [0, 1, record.synced, record.total ?? 7, 1 << 41, Int(input.choices[1])] {
        for boot in [record.boot, "other", nil] {
            guard let count = record.trustedCount(of: size, bootNow: boot) else { continue }
            check(0...size ~= count && count >= min(record.synced, size), "\(count) bytes of \(size) are trusted")
            check(count <= record.total ?? .max && count <= bytesMax || record.total == nil, "more than the whole")
            guard count > 0, let range = RangeRequest(after: count, total: record.total, validator: validator) else {
                continue
            }
            check(0...count ~= range.offset, "a range from \(range.offset) after \(count) bytes")
            var headers = HTTPHeaders()
            range.add(to: &headers)
            for field in headers { check((try? field.checkForWire()) != nil, "\(field.name) can't be sent") }
        }
    }
}

/// A token that is read is written as the same.
private func readToken(_ input: FuzzInput) {
    let token: IssuedToken
    do throws(TokenDocument.Malformed) {
        token = try TokenDocument.token(in: input.document)
    } catch {
        check(error.message.utf8.count < 20_000 && !error.message.contains("\n"), "a message: \(error.message)")
        return
    }
    guard let bytes = try? TokenDocument.bytes(of: token) else { return violation("a token can't be written") }
    guard let copy = try? TokenDocument.token(in: bytes) else { return violation("a token can't be read again") }
    check(copy.token == token.token && copy.scheme == token.scheme, "another token")
    check(copy.refreshToken == token.refreshToken && copy.idToken == token.idToken, "another refresh token")
    check(copy.scopes == token.scopes, "other scopes")
    check((try? TokenDocument.bytes(of: copy)) == bytes, "a token changes each time that it is written")
    let secret = token.token.reveal()
    if secret.utf8.count > 20, !token.scheme.contains(secret),
        token.scopes?.contains(where: { $0.contains(secret) }) != true
    {
        check(!"\(token) \(String(reflecting: token))".contains(secret), "a token is shown")
    }
}

/// An upload that was saved is continued as such, and shows nothing.
private func readUpload(_ input: FuzzInput) {
    guard let saved = try? HikyakuJSONDecoder().decode(SavedUpload.self, from: input.document) else { return }
    let copy = (try? HikyakuJSONEncoder().encode(saved)).flatMap {
        try? HikyakuJSONDecoder().decode(SavedUpload.self, from: $0)
    }
    check(copy == saved, "an upload is saved as another")
    check("\(saved)" == "an upload of \(saved.length) bytes", "an upload shows more")
    let mirror = String(reflecting: saved)
    if saved.url.utf8.count > 30 { check(!mirror.contains(saved.url), "an upload shows its URL") }
}

/// Cookies that a store reads are those that a service may have set, and are written as the same.
private func readCookies(_ input: FuzzInput) {
    let path = "\(FileManager.default.temporaryDirectory.path)/hikyaku-fuzz-\(getpid()).json"
    guard (try? input.document.write(to: URL(fileURLWithPath: path))) != nil else { return violation("no disk") }
    defer { unlink(path) }
    let file = CookieFile(file: PrivateFile(path: path, sync: { _ in 0 }))
    let cookies: [Cookie]
    do throws(StoreFileError) {
        cookies = try file.read()
    } catch {
        check(error.reason == .malformed, "\(error)")
        return
    }
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var jar = CookieJar()
    for cookie in cookies { try? jar.insert(cookie, at: now) }
    for cookie in jar.cookies {
        let field = HTTPHeaders.Field(name: .cookie, value: cookie.pair)
        check((try? field.checkForWire()) != nil && !cookie.pair.contains(";"), "a cookie can't be sent: \(cookie)")
    }
    let kept = jar.cookies.filter { $0.expires != nil }
    guard (try? file.write(kept)) != nil, let copy = try? file.read() else {
        return violation("cookies can't be written: \(kept)")
    }
    check(copy.count == kept.count, "\(kept.count) cookies are read as \(copy.count)")
    for (cookie, other) in zip(kept, copy) {
        check(cookie.isSame(as: other) && cookie.value.utf8.elementsEqual(other.value.utf8), "\(cookie) is another")
        check(cookie.isSecure == other.isSecure && cookie.sameSite == other.sameSite, "\(cookie) has other attributes")
        let difference = (cookie.expires ?? now).timeIntervalSince(other.expires ?? .distantPast)
        check(abs(difference) <= 1, "\(cookie) expires \(difference) s later")
    }
}
