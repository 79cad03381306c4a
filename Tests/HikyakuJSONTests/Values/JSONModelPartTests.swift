import Foundation
import HikyakuJSON
import Testing

/// Models to which another type hands its own decoder or encoder.
@Suite struct JSONModelPartTests {
    struct Stay: JSONModel {
        var firstNight: Date
        var photo: Data

        init(firstNight: Date, photo: Data) {
            (self.firstNight, self.photo) = (firstNight, photo)
        }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            firstNight = try reader.member("firstNight")
            photo = try reader.member("photo")
            try reader.endObject()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("firstNight", firstNight)
            try writer.member("photo", photo)
            try writer.endObject()
        }
    }

    enum OneOf: Codable, Equatable {
        case stay(Stay)

        init(from decoder: any Decoder) throws {
            self = .stay(try Stay(from: decoder))
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .stay(let stay): try stay.encode(to: encoder)
            }
        }
    }

    /// Its own member is before those of the part, or after them.
    struct Booking<IsFirst: Flag>: Codable, Equatable {
        var guestName: String
        var stay: Stay

        private enum CodingKeys: CodingKey { case guestName }

        init(guestName: String, stay: Stay) {
            (self.guestName, self.stay) = (guestName, stay)
        }

        init(from decoder: any Decoder) throws {
            guestName = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .guestName)
            stay = try Stay(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            if !IsFirst.value { try stay.encode(to: encoder) }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(guestName, forKey: .guestName)
            if IsFirst.value { try stay.encode(to: encoder) }
        }
    }

    protocol Flag: Sendable { static var value: Bool { get } }
    enum First: Flag { static var value: Bool { true } }
    enum Last: Flag { static var value: Bool { false } }

    private static let stay = Stay(firstNight: Date(timeIntervalSinceReferenceDate: 0), photo: Data([0xFB, 0xFF]))

    typealias Dates = (
        text: String, encoding: HikyakuJSONEncoder.DateEncodingStrategy,
        decoding: HikyakuJSONDecoder.DateDecodingStrategy
    )

    private static let dates: [Dates] = [
        (#""2001-01-01T00:00:00Z""#, .iso8601, .iso8601),
        ("978307200", .secondsSince1970, .secondsSince1970),
        ("978307200000", .millisecondsSince1970, .millisecondsSince1970),
        ("0", .deferredToDate, .deferredToDate),
        (
            #""then""#, .custom { _, encoder in try "then".encode(to: encoder) },
            .custom { _ in Date(timeIntervalSinceReferenceDate: 0) },
        ),
    ]

    typealias Bytes = (
        text: String, encoding: HikyakuJSONEncoder.DataEncodingStrategy,
        decoding: HikyakuJSONDecoder.DataDecodingStrategy
    )

    private static let bytes: [Bytes] = [
        (#""+/8=""#, .base64, .base64),
        (#""-_8""#, .base64URL, .base64URL),
        ("[251,255]", .deferredToData, .deferredToData),
        (#""it""#, .custom { _, encoder in try "it".encode(to: encoder) }, .custom { _ in Data([0xFB, 0xFF]) }),
    ]

    @Test(arguments: 0..<5, 0..<4)
    func allStrategiesApply(date: Int, data: Int) throws {
        var (encoder, decoder) = (HikyakuJSONEncoder(), HikyakuJSONDecoder())
        encoder.dateEncodingStrategy = Self.dates[date].encoding
        encoder.dataEncodingStrategy = Self.bytes[data].encoding
        // Models name their keys themselves.
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.dateDecodingStrategy = Self.dates[date].decoding
        decoder.dataDecodingStrategy = Self.bytes[data].decoding
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let members = #""firstNight":\#(Self.dates[date].text),"photo":\#(Self.bytes[data].text)"#

        func check<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
            #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
            #expect(try decoder.decode(Value.self, from: Data(text.utf8)) == value)
        }
        try check(OneOf.stay(Self.stay), "{\(members)}")
        try check(["all": [OneOf.stay(Self.stay)]], #"{"all":[{\#(members)}]}"#)
        try check(Booking<First>(guestName: "a", stay: Self.stay), #"{"guest_name":"a",\#(members)}"#)
        try check([Booking<Last>(guestName: "a", stay: Self.stay)], #"[{\#(members),"guest_name":"a"}]"#)
    }

    @Test func theDiagnosisIsThatOfThePlace() throws {
        let body = Data(#"[{"firstNight":"2026-11-21T09:30:00Z","photo":7}]"#.utf8)
        let diagnosis = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode([OneOf].self, from: body)
        }
        #expect(diagnosis?.pointer == "/0/photo")
        #expect(diagnosis?.found == "a number masked as 9")
    }

    @Test func theErrorIsThatOfThePlace() throws {
        let stay = Stay(firstNight: Date(timeIntervalSince1970: 1e15), photo: Data())
        var error = try #require(throws: EncodingError.self) { try encoded([OneOf.stay(stay)]) }
        #expect(path(of: error) == "0.firstNight")
        let booking = Booking<First>(guestName: "a", stay: stay)
        error = try #require(throws: EncodingError.self) { try encoded([booking]) }
        #expect(path(of: error) == "0.firstNight")
    }
}
