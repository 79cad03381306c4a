/// Stores an optional value outside of the type that declares the property, so that a type may contain itself.
@propertyWrapper
package enum Indirect<Value: Sendable>: Sendable {
    case none
    indirect case some(Value)

    package init(wrappedValue: Value?) {
        self = wrappedValue.map(Self.some) ?? .none
    }

    package var wrappedValue: Value? {
        get {
            if case .some(let value) = self { value } else { nil }
        }
        set { self = newValue.map(Self.some) ?? .none }
    }
}
