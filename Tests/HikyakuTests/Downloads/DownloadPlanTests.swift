import Foundation
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

struct DownloadPlanTests {
    private static let tag = RangeValidator.etag("\"v1\"")
    private static let date = RangeValidator.lastModified("Sun, 06 Nov 1994 08:49:37 GMT")

    private static func response(
        _ status: HTTPStatus,
        _ headers: HTTPHeaders = [:],
        body: HTTPBody = "56789",
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body)
    }

    private static func step(
        _ response: HTTPResponse,
        count: Int = 5,
        total: Int? = 10,
        _ validator: RangeValidator = tag,
    ) -> DownloadStep {
        let range = RangeRequest(after: count, total: total, validator: validator)
        return DownloadStep(after: response, to: range, draftCount: count)
    }

    private static func startsOver(_ step: DownloadStep) -> Bool {
        if case .startOver = step { true } else { false }
    }

    // MARK: - What is requested

    @Test func theRangeBeginsAfterTheDraft() throws {
        var headers: HTTPHeaders = [:]
        try #require(RangeRequest(after: 5, total: 10, validator: Self.tag)).add(to: &headers)
        #expect(headers["Range"] == "bytes=5-" && headers["If-Range"] == "\"v1\"")
        try #require(RangeRequest(after: 5, total: nil, validator: Self.date)).add(to: &headers)
        #expect(headers["Range"] == "bytes=5-" && headers["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func ofACompleteDraftTheLastByteIsRequested() throws {
        #expect(RangeRequest(after: 10, total: 10, validator: Self.tag)?.offset == 9)
        #expect(RangeRequest(after: 1, total: 1, validator: Self.tag)?.offset == 0)
        #expect(RangeRequest(after: 10, total: nil, validator: Self.tag)?.offset == 10)
    }

    @Test func ofAnEmptyDraftNothingIsRequested() {
        #expect(RangeRequest(after: 0, total: 10, validator: Self.tag) == nil)
        #expect(RangeRequest(after: 0, total: nil, validator: Self.tag) == nil)
        #expect(RangeRequest(after: 0, total: 0, validator: Self.tag) == nil)
    }

    // MARK: - Whole responses, and others

    @Test(arguments: [200] as [HTTPStatus])
    func theWholeFileReplacesTheDraft(_ status: HTTPStatus) {
        #expect(Self.step(Self.response(status)) == .whole)
        #expect(DownloadStep(after: Self.response(status), to: nil, draftCount: 0) == .whole)
    }

    /// Some servers send the part that was requested with the status of the whole file.
    @Test func aPartWithTheStatusOfTheWholeIsNotTheFile() {
        var response = Self.response(200)
        response.headers["Content-Range"] = "bytes 5-9/10"
        #expect(Self.startsOver(Self.step(response)))
        #expect(DownloadStep(after: response, to: nil, draftCount: 0) == .whole)
        response.headers["Content-Range"] = "bytes 0-9/10"
        #expect(Self.step(response) == .whole)
    }

    @Test(arguments: [201, 203, 204, 304, 400, 401, 403, 404, 410, 412, 500, 503] as [HTTPStatus])
    func otherStatusesAreReadAsUsual(_ status: HTTPStatus) {
        #expect(Self.step(Self.response(status)) == .other)
        #expect(DownloadStep(after: Self.response(status), to: nil, draftCount: 0) == .other)
    }

    @Test(arguments: [206, 416] as [HTTPStatus])
    func aPartThatWasNotRequestedIsReadAsUsual(_ status: HTTPStatus) {
        let response = Self.response(status, ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\""])
        #expect(DownloadStep(after: response, to: nil, draftCount: 0) == .other)
    }

    // MARK: - 206

    private static let rests: [(String, Int?, DownloadStep)] = [
        ("bytes 5-9/10", 10, .part(at: 5, end: 10, total: 10)),
        ("BYTES 5-9/10", 10, .part(at: 5, end: 10, total: 10)),
        ("bytes 5-9/*", 10, .part(at: 5, end: 10, total: 10)),
        ("bytes 5-9/10", nil, .part(at: 5, end: 10, total: 10)),
        ("bytes 5-9/*", nil, .part(at: 5, end: 10, total: nil)),
        ("bytes 5-9/100", 100, .part(at: 5, end: 10, total: 100)),
    ]

    @Test(arguments: rests)
    func theRestContinuesTheDraft(range: String, total: Int?, expected: DownloadStep) {
        let response = Self.response(206, ["Content-Range": range, "ETag": "\"v1\""])
        #expect(Self.step(response, total: total) == expected)
    }

    @Test(arguments: [
        "bytes 4-9/10", "bytes 6-9/10", "bytes 0-9/10", "bytes 5-9/11", "bytes 5-9/9", "bytes 5-10/*", "bytes 5-4/10",
        "bytes 5-9", "bytes 5-/10", "bytes -9/10", "bytes 5-9/", "bytes */10", "bytes=5-9/10", "items 5-9/10", "5-9/10",
        "bytes 5-9/10, bytes 5-9/10", "bytes 5-99999999999999999999/10", "bytes 5 - 9/10", "bytes +5-9/10", "",
        "bytes 5-9223372036854775807/*", "bytes 5-9/10/10",
    ])
    func aLyingContentRangeStartsOver(range: String) {
        let response = Self.response(206, ["Content-Range": range, "ETag": "\"v1\""])
        #expect(Self.startsOver(Self.step(response)), "\(range)")
    }

    @Test func aPartWithoutContentRangeStartsOver() {
        #expect(Self.startsOver(Self.step(Self.response(206, ["ETag": "\"v1\""]))))
    }

    @Test(arguments: [nil, "\"v2\"", "W/\"v1\"", "v1", "\"v1\", \"v2\""])
    func aPartOfAnotherVersionStartsOver(tag: String?) {
        var response = Self.response(206, ["Content-Range": "bytes 5-9/10"])
        response.headers[.etag] = tag
        #expect(Self.startsOver(Self.step(response)))
    }

    @Test func aPartMayLeaveOutTheDateButNotChangeIt() {
        var response = Self.response(206, ["Content-Range": "bytes 5-9/10"])
        #expect(Self.step(response, Self.date) == .part(at: 5, end: 10, total: 10))
        response.headers["Last-Modified"] = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(Self.step(response, Self.date) == .part(at: 5, end: 10, total: 10))
        response.headers["Last-Modified"] = "Sun, 06 Nov 1994 08:49:38 GMT"
        #expect(Self.startsOver(Self.step(response, Self.date)))
    }

    @Test func severalPartsStartOver() {
        let fields: HTTPHeaders = [
            "Content-Range": "bytes 5-9/10", "ETag": "\"v1\"", "Content-Type": "multipart/byteranges; boundary=b",
        ]
        #expect(Self.startsOver(Self.step(Self.response(206, fields))))
    }

    @Test func aCodedPartStartsOver() {
        let fields: HTTPHeaders = ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\"", "Content-Encoding": "gzip"]
        #expect(Self.startsOver(Self.step(Self.response(206, fields))))
        var identity = Self.response(206, fields)
        identity.headers[.contentEncoding] = "identity"
        #expect(Self.step(identity) == .part(at: 5, end: 10, total: 10))
        identity.isDecoded = true
        #expect(Self.startsOver(Self.step(identity)))
    }

    @Test func aPartInTheCodingOfTheDraftContinuesIt() {
        let fields: HTTPHeaders = ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\"", "Content-Encoding": "gzip"]
        let response = Self.response(206, fields)
        func step(_ coding: String?) -> DownloadStep {
            let range = RangeRequest(after: 5, total: 10, validator: Self.tag)
            return DownloadStep(after: response, to: range, draftCount: 5, coding: coding)
        }
        #expect(step("gzip") == .part(at: 5, end: 10, total: 10))
        #expect(Self.startsOver(step("br")))
    }

    @Test(arguments: ["5678", "567890", ""])
    func aPartOfAnotherLengthStartsOver(body: String) {
        let fields: HTTPHeaders = ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\""]
        #expect(Self.startsOver(Self.step(Self.response(206, fields, body: HTTPBody(body)))))
    }

    // MARK: - 416

    @Test func anUnsatisfiableRangeMeansThatTheDraftIsComplete() {
        let response = Self.response(416, ["Content-Range": "bytes */10", "ETag": "\"v1\""])
        #expect(Self.step(response, count: 10, total: nil) == .complete)
        #expect(Self.step(response, count: 10, total: 10) == .complete)
    }

    private static let others: [(String?, String?)] = [
        ("bytes */10", "\"v2\""), ("bytes */10", nil), ("bytes */11", "\"v1\""), ("bytes */*", "\"v1\""),
        ("bytes 0-9/10", "\"v1\""), (nil, "\"v1\""),
    ]

    @Test(arguments: others)
    func anyOtherUnsatisfiableRangeStartsOver(range: String?, tag: String?) {
        var response = Self.response(416)
        response.headers["Content-Range"] = range
        response.headers[.etag] = tag
        #expect(Self.startsOver(Self.step(response, count: 10, total: nil)))
    }

    @Test func anUnsatisfiableRangeOfADateStartsOver() {
        let response = Self.response(416, ["Content-Range": "bytes */10"])
        #expect(Self.startsOver(Self.step(response, count: 10, total: nil, Self.date)))
    }

    // MARK: - Validators

    @Test(arguments: [
        ("\"v1\"", true), ("\"a!#~\u{80}\"", true), ("W/\"v1\"", false), ("\"\"", false), ("v1", false),
        ("\"v1", false),
        ("\"a b\"", false), ("\"a\"b\"", false), ("\"", false), ("", false), ("\"v1\", \"v2\"", false),
        ("\"\(String(repeating: "a", count: 1022))\"", true), ("\"\(String(repeating: "a", count: 1023))\"", false),
    ])
    func onlyAStrongTagIsAValidator(tag: String, isStrong: Bool) {
        #expect(RangeValidator(["ETag": tag]) == (isStrong ? .etag(tag) : nil))
    }

    private static let dates: [(String, String?, Bool)] = [
        ("Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", true),
        ("Sun, 06 Nov 1994 08:48:38 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", false),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", false),
        ("Sun, 06 Nov 1994 08:59:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", false),
        ("yesterday", "Sun, 06 Nov 1994 08:49:37 GMT", false),
        ("Sun, 06 Nov 1994 08:48:37 GMT", nil, false),
        // A year of two digits is near the response's date.
        ("Friday, 06-Nov-26 08:49:30 GMT", "Fri, 06 Nov 2026 08:49:37 GMT", false),
        ("Friday, 06-Nov-26 08:48:37 GMT", "Friday, 06-Nov-26 08:49:37 GMT", true),
    ]

    @Test(arguments: dates)
    func aDateIsAValidatorIfItIsOldEnough(modified: String, date: String?, isStrong: Bool) {
        var headers: HTTPHeaders = ["Last-Modified": modified]
        headers[.date] = date
        #expect(RangeValidator(headers) == (isStrong ? .lastModified(modified) : nil))
    }

    @Test func aDateDoesNotHelpAWeakTag() {
        let dates: HTTPHeaders = [
            "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1995 08:49:37 GMT",
        ]
        #expect(RangeValidator(dates) != nil)
        #expect(RangeValidator(dates.replacing(with: ["ETag": "W/\"v1\""])) == nil)
        #expect(RangeValidator([:]) == nil)
    }

    // MARK: - Records

    private static func record(total: Int? = 10) -> DownloadRecord {
        DownloadRecord(resource: "r", validator: tag, total: total, digest: nil)
    }

    @Test func aRecordSurvivesItsFile() throws {
        var record = Self.record()
        record.synced = 7
        let bytes = try HikyakuJSONEncoder().encode(record)
        #expect(try HikyakuJSONDecoder().decode(DownloadRecord.self, from: bytes) == record)
        #expect(record.isUsable(for: "r", bytesMax: 10))
    }

    @Test func aRecordOfSomethingElseIsNotUsed() {
        let record = Self.record()
        #expect(!record.isUsable(for: "other", bytesMax: 10))
        #expect(!record.isUsable(for: "r", bytesMax: 9))
        for change: (inout DownloadRecord) -> Void in [
            { $0.version = 2 }, { $0.synced = -1 }, { $0.synced = 11 }, { $0.total = 0 }, { $0.total = -5 },
        ] {
            var changed = record
            change(&changed)
            #expect(!changed.isUsable(for: "r", bytesMax: 10))
        }
    }

    @Test(arguments: [
        #"{"version":1,"resource":"r","synced":0}"#,
        #"{"version":1,"resource":"r","synced":0,"etag":"W/\"v1\""}"#,
        #"{"version":1,"resource":"r","synced":0,"etag":"\"a\"\r\nX: \"b\""}"#,
        #"{"version":1,"resource":"r","synced":0,"etag":"\"v1\"","lastModified":"Sun, 06 Nov 1994 08:49:37 GMT"}"#,
        #"{"version":1,"resource":"r","synced":0,"lastModified":"Sun, 06 Nov\r\nX: y"}"#,
    ])
    func aDamagedValidatorIsNotUsed(text: String) throws {
        let record = try HikyakuJSONDecoder().decode(DownloadRecord.self, from: Data(text.utf8))
        #expect(record.validator == nil && !record.isUsable(for: "r", bytesMax: 10))
    }

    @Test func onlyTheSameBootTrustsMoreThanWhatIsOnTheDisk() {
        var record = Self.record()
        (record.synced, record.boot) = (4, "a")
        #expect(record.trustedCount(of: 7, bootNow: "a") == 7)
        #expect(record.trustedCount(of: 7, bootNow: "b") == 4)
        #expect(record.trustedCount(of: 7, bootNow: nil) == 4)
        #expect(record.trustedCount(of: 3, bootNow: "a") == nil, "the draft isn't that of the record")
        #expect(record.trustedCount(of: 11, bootNow: "a") == nil)
        record.boot = nil
        #expect(record.trustedCount(of: 7, bootNow: nil) == 4)
    }

    @Test func aRecordContainsNoURL() throws {
        let url = try #require(URL(string: "https://a.example/f?token=hunter2#part"))
        let resource = try #require(DownloadRecord.resource(of: url))
        #expect(resource.utf8.count == 64 && !resource.contains("hunter2"))
        #expect(resource == DownloadRecord.resource(of: try #require(URL(string: "https://a.example/f?token=hunter2"))))
        #expect(resource != DownloadRecord.resource(of: try #require(URL(string: "https://a.example/f?token=hunter3"))))
    }
}
