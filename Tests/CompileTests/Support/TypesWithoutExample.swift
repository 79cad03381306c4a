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
        "ConformanceFailure", "CookieFileError", "CookieFileError.Reason", "CookieRefusal", "DecodingDiagnosis.Kind",
        "FaultTrial.Failure", "ImageDecodingError", "ImageDecodingError.Reason", "JSONLineError.Reason",
        "KeychainError", "MockServerError.Reason", "OAuthProblem.Reason", "TokenError", "TokenFileError",
        "TokenFileError.Reason", "VirtualTimeError", "VirtualTimeError.Kind", "WireError",
    ]
    private static let results = [
        "BroadcastStream.WithLosses", "CallExplanation.Access", "CallExplanation.Attempt", "CallExplanation.Body",
        "CallExplanation.Deadline", "CallExplanation.DeadlineOrigin", "CallExplanation.Field",
        "CallExplanation.Limit", "CallExplanation.Limit.Quota", "CallExplanation.Redirects", "CallExplanation.Retries",
        "CallExplanation.Source", "CallExplanation.Times", "CallExplanation.Wait", "CallProgress",
        "CallProgress.Direction", "CallPublisher", "CallTimings", "CircuitChange", "CircuitChange.State",
        "ConformanceReport.Outcome", "ConformanceReport.Result", "DeadlineSpending.Part", "DeadlineSpending.Phase",
        "DrawableImage", "EarlierAttempt", "FaultRecord", "FaultRecord.Outcome", "FaultTrial.Summary", "ItemSequence",
        "JSONDrift.Kind", "JSONLineSplitter.Line", "LinkedRequest", "ListPage", "ResponseDrift", "ResponseFile",
        "ResponseImage.Format", "RetryEnd", "WebLinks",
    ]
    private static let parts = [
        "BroadcastStream.Event", "CallEvent", "NetworkPreferences.Service", "NotReady", "Ready",
        "TransportEvent.Kind", "UploadMessage", "UploadReply", "VirtualClock",
    ]
    private static let checks = [
        "_AcceptanceSpelling", "AcceptsWithoutLabel", "_AuthorizationSpelling", "CancellationPromise",
        "_CodingSpelling", "_ContentSpelling", "EventStreamSpelling", "FailureLogCode", "_FailureSpelling",
        "FallbackError", "FileSpelling", "_HandlingSpelling", "LogCodeSpelling", "NothingWritten", "OpenLevel",
        "OptionalResult", "PreparedRequest", "PreparesInPlace", "_RepetitionSpelling", "RequestBodyContent",
        "RequestDestination", "RequestDiagnosisDetail", "RequestEnvironment", "RequestFlag", "RequestHeaders",
        "RequestIdempotencyKey", "RequestLimitGroup", "RequestMethod", "RequestPathContent", "RequestQueryItems",
        "RequestReconnection", "RequestRedirectPolicy", "RequestScopes", "_RequestSpelling", "RequestStageTimeouts",
        "RequestStreamTypes", "RequestTerminator", "RequestTimeout", "ResponseParameter", "_SharingSpelling",
        "StatusParameter", "_TargetSpelling", "TokenReadiness",
    ]
    private static let choices = [
        "Defaulted.EmptyProvider", "Defaulted.FalseProvider", "Defaulted.FirstCaseProvider", "Defaulted.TrueProvider",
        "Defaulted.ZeroProvider", "EventStreamResponse", "NoKey", "PluralKey", "SingleKey",
    ]
}
