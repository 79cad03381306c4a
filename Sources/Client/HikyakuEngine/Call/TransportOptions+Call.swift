extension ClientOptions {
    /// The options for the transport in a call.
    package func transportOptions(for context: RequestContext) -> TransportOptions {
        var options = TransportOptions(
            bodyBytesMax: bodyBytesMax,
            errorBodyBytesMax: errorBodyBytesMax,
            accepts: context.call.acceptsHead,
            streamsBody: context.streamsBody,
            timeouts: context.call.choices.timeouts ?? timeouts,
            observer: context.call.observer,
        )
        options.listener = context.call
        options.resendsOnce = context.isFirstAttempt
        return options
    }
}
