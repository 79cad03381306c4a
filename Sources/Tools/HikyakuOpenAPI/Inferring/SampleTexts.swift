import HikyakuJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the texts at one place of samples have in common.
struct SampleTexts {
    private(set) var count = 0
    private var dateTimes = 0
    private var days = 0
    private var uuids = 0
    private var urls = 0
    /// How often each text occurs; texts that can't be one of a few values are not kept.
    private var values: [String: Int] = [:]
    private var order: [String] = []
    private var canBeValues = true

    mutating func add(_ text: String) {
        count += 1
        if Self.isDateTime(text) { dateTimes += 1 }
        if Self.isDay(text) { days += 1 }
        if Self.isUUID(text) { uuids += 1 }
        if Self.isURL(text) { urls += 1 }
        take(text, 1)
    }

    mutating func add(_ other: Self) {
        count += other.count
        dateTimes += other.dateTimes
        days += other.days
        uuids += other.uuids
        urls += other.urls
        if !other.canBeValues { forgetValues() }
        for text in other.order { take(text, other.values[text] ?? 0) }
    }

    /// The format that all texts have; `nil` if they are just texts.
    var format: String? {
        guard count > 0 else { return nil }
        if dateTimes == count { return "date-time" }
        if days == count { return "date" }
        if uuids == count { return "uuid" }
        return urls == count ? "uri" : nil
    }

    // MARK: Sets of values

    /// Fewer texts say nothing about which ones there are.
    private static let textsMin = 8
    private static let valuesMax = 12
    /// How often a value occurs on average.
    private static let repetitionsMin = 4

    /// The texts, if they seem to be a set of a few values: many texts, few different ones, each of them a short word
    /// that occurs more than once.
    ///
    /// One text alone is not a set, and neither are names, identifiers or what may be secret.
    ///
    /// - Parameter key: The key of the texts.
    /// - Returns: The texts in their order; `nil` if any text is possible.
    func values(of key: String) -> [String]? {
        guard canBeValues, format == nil, count >= Self.textsMin, values.count > 1 else { return nil }
        guard values.count * Self.repetitionsMin <= count, values.values.allSatisfy({ $0 > 1 }) else { return nil }
        return SampleKey.canHaveValues(key) ? order : nil
    }

    private mutating func take(_ text: String, _ times: Int) {
        guard canBeValues else { return }
        guard Self.isToken(text) else { return forgetValues() }
        if values[text] == nil {
            guard values.count < Self.valuesMax else { return forgetValues() }
            order.append(text)
        }
        values[text, default: 0] += times
    }

    private mutating func forgetValues() { (canBeValues, values, order) = (false, [:], []) }

    /// Whether a text may be a value of a set: a short word of letters with few digits, such as `in_progress`.
    private static func isToken(_ text: String) -> Bool {
        guard (1...32).contains(text.utf8.count), let first = text.utf8.first, isLetter(first) else { return false }
        let digits = text.utf8.count { 0x30...0x39 ~= $0 }
        // A word with several digits is more likely a code: `a1b2`.
        let words = text.utf8.split { !isLetter($0) && !(0x30...0x39 ~= $0) }
        let isWord = words.allSatisfy { word in !word.contains(where: isLetter) || word.count { !isLetter($0) } <= 1 }
        return isWord && digits <= 3
            && text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "_-.:/+".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & 0xDF }

    // MARK: Formats

    /// Whether a text is read and written as a date.
    static func isDateTime(_ text: String) -> Bool {
        guard (20...40).contains(text.utf8.count), text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true else {
            return false
        }
        guard let date = InternetDate.date(from: text) else { return false }
        return InternetDate.text(of: date, fraction: true) != nil
    }

    static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && CalendarDate(text) != nil }

    static func isUUID(_ text: String) -> Bool { text.utf8.count == 36 && UUID(uuidString: text) != nil }

    /// Whether a text is a URL of the web that stays as it is written.
    static func isURL(_ text: String) -> Bool {
        guard text.begins(with: "https://") || text.begins(with: "http://") else { return false }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"{}<>\"\\^`|".utf8.contains($0) }
        guard isPlain, let url = URL(string: text) else { return false }
        return url.absoluteString == text && url.host()?.isEmpty == false
    }
}

/// What the numbers at one place of samples have in common.
struct SampleNumbers {
    private(set) var count = 0
    private var areIntegers = true
    private var fitInt = true
    private var fitInt64 = true
    private var fitUInt64 = true
    private var fitDecimal = true
    private var fitDouble = true
    /// Whether a `Double` would round one of the integers.
    private var hasLargeIntegers = false

    mutating func add(_ text: String) {
        count += 1
        if let value = Int64(text) {
            if Int32(exactly: value) == nil { fitInt = false }
            if value < 0 { fitUInt64 = false }
            if value.magnitude > 1 << 53 { hasLargeIntegers = true }
            return
        }
        (fitInt, fitInt64) = (false, false)
        let isInteger = !text.utf8.contains { ".eE".utf8.contains($0) }
        if isInteger { hasLargeIntegers = true } else { areIntegers = false }
        if isInteger, UInt64(text) != nil { return }
        fitUInt64 = false
        if fitDecimal, !Self.isDecimal(text) { fitDecimal = false }
        if Double(text).map(\.isFinite) != true { fitDouble = false }
    }

    mutating func add(_ other: Self) {
        count += other.count
        areIntegers = areIntegers && other.areIntegers
        fitInt = fitInt && other.fitInt
        fitInt64 = fitInt64 && other.fitInt64
        fitUInt64 = fitUInt64 && other.fitUInt64
        fitDecimal = fitDecimal && other.fitDecimal
        fitDouble = fitDouble && other.fitDouble
        hasLargeIntegers = hasLargeIntegers || other.hasLargeIntegers
    }

    /// The type and the format that hold all numbers exactly; `nil` if there is none.
    var type: (type: SchemaTypes, format: String?)? {
        if areIntegers {
            if fitInt { return (.integer, nil) }
            if fitInt64 { return (.integer, "int64") }
            if fitUInt64 { return (.integer, "uint64") }
            return fitDecimal ? (.number, "decimal") : nil
        }
        if hasLargeIntegers, fitDecimal { return (.number, "decimal") }
        return fitDouble ? (.number, nil) : nil
    }

    /// Whether the decoder reads a number as a `Decimal`.
    private static func isDecimal(_ text: String) -> Bool {
        (try? HikyakuJSONDecoder().decode([Decimal].self, from: Data("[\(text)]".utf8))) != nil
    }
}
