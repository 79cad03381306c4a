extension JSONValue {
    /// The member of an object by its key; `nil` where there is none, or where this is no object.
    ///
    /// `nil` removes the member, and `.null` makes it `null`. On `null` it makes an object of this one member. On a
    /// value of another kind nothing changes.
    public subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members[key]
        }
        set {
            switch self {
            case .object(var members):
                // Else the members would be copied, since they are held twice.
                self = .null
                members[key] = newValue
                self = .object(members)
            case .null:
                if let newValue { self = .object([key: newValue]) }
            default:
                break
            }
        }
    }

    /// The element of an array by its index; `nil` where there is none, or where this is no array.
    ///
    /// `nil` removes the element. At the index behind the last one it is appended; beyond that, and on a value of
    /// another kind, nothing changes.
    public subscript(index: Int) -> JSONValue? {
        get {
            guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
            return elements[index]
        }
        set {
            guard case .array(var elements) = self, 0...elements.count ~= index else { return }
            self = .null
            switch newValue {
            case let value? where index == elements.count: elements.append(value)
            case let value?: elements[index] = value
            case nil where index < elements.count: elements.remove(at: index)
            case nil: break
            }
            self = .array(elements)
        }
    }

    /// The value that a pointer leads to; `nil` where the way ends before.
    ///
    /// What is set there goes by the rules for keys and indexes; `-` in a pointer appends to an array. Where the way to
    /// the last object or array ends before, nothing changes.
    ///
    /// [RFC 6901, section 4](https://www.rfc-editor.org/rfc/rfc6901#section-4)
    public subscript(pointer: JSONPointer) -> JSONValue? {
        get {
            var value = self
            for token in pointer.tokens {
                guard let next = value.child(token) else { return nil }
                value = next
            }
            return value
        }
        set {
            set(newValue, at: pointer.tokens[...])
        }
    }

    private func child(_ token: String) -> JSONValue? {
        switch self {
        case .object(let members): members[token]
        case .array(let elements): JSONPointer.index(token, count: elements.count).flatMap { self[$0] }
        default: nil
        }
    }

    private mutating func setChild(_ token: String, to value: JSONValue?) {
        if case .array(let elements) = self {
            if let index = JSONPointer.index(token, count: elements.count) { self[index] = value }
        } else {
            self[token] = value
        }
    }

    private mutating func set(_ value: JSONValue?, at tokens: ArraySlice<String>) {
        guard let token = tokens.first else {
            self = value ?? .null
            return
        }
        guard tokens.count > 1 else { return setChild(token, to: value) }
        guard var next = child(token) else { return }
        // The child is taken out while it changes, since what is held twice would be copied.
        setChild(token, to: .null)
        next.set(value, at: tokens.dropFirst())
        setChild(token, to: next)
    }
}
