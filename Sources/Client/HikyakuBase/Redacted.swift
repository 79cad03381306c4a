/// A type that may hold a secret: `dump` and debuggers show its `description`, and nothing that it stores.
package protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// What `description` shows.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
