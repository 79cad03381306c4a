// Compares CurlTransport with a C program on libcurl and with FoundationNetworking's URLSession, all against one nginx on
// loopback. Each round runs every contestant at both loads, so that what else the machine does meets all of them.

import Foundation

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print(Options.usage)
    exit(2)
}
let nginx = try Nginx.start()
var reports = [Report(width: 1), Report(width: 64)]
do {
    for round in 0..<options.rounds {
        FileHandle.standardError.write(Data("round \(round + 1) of \(options.rounds)\n".utf8))
        for index in reports.indices {
            var measurements: [Contestant: Measurement] = [:]
            // Another one begins each time: whoever follows a busy neighbour finds the machine warm.
            let order = Contestant.allCases.indices.map {
                Contestant.allCases[($0 + round) % Contestant.allCases.count]
            }
            for contestant in order {
                measurements[contestant] = try Measurement.run(
                    contestant,
                    url: nginx.url,
                    width: reports[index].width,
                    options: options,
                )
            }
            reports[index].add(measurements)
        }
    }
} catch {
    nginx.stop()
    print("bench: \(error)")
    exit(1)
}
nginx.stop()

print("", "315-byte body; medians of \(options.rounds) rounds of \(options.seconds) s", separator: "\n")
print(Report.heading)
for line in reports.flatMap(\.lines) { print(line) }
let misses = reports.flatMap(\.misses)
for miss in misses { print("not reached: \(miss)") }
if misses.isEmpty { print("all figures are reached") }
exit(options.isCheck && !misses.isEmpty ? 1 : 0)
