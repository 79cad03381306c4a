/// The public types that need no example of their own, with the reason.
enum TypesWithoutExample {
    static let reasons: [(reason: String, names: [String])] = [
        ("An error or its kind: the package makes it, and an app reads it.", errors),
        ("The package makes it, and an app reads its properties.", results),
        ("It is what another type's example uses or reads: its cases, its items, its parts.", parts),
        ("The compiler uses it to check what requests declare; nobody writes its name.", checks),
        ("It is what a definition or a wrapper chooses by itself; nobody writes its name.", choices),
    ]

    private static let errors = [
        "ConformanceFailure", "StoreFileError", "CookieRefusal", "DecodingDiagnosis.Kind",
        "FaultTrial.Failure", "ImageDecodingError", "ImageDecodingError.Reason", "JSONLineError.Reason",
        "KeychainError", "MockServerError.Reason", "OAuthProblem.Reason", "TokenError",
        "StoreFileError.Reason", "VirtualTimeError", "VirtualTimeError.Kind", "WireError",
    ]
    private static let results = [
        "BroadcastStream.WithLosses", "CallProgress", "CallProgress.Direction", "CallPublisher", "CallTimings",
        "CircuitChange", "CircuitChange.State", "ConformanceReport.Outcome", "ConformanceReport.Result",
        "DeadlineSpending.Part", "DeadlineSpending.Phase", "DrawableImage", "EarlierAttempt", "FaultRecord",
        "FaultRecord.Outcome", "FaultTrial.Summary", "ItemSequence", "JSONDrift.Kind",
        "JSONLineSplitter.Line", "LinkedRequest", "ListPage", "ResponseDrift",
        "ResponseImage.Format", "RetryEnd", "WebLinks",
    ]
    private static let parts = [
        "BroadcastStream.Event", "CallEvent", "NetworkPreferences.Service", "NotReady", "Ready",
        "TransportEvent.Kind", "UploadMessage", "UploadReply", "VirtualClock",
    ]
    private static let checks = [
        "_AcceptanceSpelling", "_AcceptsWithoutLabel", "_AuthorizationSpelling", "CancellationPromise",
        "_CodingSpelling", "_ContentSpelling", "EventStreamSpelling", "_FailureLogCode", "_FailureSpelling",
        "_FallbackError", "_FileSpelling", "_HandlingSpelling", "_LogCodeSpelling", "_NothingWritten", "OpenLevel",
        "_OptionalResult", "_PreparedRequest", "_PreparesInPlace", "_RepetitionSpelling", "_RequestBodyContent",
        "_RequestDestination", "_RequestDiagnosisDetail", "_RequestEnvironment", "_RequestFlag", "_RequestHeaders",
        "_RequestIdempotencyKey", "_RequestLimitGroup", "_RequestMethod", "_RequestPathContent", "_RequestQueryItems",
        "_RequestReconnection", "_RequestRedirectPolicy", "_RequestScopes", "_RequestSpelling", "_RequestStageTimeouts",
        "_RequestStreamTypes", "_RequestTerminator", "_RequestTimeout", "_ResponseParameter", "_ServiceEnvelope",
        "_SharingSpelling", "_StatusParameter", "_TargetSpelling", "TokenReadiness",
    ]
    private static let choices = [
        "Defaulted._EmptyProvider", "Defaulted._FalseProvider", "Defaulted._FirstCaseProvider",
        "Defaulted._TrueProvider", "Defaulted._ZeroProvider", "EventStreamResponse", "_NoKey", "_PluralKey",
        "_SingleKey",
    ]
}
