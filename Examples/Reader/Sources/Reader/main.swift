import Dispatch
import Hikyaku

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

let limits: [LimitGroup: CallLimit] = [.origin: CallLimit(inFlightMax: 2)]
let client = APIClient(options: ClientOptions(timeout: .seconds(20), limits: limits)).logging(.line)
let digest = Digest(client: client, tags: ["swift", "linux", "rust", "docker"])

let work = Task {
    while !Task.isCancelled {
        for line in await digest.lines() { print(line) }
        try? await Task.sleep(for: .seconds(300))
    }
}

// Ctrl-C sends SIGINT, and a service manager SIGTERM.
let signals = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { work.cancel() }
    source.resume()
    return source
}

await work.value
for source in signals { source.cancel() }
await client.shutdown(within: .seconds(5))
print("stopped")
