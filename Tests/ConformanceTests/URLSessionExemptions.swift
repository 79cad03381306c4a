import HikyakuTesting

/// What the transport on URLSession doesn't do on Linux, with the reason; its table of guarantees says the same.
enum URLSessionExemptions {
    static let all = messages + framing + streaming + crashes

    private static func fails(_ names: [String], _ reason: String) -> [ConformanceExemption] {
        names.map { .fails($0, reason) }
    }

    private static func isNotRun(_ names: [String], _ reason: String) -> [ConformanceExemption] {
        names.map { .isNotRun($0, reason) }
    }

    private static let messages =
        fails(["request.addsNothing"], "Foundation adds User-Agent, Accept, Accept-Language and Accept-Encoding")
        + fails(["request.bodyWithGet"], "URLSession refuses a body with GET")
        + isNotRun(["request.headerOrder"], "Foundation sends fields in an order of its own, by chance the given one")
        + fails(
            ["request.repeatedHeaders", "response.repeatedHeaders"],
            "Foundation joins fields of one name by a comma",
        )
        + fails(["request.wellKnownMethodInOtherCase"], "Foundation sends get as GET")
        + fails(["response.headerOrder"], "Foundation forgets the order of fields")
        + fails(["response.noReasonPhrase"], "Foundation refuses a status line without a phrase")
        + fails(["response.nonASCIIHeader"], "Foundation refuses fields that are not UTF-8")
        + fails(["response.cutContentCoding"], "Foundation takes half a compressed body for a whole one")
        + fails(["shutdown.refuses"], "Foundation keeps idle connections until the session goes")

    private static let framing =
        fails(["framing.wordAsChunkSize.reason"], "libcurl reads what of the word is hexadecimal")
        + fails(["framing.foldedFirstField.reason"], "libcurl calls it a bad argument")
        + fails(
            ["noAnswer", "resetBeforeAnswer", "cutInStatusLine"].map { "framing.\($0).afterAGoodResponse" },
            "libcurl sends a POST again when a kept connection ends before the response",
        )

    private static let streaming =
        fails(["download.backPressure"], "a task that was suspended amid its response doesn't go on, so all comes")
        + fails(
            ["upload.withoutLength", "upload.backPressure", "upload.cancel"],
            "files and streams are collected before they are sent",
        )
        + isNotRun(
            ["upload.replayable", "upload.notReplayable", "connections.deadIsNotRetriedForPost"],
            "Foundation waits for a time limit when libcurl wants to send a body again",
        )
        + fails(["timeout.connect"], "connecting counts into the first byte's time")
        + fails(["events.sending", "events.reuse"], "Foundation reports nothing about connections")

    private static let crashes =
        isNotRun(
            ["cutInHeaders", "cutBeforeEmptyLine"].flatMap { name in
                ["", ".reason", ".afterAGoodResponse"].map { "framing.\(name)\($0)" }
            },
            "Foundation stops the process when a connection ends within the head of a response",
        )
        + isNotRun(
            ["timeout.idleInHeaders"],
            "a head that isn't whole doesn't show, so that its silence is the first byte's; its end stops the process",
        )
        + isNotRun(["response.chunked"], "Foundation stops the process at a trailer")
}
