import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct ProgramTests {
    @Test(arguments: [
        ([], "a command is missing"),
        (["catalog"], "there is no command catalog: did you mean catalogue?"),
        (["catalouge", "--help"], "there is no command catalouge: did you mean catalogue?"),
        (["donwload"], "there is no command donwload: did you mean download?"),
        (["gen"], "there is no command gen: did you mean generate?"),
        (["serve"], "there is no command serve"),
        ([""], "there is no command "),
        (["-"], "there is no option -"),
        (["hlep"], "there is no command hlep: did you mean help?"),
        (["help", "mdoel"], "there is no command mdoel: did you mean model?"),
        (["help", "--hlep"], "there is no option --hlep: did you mean --help?"),
        (["help", "model", "request"], "request is an unexpected argument: help takes one command"),
        (["help", "--version"], "--version is an unexpected option: help takes the name of a command"),
        (["version"], "there is no command version: did you mean --version?"),
        (["--verison"], "there is no option --verison: did you mean --version?"),
        (["--generate"], "there is no option --generate: did you mean generate?"),
        (["--colour"], "there is no option --colour"),
    ])
    func rejectsUnknownCommandsAndOptions(words: [String], message: String) async {
        let failure = await #expect(throws: CommandFailure.self) { try await HikyakuCommand.run(words) }
        #expect(failure?.status == .usage)
        #expect(failure?.message == message + "\n'hikyaku --help' lists the commands and options.")
    }

    @Test
    func helpListsEveryCommand() {
        #expect(HikyakuCommand.usage.contains("\n  help "))
        for command in HikyakuCommand.commands {
            #expect(HikyakuCommand.usage.contains("\n  \(command.name) "))
            #expect(HikyakuCommand.usage.contains(" \(command.summary)\n"))
        }
    }

    @Test(arguments: [
        (["help"], ["--help"]), (["help", "help"], ["--help"]), (["help", "--help"], ["--help"]),
        (["help", "model"], ["model", "--help"]), (["model", "help"], ["model", "--help"]),
        (["help", "mdoel"], ["mdoel", "--help"]), (["model", "./help"], ["model", "./help"]),
        (["model", "help", "b.json"], ["model", "help", "b.json"]), ([], []),
    ])
    func helpIsACommandBeforeOrAfterAnother(words: [String], meant: [String]) throws {
        #expect(try HikyakuCommand.words(forHelpIn: words) == meant)
    }

    /// Every command reads its options in the same way.
    @Test(arguments: HikyakuCommand.commands.map(\.name))
    func everyCommandSuggestsOptions(name: String) async throws {
        let command = try #require(HikyakuCommand.commands.first { $0.name == name })
        let failure = await #expect(throws: CommandFailure.self) { try await command.run(["--outptu", "a", "b"]) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix("there is no option --outptu: did you mean --output?\n") == true)
    }

    @Test(arguments: [HikyakuCommand.usage, CatalogueCommand.help, DownloadCommand.help])
    func helpFitsATerminal(text: String) {
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
