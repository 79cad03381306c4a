// Compares CurlTransport with a C program on libcurl and with FoundationNetworking's URLSession, all against one nginx on
// loopback. Each round runs every contestant at every load, so that what else the machine does meets all of them.

import BenchmarkSupport
import Foundation

let names = Row.all.map(\.name)
guard let options = Options(CommandLine.arguments.dropFirst(), rows: names, seconds: 2) else {
    print(Options.usage("bench", rows: names))
    exit(2)
}
let rows = Row.all.filter { options.includes($0.name) }

func measure(_ rows: [Row], _ servers: Servers) throws -> [Report] {
    var reports = rows.map { Report(row: $0) }
    for round in 0..<options.rounds {
        FileHandle.standardError.write(Data("round \(round + 1) of \(options.rounds)\n".utf8))
        for index in reports.indices {
            let row = reports[index].row
            var measurements: [Contestant: Measurement] = [:]
            // Another one begins each time: whoever follows a busy neighbour finds the machine warm.
            for place in row.contestants.indices {
                let contestant = row.contestants[(place + round) % row.contestants.count]
                measurements[contestant] = try Measurement.run(contestant, row, servers, options)
            }
            reports[index].add(measurements)
        }
    }
    return reports
}

for line in Machine.words { print(line) }
let servers = try Servers.start(for: rows)
var misses: [String] = []
do {
    if options.countsInstructions {
        try Instructions.report(rows, servers)
    } else {
        print("\(Servers.body.utf8.count)-byte body; medians of \(options.rounds) rounds of \(options.seconds) s")
        let reports = try measure(rows, servers)
        for line in reports.flatMap(\.lines) { print(line) }
        misses = reports.flatMap(\.misses)
        print("")
        for miss in misses { print("not reached: \(miss)") }
        if misses.isEmpty { print("all figures are reached") }
    }
} catch {
    servers.stop()
    print("bench: \(error)")
    exit(1)
}
servers.stop()
exit(options.isCheck && !misses.isEmpty ? 1 : 0)
