// Many requests with faults, cancellations and dropped streams, all following from one seed. In the end every outcome
// has been the right body or an error, and memory, descriptors and threads are what they were.

import BenchmarkSupport
import Foundation
import HikyakuWire

guard let options = SoakOptions(CommandLine.arguments.dropFirst()) else {
    print(SoakOptions.usage)
    exit(2)
}
let words = options.minutes > 0 ? "\(options.minutes) minutes" : "\(options.requests) requests"
print("soak: \(words) over \(options.protocolName), \(options.width) at once, seed \(options.seed)")
fflush(nil)

let server = try ServerProcess.start()
let gateway = options.protocolName == .http ? nil : try Nginx.start(files: [:], before: server.baseURL)
var wireOptions = WireOptions()
wireOptions.offersHTTP2 = options.protocolName == .h2
if let gateway {
    wireOptions.proxy = .none
    wireOptions.tls.trustedAuthorities = .file(gateway.certificate)
}
let secureURL = options.protocolName == .h2 ? gateway?.http2URL : gateway?.secureURL
// The first wait opens descriptors for all later ones.
try await Task.sleep(for: .milliseconds(1))
let fresh = Resources.now()
var transport: WireTransport? = WireTransport(options: wireOptions)
var checks = Checks()
var tally = Tally()
if let transport {
    let run = SoakRun(
        baseURL: secureURL ?? server.baseURL,
        seed: options.seed,
        width: options.width,
        isBehindGateway: gateway != nil,
        transport: transport,
    )
    let deadline = options.minutes > 0 ? ContinuousClock.now + .seconds(options.minutes * 60) : nil
    let warmUp = min(max(options.requests / 10, 1000), 20_000, options.requests)
    tally.add(await run.run(0..<warmUp, until: deadline))
    let warm = Resources.now()
    print("after warm-up: \(warm)")
    fflush(nil)
    tally.add(await run.run(warmUp..<options.requests, until: deadline))
    let end = Resources.now()
    print("at the end:    \(end)")
    checks.compareEnd(end, with: warm)
    await transport.shutdown(within: .seconds(5))
}
transport = nil
let left = await Checks.resourcesAtRest(like: fresh)
checks.compareRest(left, with: fresh)
print("after it:      \(left)")
gateway?.stop()
server.stop()

print("\(tally.requests) requests:")
for line in tally.lines { print(line) }
checks.take(tally)
for failure in checks.failures { print("FAILED: \(failure)") }
print(checks.failures.isEmpty ? "soak: passed" : "soak: failed, seed \(options.seed)")
exit(checks.failures.isEmpty ? 0 : 1)
