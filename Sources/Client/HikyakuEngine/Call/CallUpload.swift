/// The upload of a call's body in parts.
package protocol CallUpload: AnyObject, Sendable {
    /// The observer of an exchange, which gets the progress of the whole upload instead of that of one part.
    func observer(for observer: (any EventObserver)?) -> (any EventObserver)?
}
