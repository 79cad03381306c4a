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
        (["help"], "there is no command help: did you mean --help?"),
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
        for command in HikyakuCommand.commands {
            #expect(Usage.program.contains("\n  \(command.name) "))
            #expect(Usage.program.contains(" \(command.summary)\n"))
        }
    }

    /// Every command reads its options in the same way.
    @Test(arguments: HikyakuCommand.commands.map(\.name))
    func everyCommandSuggestsOptions(name: String) async throws {
        let command = try #require(HikyakuCommand.commands.first { $0.name == name })
        let failure = await #expect(throws: CommandFailure.self) { try await command.run(["--outptu", "a", "b"]) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix("there is no option --outptu: did you mean --output?\n") == true)
    }

    @Test(arguments: [Usage.program, Usage.catalogue, Usage.download])
    func helpFitsATerminal(text: String) {
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
