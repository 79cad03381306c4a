extension Row {
    /// Typed calls through the client, beside the transport with the same request.
    static let client: [Row] =
        [Connection.plain, .tls, .http2].flatMap { connection in
            [1, 4, 16, 64].map { small(connection, width: $0) }
        } + [item] + [1, 16].map(post) + [1, 16].map(page)

    private static func small(_ connection: Connection, width: Int) -> Row {
        let names: [Connection: String] = [.plain: "small", .tls: "tls", .http2: "http2"]
        let isDecisive = connection == .plain
        return Row(
            name: names[connection] ?? "",
            title: "small typed body\(connection.words), \(width) at once",
            load: .summary,
            connection: connection,
            width: width,
            contestants: contestants(connection),
            goals: (isDecisive && width != 4 ? [.clientCPU] : []) + (isDecisive && width == 1 ? [.clientSwitches] : []),
            instructionsAboveTransportMax: isDecisive && width == 1 ? 35_000 : nil,
        )
    }

    private static let item = Row(
        name: "item",
        title: "small body, typed as a whole, 1 at once",
        load: .item,
        width: 1,
        contestants: contestants(.plain),
    )

    private static func post(width: Int) -> Row {
        Row(
            name: "post",
            title: "POST with a small JSON body, \(width) at once",
            load: .post,
            width: width,
            contestants: contestants(.plain),
        )
    }

    private static func page(width: Int) -> Row {
        Row(
            name: "page",
            title: "29 KB typed body, \(width) at once",
            load: .page,
            width: width,
            contestants: contestants(.plain) + [.directClient],
            goals: width == 16 ? Goal.page(.client, 4.3) + Goal.page(.directClient, 8) : [],
        )
    }

    /// On Linux, URLSession has no option to trust a certificate.
    private static func contestants(_ connection: Connection) -> [Contestant] {
        [.client, .transport, .libcurl] + (connection == .plain ? [.urlSession] : [])
    }
}

extension Row.Goal {
    fileprivate static let clientCPU = atMost(
        1.4,
        times: .transport,
        \.cpuMicrosecondsPerRequest,
        "CPU a request",
        of: .client,
    )

    fileprivate static func page(_ contestant: Contestant, _ factor: Double) -> [Row.Goal] {
        [
            .atLeast(factor, times: .urlSession, \.requestsPerSecond, "requests/s", of: contestant),
            .atLeast(factor, times: .urlSession, \.requestsPerCPUSecond, "requests/s of CPU", of: contestant),
        ]
    }

    fileprivate static let clientSwitches = Row.Goal(
        text: "at most 0.1 context switches a request above \(Contestant.transport.title)'s",
        one: .client,
        comparison: .difference(.transport),
        figure: \.switchesPerRequest,
    ) { $0 <= 0.1 }
}
