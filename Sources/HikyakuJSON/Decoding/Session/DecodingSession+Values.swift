extension DecodingSession {
    @inline(__always)
    func isNull(at place: Int) -> Bool { index[place].kind == .null }

    func boolean(at place: Int) throws -> Bool {
        switch index[place].kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, at: place)
        }
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, at place: Int) throws -> Value {
        let entry = index[place]
        if entry.kind == .integer, let value = IntegerText.short(start(of: entry), entry.length),
            let exact = Value(exactly: value)
        {
            return exact
        }
        return try unusualInteger(type, at: place)
    }

    @inline(never)
    private func unusualInteger<Value: FixedWidthInteger>(_ type: Value.Type, at place: Int) throws -> Value {
        let entry = index[place]
        guard entry.kind == .integer || entry.kind == .decimal else { throw mismatch(type, at: place) }
        switch IntegerText.integer(type, start(of: entry), numberLength(of: entry)) {
        case .value(let value): return value
        case .outOfRange: throw unfitNumber("is beyond the range of " + TypeName.of(type), type, at: place)
        case .notInteger:
            throw unfitNumber("has a fraction, which " + TypeName.of(type) + " can't hold", type, at: place)
        }
    }

    func double(at place: Int) throws -> Double { try floating(place) { DoubleText.double($0, $1) } }

    func float(at place: Int) throws -> Float { try floating(place) { DoubleText.float($0, $1) } }

    @inline(__always)
    private func floating<Value: BinaryFloatingPoint>(
        _ place: Int,
        _ read: (UnsafePointer<UInt8>, Int) -> Value?,
    ) throws -> Value {
        let entry = index[place]
        guard entry.kind == .integer || entry.kind == .decimal else { return try nonConforming(Value.self, at: place) }
        let (start, count) = (start(of: entry), numberLength(of: entry))
        if let value = read(start, count) ?? settings.nonFinite(Value.self, start, count) { return value }
        throw unfitNumber("is beyond the range of " + TypeName.of(Value.self), Value.self, at: place)
    }

    private func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, at place: Int) throws -> Value {
        guard index[place].isString, let value = settings.nonConforming(type, for: try string(at: place))
        else { throw mismatch(type, at: place) }
        return value
    }

    @inline(__always)
    func string(at place: Int) throws -> String {
        let entry = index[place]
        if entry.kind == .plainString, entry.length < JSONEntry.lengthMax {
            return String(decoding: UnsafeBufferPointer(start: start(of: entry), count: entry.length), as: UTF8.self)
        }
        guard entry.isString else { throw mismatch(String.self, at: place) }
        return string(at: start(of: entry), textLength(of: entry), isEscaped: entry.kind == .escapedString)
    }

    @inline(never)
    func string(at start: UnsafePointer<UInt8>, _ length: Int, isEscaped: Bool) -> String {
        guard isEscaped else {
            return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
        }
        return EscapeScan.string(start, length)
    }

    /// The bytes of a text or key, counted again where its entry can't say.
    @inline(__always)
    func textLength(of entry: JSONEntry) -> Int {
        let isSaid = entry.length < JSONEntry.lengthMax && entry.kind != .convertedKey
        return isSaid ? entry.length : countedLength(of: entry)
    }

    @inline(never)
    private func countedLength(of entry: JSONEntry) -> Int {
        // The text was checked when the index was made.
        guard let found = try? TextScan.text(from: start(of: entry), to: end) else { return 0 }
        return found.end - start(of: entry)
    }

    @inline(__always)
    func numberLength(of entry: JSONEntry) -> Int {
        guard entry.length == JSONEntry.lengthMax else { return entry.length }
        guard let found = try? NumberScan.number(from: start(of: entry), to: end) else { return 0 }
        return found.end - start(of: entry)
    }

    /// The byte behind a value that is no container.
    func end(ofScalar place: Int) -> Int {
        let entry = index[place]
        return entry.offset + (entry.isString ? textLength(of: entry) + 1 : numberLength(of: entry))
    }

    /// Any other type, in the way that is its own.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> Value {
        try tools.plan(for: type).decode(self, at: place)
    }
}

extension HikyakuJSONDecoder {
    /// The number that a text stands for.
    func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, for text: String) -> Value? {
        switch nonConformingFloatDecodingStrategy {
        case .throw: nil
        case .convertFromString(text, _, _): .infinity
        case .convertFromString(_, text, _): -.infinity
        case .convertFromString(_, _, text): .nan
        case .convertFromString: nil
        }
    }
}
