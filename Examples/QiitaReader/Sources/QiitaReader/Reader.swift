import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@main
struct Reader {
    static func main() async {
        exit(await run(Array(CommandLine.arguments.dropFirst()), variables: ProcessInfo.processInfo.environment))
    }

    /// Executes the command, and returns the exit status.
    static func run(
        _ words: [String],
        variables: [String: String],
        output: Output = .standard,
        errors: Output = .standardError,
    ) async -> Int32 {
        do throws(UsageError) {
            let arguments = try Arguments(words, variables: variables)
            return await run(arguments, output, errors)
        } catch {
            errors.line(Usage.error(error))
            return 64  // EX_USAGE of sysexits.h
        }
    }

    private static func run(_ arguments: Arguments, _ output: Output, _ errors: Output) async -> Int32 {
        do {
            guard arguments.command != .help else {
                output.line(Usage.text)
                return 0
            }
            let service = try Service(arguments, log: errors)
            defer { service.stop() }
            try await perform(arguments.command, with: service, output)
            return 0
        } catch let failure as any APIFailure {
            errors.failure(failure)
            if failure.phase == .unauthorized || failure.response?.status == .unauthorized {
                errors.line("Set a valid token by QIITA_TOKEN or --token: see --help.")
            }
        } catch {
            errors.line("error: \(error)")
        }
        return 1
    }

    private static func perform(_ command: Arguments.Command, with service: Service, _ output: Output) async throws {
        switch command {
        case .tour:
            try await Tour(service: service, output: output).run()
        case .items(let page, let perPage, let search):
            let response = try await service.client.bind(
                Qiita.Items(page: page, perPage: perPage, search: search)
            ).response()
            output.items(response.value, firstNumber: (page - 1) * perPage + 1)
            output.line()
            output.pages(PageInfo(response))
        case .item(let id):
            async let item = service.client.send(Qiita.ItemByID(id: id))
            async let comments = service.client.send(Qiita.Comments(itemID: id))
            output.item(try await item)
            output.comments(try await comments)
        case .me:
            output.user(try await service.authorizedClient.send(Qiita.AuthenticatedUser()))
        case .help:
            break
        }
    }
}
